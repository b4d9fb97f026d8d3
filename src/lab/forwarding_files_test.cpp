#include "lab/forwarding_files.hpp"

#include <gtest/gtest.h>

#include "fabric/generator.hpp"
#include "fabric/routing.hpp"
#include "formats/lfts_writer.hpp"
#include "support/folder.hpp"

namespace weir::lab {
namespace {

TEST(ForwardingFiles, ReadBackWhatWasWritten) {
  const fabric::Snapshot graph = fabric::generate(fabric::FatTree{}).value();
  const fabric::Subnet subnet = fabric::subnets_of(graph).value().at(0);
  fabric::RoutingOptions options;
  options.rule = fabric::RoutingRule::kMinhop;
  const fabric::ForwardingTables tables = fabric::compute_tables(subnet, options).value();
  const testing::TestFolder folder;
  const std::vector files{folder.write("lfts", write_lfts(graph, subnet, tables))};
  const fabric::ForwardingTables read = read_tables(files).value();
  ASSERT_EQ(read.switches.size(), tables.switches.size());
  for (std::size_t s = 0; s < read.switches.size(); ++s)
    EXPECT_EQ(read.switches[s], tables.switches[s]);
}

TEST(ForwardingFiles, SayWhatIsWrong) {
  const testing::TestFolder folder;
  const auto error = [&](const std::string& text) {
    const std::vector files{folder.write("lfts", text)};
    const auto tables = read_tables(files);
    return tables ? std::string() : tables.error().message;
  };
  EXPECT_NE(error("# lid 1\n").find("lfts"), std::string::npos);
  const std::string one =
      "Unicast lids [0-1] of switch Lid 1 guid 0x0000000000000007 ('a'):\n"
      "0x0001 000 # Switch\n1 lids dumped\n";
  EXPECT_EQ(error(one), "");
  const std::vector twice{folder.write("a", one), folder.write("b", one)};
  EXPECT_NE(read_tables(twice).error().message.find("two forwarding tables"), std::string::npos);
}

}  // namespace
}  // namespace weir::lab
