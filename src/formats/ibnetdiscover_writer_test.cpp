#include "formats/ibnetdiscover_writer.hpp"

#include <string_view>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "fabric/generator.hpp"
#include "formats/ibnetdiscover.hpp"

namespace weir {
namespace {

Result<fabric::Snapshot> read(std::string_view text) {
  IbnetdiscoverReader reader;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n'))
    if (Status status = reader.line(line, ++number); !status)
      return std::unexpected(status.error());
  return reader.finish();
}

TEST(IbnetdiscoverWriter, WritesWhatTheReaderReadsBack) {
  for (const std::uint32_t nodes : {1U, 20U, 128U}) {
    const fabric::Snapshot snapshot = fabric::generate(fabric::fat_tree_of(nodes)).value();
    const auto again = read(write_ibnetdiscover(snapshot));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, snapshot) << nodes;
  }
}

TEST(IbnetdiscoverWriter, KeepsGapsAndUnknownThings) {
  constexpr std::string_view kText = R"(Switch	4 "S-0000000000000009"		# "s"
[1]	"H-0000000000000001"[1]		# "n1 mlx5_0" lid 2 4xHDR
[2]	"H-0000000000000002"[1]		# "n2 mlx5_0"
[3]	"R-0000000000000003"[1]		# "r"
Ca	1 "H-0000000000000001"		# "n1 mlx5_0"
Rt	2 "R-0000000000000003"		# "r"
[1]	"S-0000000000000009"[3]		# "s"
)";
  const fabric::Snapshot snapshot = read(kText).value();
  EXPECT_EQ(snapshot.gaps.size(), 2U);
  const auto again = read(write_ibnetdiscover(snapshot));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->gaps, snapshot.gaps);
  EXPECT_EQ(again->links, snapshot.links);
}

TEST(IbnetdiscoverWriter, PutsControlBytesOutOfDescriptions) {
  fabric::FabricDraft draft;
  fabric::Vertex vertex;
  vertex.guid = Guid(9);
  vertex.port_count = 1;
  vertex.description = "a\nb\x1b mlx5_0";
  draft.vertices.push_back(vertex);
  const auto again = read(write_ibnetdiscover(fabric::assemble(draft)));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->vertices[0].description, "a.b. mlx5_0");
}

}  // namespace
}  // namespace weir
