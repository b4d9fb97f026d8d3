// `weir fabric generate` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabric/reference_fabrics.hpp"
#include "os/files.hpp"
#include "support/command.hpp"
#include "support/folder.hpp"

namespace weir {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using testing::refusal;
using testing::run_weir;
using ::testing::StartsWith;

class FabricGenerate : public ::testing::Test {
 protected:
  std::string in_folder(const std::string& name) const { return (folder_.path() / name).string(); }

  testing::TestFolder folder_;
};

TEST_F(FabricGenerate, WritesAFileThatShowReads) {
  const std::string net = in_folder("net");
  const CommandRun made = run_weir({"fabric", "generate", "dgx-a100-20", "-o", net});
  EXPECT_EQ(made.exit_code, 0) << made.errors;
  EXPECT_THAT(made.out, StartsWith(net + ": "));
  EXPECT_THAT(made.out, HasSubstr(" switches, 160 HCAs, "));
  const CommandRun shown = run_weir({"fabric", "show", net});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_THAT(shown.out, HasSubstr("20 compute nodes"));
  EXPECT_THAT(shown.out, HasSubstr("complete"));
}

TEST_F(FabricGenerate, PrintsTheSameWithoutAFile) {
  const std::vector<std::string> words = {"fabric",  "generate", "--nodes",   "4",
                                          "--rails", "2",        "--ports",   "4",
                                          "--rate",  "4xHDR",    "--uplinks", "1"};
  std::vector<std::string> to_file = words;
  to_file.insert(to_file.end(), {"-o", in_folder("net")});
  EXPECT_EQ(run_weir(to_file).exit_code, 0);
  const CommandRun printed = run_weir(words);
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.out, os::read_text(in_folder("net"), 1 << 20).value());
  EXPECT_THAT(printed.out, HasSubstr("4xHDR"));
}

TEST_F(FabricGenerate, GivesEachPlaneAFile) {
  const CommandRun made =
      run_weir({"fabric", "generate", "--nodes", "8", "--planes", "2", "-o", in_folder("net.txt")});
  EXPECT_EQ(made.exit_code, 0) << made.errors;
  for (const char* name : {"net.plane1.txt", "net.plane2.txt"})
    EXPECT_THAT(made.out, HasSubstr(in_folder(name) + ": 6 switches, 32 HCAs"));
  const CommandRun shown =
      run_weir({"fabric", "show", in_folder("net.plane1.txt"), in_folder("net.plane2.txt")});
  EXPECT_THAT(shown.out, HasSubstr("8 compute nodes"));
  EXPECT_THAT(shown.out, HasSubstr("plane 2"));
}

TEST_F(FabricGenerate, ListsTheReferenceFabrics) {
  const CommandRun listed = run_weir({"fabric", "generate", "--list"});
  EXPECT_EQ(listed.exit_code, 0);
  for (const fabric::ReferenceFabric& row : fabric::reference_fabrics())
    EXPECT_THAT(listed.out, HasSubstr("\n" + std::string(row.name) + " "));
}

TEST_F(FabricGenerate, RefusesWhatItCannotMake) {
  const auto says = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"fabric", "generate"});
    return refusal(words);
  };
  EXPECT_THAT(says({}), HasSubstr("give the name of a reference fabric (--list) or --nodes"));
  EXPECT_THAT(says({"dgx-a100-20", "--nodes", "4"}), HasSubstr("one of them"));
  EXPECT_THAT(says({"dgx-h100-12"}),
              StartsWith("weir: no reference fabric is called \"dgx-h100-12\" (did you mean "
                         "dgx-h100-127?)"));
  EXPECT_THAT(says({"--nodes", "-4"}), HasSubstr("--nodes"));
  EXPECT_THAT(says({"--nodes", "many"}), HasSubstr("--nodes"));
  EXPECT_THAT(says({"--nodes", "4", "--rate", "fast"}), HasSubstr("--rate \"fast\": expected"));
  EXPECT_THAT(says({"--nodes", "4", "--rails", "0"}), HasSubstr("none may be zero"));
  EXPECT_THAT(says({"--nodes", "8", "--rails", "3", "--planes", "2"}),
              HasSubstr("rails divide evenly among planes"));
  EXPECT_THAT(says({"--nodes", "8", "--planes", "2"}),
              HasSubstr("several planes need several files: name them with -o FILE"));
  EXPECT_THAT(says({"--nodes", "16384"}), HasSubstr("unicast LIDs end at 49,151"));
  EXPECT_THAT(says({"--nodes", "4", "--speed", "9"}), HasSubstr("--speed"));
}

TEST_F(FabricGenerate, SaysWhereItCouldNotWrite) {
  const std::string file = folder_.write("file", "").string();
  const CommandRun made = run_weir({"fabric", "generate", "--nodes", "4", "-o", file + "/net"});
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_EQ(made.out, "");
  EXPECT_THAT(made.errors, StartsWith("weir: " + file));
}

}  // namespace
}  // namespace weir
