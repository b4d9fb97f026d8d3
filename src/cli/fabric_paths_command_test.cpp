// `weir fabric paths` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "os/files.hpp"
#include "support/command.hpp"
#include "support/fabric_text.hpp"
#include "support/folder.hpp"

namespace weir {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::refusal;
using testing::run_weir;
using ::testing::StartsWith;

// Four nodes on two rails: a leaf a rail and unit of two nodes, two spines.
class FabricPaths : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(
        run_weir({"fabric", "generate", "--nodes", "4", "--rails", "2", "--ports", "4", "-o", net_})
            .exit_code,
        0);
    ASSERT_EQ(run_weir({"fabric", "tables", net_, "-o", tables_}).exit_code, 0);
  }

  // The tables without the entries of that LID.
  std::string tables_without(const std::string& lid) const {
    std::string left;
    const std::string all = os::read_text(tables_, 1 << 20).value();
    for (const std::string_view line : split(all, '\n'))
      if (!line.starts_with(lid + " ")) left += std::string(line) + "\n";
    return folder_.write("less", left).string();
  }

  testing::TestFolder folder_;
  std::string net_ = (folder_.path() / "net").string();
  std::string tables_ = (folder_.path() / "lfts").string();
};

TEST_F(FabricPaths, PrintsTheCablesOfEveryRail) {
  const CommandRun run = run_weir({"fabric", "paths", net_, "node001", "node003"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.out, StartsWith("node001 to node003, ftree tables, computed\n"
                                  "  rail 0  3 switches\n"
                                  "    node001 mlx5_0[1] -> MF0;leaf-u1-r0:MQM9700/U1[1]\n"));
  EXPECT_THAT(run.out,
              HasSubstr("\n  rail 1  3 switches\n    node001 mlx5_1[1] -> MF0;leaf-u1-r1"));
  EXPECT_THAT(run_weir({"fabric", "paths", net_, "node001", "node002"}).out,
              HasSubstr("  rail 0  1 switch\n"));
}

TEST_F(FabricPaths, FollowsDumpedTables) {
  const CommandRun computed = run_weir({"fabric", "paths", net_, "node001", "node003"});
  const CommandRun dumped =
      run_weir({"fabric", "paths", net_, "node001", "node003", "--tables", tables_});
  EXPECT_EQ(dumped.exit_code, 0) << dumped.errors;
  EXPECT_THAT(dumped.out, StartsWith("node001 to node003, tables as dumped\n"));
  EXPECT_EQ(dumped.out.substr(dumped.out.find('\n')), computed.out.substr(computed.out.find('\n')));
}

TEST_F(FabricPaths, SaysWhereTheWayEnds) {
  // LIDs: 6 switches, then the HCAs, node by node.
  const std::string less = tables_without("0x000b");
  const CommandRun run =
      run_weir({"fabric", "paths", net_, "node001", "node003", "--tables", less});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.out, HasSubstr("  rail 0  no route: switch 0x0200574549800000"));
  EXPECT_THAT(run.out, HasSubstr("does not know LID 11 (\"node003 mlx5_0\")"));
  EXPECT_THAT(run.out, HasSubstr("  rail 1  3 switches\n"));
  const CommandRun json =
      run_weir({"fabric", "paths", net_, "node001", "node003", "--tables", less, "--json"});
  EXPECT_THAT(json.out, HasSubstr("\"tables\": \"dumped\""));
  EXPECT_THAT(json.out, HasSubstr("\"joined\": false,\n      \"why\": \"no route: switch 0x02"));
  EXPECT_THAT(json.out, HasSubstr("\"joined\": true,\n      \"cables\": ["));
}

TEST_F(FabricPaths, PrintsAPairAsJson) {
  const auto net = folder_.write("small", std::string(testing::kSmallIbnetdiscover)).string();
  const CommandRun run =
      run_weir({"fabric", "paths", net, "n1", "n2", "--routing", "minhop", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.out, R"({
  "from": "n1",
  "to": "n2",
  "tables": "minhop",
  "rails": [
    {
      "rail": 0,
      "joined": true,
      "cables": [
        {
          "from": {
            "name": "n1 mlx5_0",
            "guid": "0x00000000000000c0",
            "port": 1
          },
          "to": {
            "name": "leaf1",
            "guid": "0x00000000000000a1",
            "port": 1
          }
        },
        {
          "from": {
            "name": "leaf1",
            "guid": "0x00000000000000a1",
            "port": 2
          },
          "to": {
            "name": "n2 mlx5_0",
            "guid": "0x00000000000000d0",
            "port": 1
          }
        }
      ]
    }
  ]
}
)");
}

TEST_F(FabricPaths, CountsWhatARingPutsOnTheCables) {
  const CommandRun run =
      run_weir({"fabric", "paths", net_, "--ring", "node001, node002,node003,node004"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.out, StartsWith("Ring of 4 nodes, ftree tables, computed\n"
                                  "  rail  routes  over spines  busiest cable between switches\n"
                                  "     0       4            2  1 routes: MF0;leaf-u1-r0"));
  const CommandRun json =
      run_weir({"fabric", "paths", net_, "--ring", "node001,node003", "--json"});
  EXPECT_THAT(json.out, StartsWith("{\n"
                                   "  \"ring\": [\n    \"node001\",\n    \"node003\"\n  ],\n"
                                   "  \"tables\": \"ftree\",\n"
                                   "  \"rails\": [\n    {\n"
                                   "      \"rail\": 0,\n"
                                   "      \"routes\": 2,\n"
                                   "      \"over_spines\": 2,\n"
                                   "      \"busiest\": {\n"
                                   "        \"routes\": 1,\n"
                                   "        \"from\": {\n          \"name\": \"MF0;leaf-u1-r0"));
  // On one leaf no cable between switches is used.
  EXPECT_THAT(run_weir({"fabric", "paths", net_, "--ring", "node001,node002", "--json"}).out,
              Not(HasSubstr("busiest")));
}

TEST_F(FabricPaths, RefusesWrongArguments) {
  const auto says = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"fabric", "paths"});
    return refusal(words);
  };
  EXPECT_THAT(says({}), HasSubstr("required"));
  EXPECT_THAT(says({net_, "node001"}), HasSubstr("expected dumps of a fabric and two hosts"));
  EXPECT_THAT(says({net_, "node001", "node03"}),
              StartsWith("weir: no compute node is called \"node03\" (did you mean node003?)"));
  EXPECT_THAT(says({net_, "--ring", "node001"}), HasSubstr("a ring needs two hosts or more"));
  EXPECT_THAT(says({net_, "--ring", "node001,,node002"}),
              HasSubstr("no compute node is called \"\""));
  EXPECT_THAT(says({net_, "node001", "node002", "--routing", "updn"}),
              HasSubstr("--routing \"updn\": expected ftree or minhop"));
  EXPECT_THAT(says({net_, "node001", "node002", "--root", "spine1"}),
              HasSubstr("--root \"spine1\": expected a GUID"));
  EXPECT_THAT(says({net_, "node001", "node002", "--tables", net_}), HasSubstr(net_));
  EXPECT_THAT(says({tables_, "node001", "node002"}), HasSubstr(tables_));
  const std::string names =
      folder_.write("topology.conf", "SwitchName=s Nodes=node[001-002]\n").string();
  EXPECT_THAT(says({names, "node001", "node002"}), HasSubstr(names));
}

TEST_F(FabricPaths, NamesAFileThatIsNotThere) {
  const CommandRun run = run_weir({"fabric", "paths", net_ + "-not", "node001", "node002"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.errors, HasSubstr(net_ + "-not"));
}

// The tables were dumped before LIDs changed: the first switch sends its own LID to a port.
TEST_F(FabricPaths, RefusesTablesOfAnotherTime) {
  std::string text = os::read_text(tables_, 1 << 20).value();
  const std::size_t own = text.find("0x0001 000");
  ASSERT_NE(own, std::string::npos);
  text.replace(own, 10, "0x0001 003");
  const std::string old = folder_.write("old", text).string();
  EXPECT_THAT(refusal({"fabric", "paths", net_, "node001", "node003", "--tables", old}),
              HasSubstr("the tables and the cables are from different times"));
}

}  // namespace
}  // namespace weir
