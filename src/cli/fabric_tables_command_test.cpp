// `weir fabric tables` as a user runs it. That the tables are OpenSM's: tests/peers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class FabricTables : public ::testing::Test {
 protected:
  testing::TestFolder folder_;
  std::string net_ = folder_.write("net", std::string(testing::kSmallIbnetdiscover)).string();
};

TEST_F(FabricTables, PrintsThemAsOpenSmDumpsThem) {
  const CommandRun run = run_weir({"fabric", "tables", net_, "--routing", "minhop"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.out,
            "Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf1'):\n"
            "0x0001 000 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
            "0x0002 010 # Switch portguid 0x00000000000000b1: 'spine {x}'\n"
            "0x0003 001 # Channel Adapter portguid 0x00000000000000c1: 'n1 mlx5_0'\n"
            "0x0004 002 # Channel Adapter portguid 0x00000000000000d1: 'n2 mlx5_0'\n"
            "4 lids dumped\n"
            "Unicast lids [0-4] of switch Lid 2 guid 0x00000000000000b1 ('spine {x}'):\n"
            "0x0001 001 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
            "0x0002 000 # Switch portguid 0x00000000000000b1: 'spine {x}'\n"
            "0x0003 001 # Channel Adapter portguid 0x00000000000000c1: 'n1 mlx5_0'\n"
            "0x0004 001 # Channel Adapter portguid 0x00000000000000d1: 'n2 mlx5_0'\n"
            "4 lids dumped\n");
  const std::string file = (folder_.path() / "lfts").string();
  const CommandRun written =
      run_weir({"fabric", "tables", net_, "--routing", "minhop", "-o", file});
  EXPECT_EQ(written.exit_code, 0) << written.errors;
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(os::read_text(file, 1 << 20).value(), run.out);
  EXPECT_EQ(run_weir({"fabric", "check", net_, "--tables", file}).exit_code, 0);
}

TEST_F(FabricTables, PrintsPortByLidAsJson) {
  const CommandRun run = run_weir({"fabric", "tables", net_, "--routing", "minhop", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.out,
            R"({"tables":"minhop","planes":[{"last_lid":4,"switches":[)"
            R"({"name":"leaf1","guid":"0x00000000000000a1","lid":1,"port_by_lid":[null,0,10,1,2]},)"
            R"({"name":"spine {x}","guid":"0x00000000000000b1","lid":2,)"
            R"("port_by_lid":[null,1,0,1,1]}]}]})"
            "\n");
}

TEST_F(FabricTables, GivesEachPlaneItsOwn) {
  const std::string site = (folder_.path() / "site").string();
  ASSERT_EQ(run_weir({"fabric", "generate", "--nodes", "4", "--rails", "2", "--planes", "2",
                      "--ports", "4", "-o", site})
                .exit_code,
            0);
  const CommandRun run =
      run_weir({"fabric", "tables", site + ".plane1", site + ".plane2", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  std::size_t planes = 0;
  for (std::size_t at = run.out.find("last_lid"); at != std::string::npos;
       at = run.out.find("last_lid", at + 1))
    ++planes;
  EXPECT_EQ(planes, 2U);
}

TEST_F(FabricTables, RefusesWrongArguments) {
  EXPECT_THAT(refusal({"fabric", "tables"}), HasSubstr("required"));
  EXPECT_THAT(refusal({"fabric", "tables", net_, "--routing", ""}),
              HasSubstr("expected ftree or minhop"));
  EXPECT_THAT(refusal({"fabric", "tables", net_, "--root", "0xzz"}),
              HasSubstr("--root \"0xzz\": expected a GUID"));
  // OpenSM's ftree refuses this one, too.
  EXPECT_THAT(refusal({"fabric", "tables", net_}), HasSubstr("HCAs on one switch only"));
  // It computes tables, it does not take them.
  EXPECT_THAT(refusal({"fabric", "tables", net_, "--tables", net_}), HasSubstr("--tables"));
  const std::string names = folder_.write("topology.conf", "SwitchName=s Nodes=a\n").string();
  EXPECT_THAT(refusal({"fabric", "tables", names}), HasSubstr(names));
}

}  // namespace
}  // namespace weir
