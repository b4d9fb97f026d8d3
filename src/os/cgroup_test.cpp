#include "os/cgroup.hpp"

#include <csignal>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "os/files.hpp"
#include "os/poller.hpp"
#include "os/process.hpp"
#include "support/folder.hpp"

namespace weir::os {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using weir::testing::TestFolder;

constexpr const char* kRoot = "/sys/fs/cgroup";

std::string text_of(const fs::path& path) { return read_text(path, 4096).value_or("(missing)"); }

// A tree that looks like a mounted cgroup v2.
class FakeTree {
 public:
  FakeTree() { static_cast<void>(folder_.write("cgroup.controllers", "cpu memory pids\n")); }
  [[nodiscard]] fs::path root() const { return folder_.path(); }
  [[nodiscard]] fs::path group() const { return folder_.path() / "weir" / "7.1"; }

 private:
  TestFolder folder_;
};

TEST(CgroupV2, GetsItsLimitsInOneFolder) {
  const FakeTree tree;
  EXPECT_EQ(cgroup_version(tree.root()), CgroupVersion::kV2);
  const auto group =
      StepGroup::create(tree.root(), "7.1", {std::uint64_t{64} << 20, 1500, {"/dev/null"}, true});
  ASSERT_TRUE(group) << group.error().message;
  EXPECT_EQ(text_of(tree.group() / "memory.max"), "67108864");
  EXPECT_EQ(text_of(tree.group() / "memory.swap.max"), "0");
  EXPECT_EQ(text_of(tree.group() / "cpu.max"), "150000 100000");
  EXPECT_THAT(group->not_enforced(), HasSubstr("device files are not closed"));
  EXPECT_THAT(text_of(tree.root() / "cgroup.subtree_control"), HasSubstr("+cpu"));
  EXPECT_THAT(text_of(tree.root() / "weir" / "cgroup.subtree_control"), HasSubstr("+cpu"));

  ASSERT_TRUE(group->join());
  EXPECT_EQ(text_of(tree.group() / "cgroup.procs"), "0");
  ASSERT_TRUE(write_file(tree.group() / "memory.events", "low 0\noom 2\noom_kill 3\n"));
  EXPECT_EQ(group->memory_kills(), 3U);
  ASSERT_TRUE(group->kill_all());
  EXPECT_EQ(text_of(tree.group() / "cgroup.kill"), "1");
}

TEST(CgroupV2, IsRemovedWhenNothingIsInIt) {
  const FakeTree tree;
  const auto group = StepGroup::create(tree.root(), "7.1", {});
  ASSERT_TRUE(group);
  EXPECT_TRUE(StepGroup::find(tree.root(), "7.1").exists());
  ASSERT_TRUE(group->remove());
  EXPECT_TRUE(group->remove()) << "idempotent";
  EXPECT_FALSE(StepGroup::find(tree.root(), "7.1").exists());
}

TEST(Cgroup, NoneIsMountedInAnEmptyFolder) {
  const TestFolder folder;
  EXPECT_EQ(cgroup_version(folder.path()), CgroupVersion::kNone);
  EXPECT_FALSE(StepGroup::create(folder.path(), "7.1", {1, 1, {}, true}));
  EXPECT_FALSE(StepGroup::find(folder.path(), "7.1").exists());
  EXPECT_TRUE(StepGroup::find(folder.path(), "7.1").kill_all());
}

TEST(Cgroup, GroupNamesTellFoldersOfTheSameNameApart) {
  const TestFolder one;
  const TestFolder other;
  ASSERT_TRUE(fs::create_directory(one.path() / "7.1"));
  ASSERT_TRUE(fs::create_directory(other.path() / "7.1"));
  EXPECT_THAT(*group_name(one.path() / "7.1"), ::testing::StartsWith("7.1-"));
  EXPECT_NE(*group_name(one.path() / "7.1"), *group_name(other.path() / "7.1"));
  EXPECT_FALSE(group_name(one.path() / "missing"));
}

TEST(CgroupV1, EndsEveryProcessInIt) {
  if (cgroup_version(kRoot) != CgroupVersion::kV1 || ::geteuid() != 0)
    GTEST_SKIP() << "needs root and cgroup v1";
  const std::string name = "test-" + std::to_string(::getpid());
  const auto group = StepGroup::create(kRoot, name, {std::uint64_t{64} << 20, 0, {}, true});
  ASSERT_TRUE(group) << group.error().message;
  const auto child =
      spawn({"/bin/sh",
             {"-c", "for c in freezer memory; do echo $$ > " + std::string(kRoot) + "/$c/weir/" +
                        name + "/cgroup.procs; done; sleep 1000 & setsid sleep 1000"}});
  ASSERT_TRUE(child);
  // Both grandchildren have come when the freezer holds three.
  const auto count = [&] {
    const std::string text = text_of(fs::path(kRoot) / "freezer" / "weir" / name / "cgroup.procs");
    return std::count(text.begin(), text.end(), '\n');
  };
  while (count() < 3) wait_readable(child->pidfd.get(), Duration(1'000));
  ASSERT_TRUE(StepGroup::find(kRoot, name).kill_all());
  EXPECT_EQ(count(), 0);
  ASSERT_TRUE(wait_readable(child->pidfd.get(), Duration(60'000'000)));
  EXPECT_EQ(reap(*child), (Exit{true, false, SIGKILL}));
  EXPECT_EQ(group->memory_kills(), 0U);
  EXPECT_TRUE(group->remove());
  EXPECT_FALSE(StepGroup::find(kRoot, name).exists());
}

}  // namespace
}  // namespace weir::os
