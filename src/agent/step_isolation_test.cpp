// What a task cannot do to its node and to others.
#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "agent/test_steps.hpp"

namespace weir::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class IsolationTest : public KeeperTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can limit tasks";
    KeeperTest::SetUp();
  }
  void TearDown() override {
    if (!IsSkipped()) KeeperTest::TearDown();
  }
  [[nodiscard]] static bool has_v1(const char* controller) {
    return os::cgroup_version("/sys/fs/cgroup") == os::CgroupVersion::kV1 &&
           std::filesystem::exists(std::filesystem::path("/sys/fs/cgroup") / controller);
  }
};

TEST_F(IsolationTest, ATaskOpensNoDeviceThatIsClosedToIt) {
  if (!has_v1("devices")) GTEST_SKIP() << "no cgroup v1 with devices here";
  weir::testing::TestFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  const std::string ours = folder.path() / "gpu0";
  const std::string others = folder.path() / "gpu1";
  const mode_t before = ::umask(0);
  ASSERT_EQ(::mknod(ours.c_str(), S_IFCHR | 0666, makedev(1, 3)), 0);    // as /dev/null
  ASSERT_EQ(::mknod(others.c_str(), S_IFCHR | 0666, makedev(1, 5)), 0);  // as /dev/zero
  ::umask(before);
  StepSpec spec = shell("echo x > " + ours + " && echo ours; head -c 1 " + others);
  ASSERT_EQ(ends_of(spec)[0].code, 0) << "open to all as long as nothing is closed";
  spec.step = {JobId(2), 1};
  spec.devices = {ours};
  spec.closed = {ours, others, "/dev/no-such-device"};
  EXPECT_EQ(ends_of(spec)[0].code, 1);
  EXPECT_THAT(output(0, spec.step), HasSubstr("ours\n"));
  EXPECT_THAT(output(0, spec.step), HasSubstr("Operation not permitted"));
}

TEST_F(IsolationTest, MoreMemoryThanTheStepHasEndsItByName) {
  if (!has_v1("memory")) GTEST_SKIP() << "no cgroup v1 with memory here";
  StepSpec spec =
      spec_of({{"sh", "-c", "exec head -c 200m /dev/zero | tail"}, {"tail", "/dev/zero"}});
  spec.tasks.erase(spec.tasks.begin());
  spec.memory_mib = 32;
  const auto ends = ends_of(spec);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].cause, EndCause::kOutOfMemory);
  EXPECT_THAT(ends[0].detail, HasSubstr("32 MiB"));
}

TEST_F(IsolationTest, ATaskGetsTheCpuTimeOfItsStep) {
  if (!has_v1("cpu")) GTEST_SKIP() << "no cgroup v1 with cpu here";
  StepSpec spec = shell("cat /proc/self/cgroup");
  spec.cpu_milli = 500;
  ASSERT_EQ(ends_of(spec)[0].code, 0);
  EXPECT_THAT(output(), HasSubstr(":cpu:/weir/1.1-"));
}

TEST_F(IsolationTest, ATaskCannotSignalProcessesOfOthers) {
  StepSpec other = spec_of({{"sleep", "1000"}}, 2);
  const auto daemon = os::find_user("daemon");
  if (!daemon) GTEST_SKIP() << "no user daemon here";
  other.user = daemon->name;
  other.uid = daemon->uid;
  other.gid = daemon->gid;
  namespaces_ = false;  // where it sees them at all
  start(other);
  ASSERT_TRUE(until_phase(StepPhase::kRunning, other.step));
  pid_t victim = -1;
  for (const os::ProcessState& process : os::all_processes())
    if (process.parent == stepd_of(other.step)) victim = process.pid;
  ASSERT_NE(victim, -1);
  const StepSpec spec = shell("kill -9 " + std::to_string(victim));
  EXPECT_EQ(ends_of(spec)[0].code, 1);
  EXPECT_THAT(output(), HasSubstr("Operation not permitted"));
  EXPECT_EQ(report(other.step).phase, StepPhase::kRunning);
}

TEST_F(IsolationTest, ATaskSeesTheProcessesOfItsStepAlone) {
  const StepSpec spec = shell("ls /proc | grep -c '^[0-9]'; cat /proc/1/comm");
  ASSERT_EQ(ends_of(spec)[0].code, 0);
  EXPECT_THAT(output(), ::testing::MatchesRegex("[345]\nweir-stepd\n"));
}

}  // namespace
}  // namespace weir::agent
