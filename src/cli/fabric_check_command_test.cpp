// `weir fabric check` as a user runs it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/ibnetdiscover_writer.hpp"
#include "os/files.hpp"
#include "support/command.hpp"
#include "support/fabric_text.hpp"
#include "support/folder.hpp"

namespace weir {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using testing::refusal;
using testing::run_weir;
using ::testing::StartsWith;

// Switches in a ring, an HCA on each: shortest ways over two cables wait for each other.
std::string ring_of_switches(std::uint8_t switches) {
  fabric::FabricDraft draft;
  const fabric::LinkRate rate{fabric::LinkWidth::k4x, fabric::LinkSpeed::kNdr};
  const auto add = [&](std::uint64_t guid, fabric::VertexKind kind, std::uint8_t ports,
                       std::uint16_t lid) {
    const bool hca = kind == fabric::VertexKind::kHca;
    fabric::Vertex vertex;
    vertex.guid = Guid(guid);
    vertex.kind = kind;
    vertex.port_count = ports;
    vertex.description = fmt::format("{}{}{}", hca ? "node" : "ring", lid, hca ? " mlx5_0" : "");
    vertex.addresses = {{fabric::PortNumber(hca ? 1 : 0), Guid(guid), Lid(lid), 0}};
    draft.vertices.push_back(vertex);
  };
  const auto plug = [&](Guid a, std::uint8_t port_a, Guid b, std::uint8_t port_b) {
    draft.ends.push_back(
        {a, fabric::PortNumber(port_a), b, fabric::PortNumber(port_b), rate, "far"});
    draft.ends.push_back(
        {b, fabric::PortNumber(port_b), a, fabric::PortNumber(port_a), rate, "far"});
  };
  for (std::uint8_t s = 0; s < switches; ++s) {
    add(0x100U + s, fabric::VertexKind::kSwitch, 3, static_cast<std::uint16_t>(1 + s));
    add(0x200U + s, fabric::VertexKind::kHca, 1, static_cast<std::uint16_t>(100 + s));
    plug(Guid(0x200U + s), 1, Guid(0x100U + s), 1);
    plug(Guid(0x100U + s), 2, Guid(0x100U + (s + 1U) % switches), 3);
  }
  return write_ibnetdiscover(fabric::assemble(draft));
}

class FabricCheck : public ::testing::Test {
 protected:
  testing::TestFolder folder_;
  std::string net_ = folder_.write("net", std::string(testing::kSmallIbnetdiscover)).string();
};

TEST_F(FabricCheck, FindsNothingWrongWithATree) {
  const CommandRun run = run_weir({"fabric", "check", net_, "--routing", "minhop"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.out,
            "minhop tables, computed\n"
            "plane of switch 0x00000000000000a1: all 2 pairs of end ports joined\n"
            "  no credit loop\n");
  const CommandRun json = run_weir({"fabric", "check", net_, "--routing", "minhop", "--json"});
  EXPECT_EQ(json.exit_code, 0) << json.errors;
  EXPECT_EQ(json.out, R"({
  "tables": "minhop",
  "planes": [
    {
      "switch": "0x00000000000000a1",
      "pairs": 2,
      "cut_pairs": 0,
      "credit_loop": []
    }
  ]
}
)");
}

TEST_F(FabricCheck, FindsPairsThatTablesDoNotJoin) {
  const std::string tables =
      folder_
          .write("lfts",
                 "Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf1'):\n"
                 "0x0001 000 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
                 "0x0003 001 # Channel Adapter portguid 0x00000000000000c1: 'n1 mlx5_0'\n"
                 "4 lids dumped\n")
          .string();
  const CommandRun run = run_weir({"fabric", "check", net_, "--tables", tables});
  EXPECT_EQ(run.exit_code, 1) << run.errors;
  EXPECT_THAT(run.out, StartsWith("tables as dumped\n"));
  EXPECT_THAT(run.out, HasSubstr("1 of 2 pairs of end ports not joined, for example:\n"));
  const CommandRun json = run_weir({"fabric", "check", net_, "--tables", tables, "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_THAT(json.out, HasSubstr("\"tables\": \"dumped\""));
  EXPECT_THAT(json.out, HasSubstr("\"cut_pairs\": 1,\n      \"first_cut\": \"no route: switch 0x"));
}

TEST_F(FabricCheck, FindsACreditLoop) {
  const std::string ring = folder_.write("ring", ring_of_switches(5)).string();
  const CommandRun run = run_weir({"fabric", "check", ring, "--routing", "minhop"});
  EXPECT_EQ(run.exit_code, 1) << run.errors;
  EXPECT_THAT(run.out, HasSubstr("all 20 pairs of end ports joined\n"
                                 "  credit loop: packets can wait for each other for good along\n"
                                 "    ring"));
  const CommandRun json = run_weir({"fabric", "check", ring, "--routing", "minhop", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_THAT(json.out, HasSubstr("\"credit_loop\": [\n        {\n          \"from\": {\n"
                                  "            \"name\": \"ring"));
}

TEST_F(FabricCheck, RefusesWrongArguments) {
  EXPECT_THAT(refusal({"fabric", "check"}), HasSubstr("required"));
  EXPECT_THAT(refusal({"fabric", "check", net_, "--routing", "lash"}),
              HasSubstr("--routing \"lash\": expected ftree or minhop"));
  EXPECT_THAT(refusal({"fabric", "check", net_, "--tables", net_}), HasSubstr(net_));
  EXPECT_THAT(refusal({"fabric", "check", net_, "--fast"}), HasSubstr("--fast"));
  // A tree that is none: ftree says why, and OpenSM would refuse it, too.
  const std::string ring = folder_.write("ring", ring_of_switches(5)).string();
  EXPECT_THAT(refusal({"fabric", "check", ring}), HasSubstr("plane of switch 0x"));
  const std::string two_hcas =
      folder_
          .write("direct",
                 "caguid=0xc0\nCa\t1 \"H-00000000000000c0\"\t\t# \"n1 mlx5_0\"\n"
                 "[1](c1) \t\"H-00000000000000d0\"[1] (d1) \t\t# lid 1 lmc 0 \"n2 mlx5_0\" lid 2 "
                 "4xNDR\n")
          .string();
  EXPECT_THAT(refusal({"fabric", "check", two_hcas}), HasSubstr("there is no switch"));
}

}  // namespace
}  // namespace weir
