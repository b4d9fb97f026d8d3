#include "agent/step_keeper.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>

#include "agent/test_steps.hpp"

namespace weir::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Everything holds with and without a PID namespace.
class StepKeeperTest : public KeeperTest, public ::testing::WithParamInterface<bool> {
 protected:
  StepKeeperTest() { namespaces_ = GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Isolation, StepKeeperTest, ::testing::Bool(),
                         [](const ::testing::TestParamInfo<bool>& run) {
                           return run.param ? "Namespace" : "Session";
                         });

TEST_P(StepKeeperTest, TellsExitStatusesAndSignalsOfAllTasks) {
  const auto ends = ends_of(spec_of({{"true"},
                                     {"sh", "-c", "exit 3"},
                                     {"sh", "-c", "kill -SEGV $$"},
                                     {"/bin/sh", "-c", "kill -9 $$"}}));
  ASSERT_EQ(ends.size(), 4U);
  EXPECT_EQ(ends[0], (TaskEnd{0, EndCause::kExited, 0, ""}));
  EXPECT_EQ(ends[1], (TaskEnd{1, EndCause::kExited, 3, ""}));
  EXPECT_EQ(ends[2].cause, EndCause::kSignalled);
  EXPECT_EQ(ends[2].code, SIGSEGV);
  EXPECT_EQ(ends[3], (TaskEnd{3, EndCause::kSignalled, SIGKILL, ""}));
  EXPECT_EQ(report().token, 42U);
}

TEST_P(StepKeeperTest, GivesATaskItsUserFolderUmaskAndEnvironment) {
  StepSpec spec = shell("id -u; id -g; pwd; umask; env; ulimit -l; cat; echo to error >&2");
  spec.umask = 027;
  spec.tasks[0].env.emplace_back("GREETING=two words");
  const auto ends = ends_of(spec);
  ASSERT_THAT(ends, ElementsAre(TaskEnd{0, EndCause::kExited, 0, ""}));
  const std::string text = output();
  EXPECT_THAT(text, StartsWith(std::to_string(user_.uid) + "\n" + std::to_string(user_.gid) +
                               "\n/\n0027\n"));
  EXPECT_THAT(text, HasSubstr("GREETING=two words\n"));
  EXPECT_THAT(text, HasSubstr("to error\n"));
  const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_MEMLOCK, &unlimited) == 0) {
    EXPECT_THAT(text, HasSubstr("unlimited\n"));
  }
}

TEST_P(StepKeeperTest, WritesFilesOfTheUserAsTheUser) {
  weir::testing::TestFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  StepSpec spec = shell("echo out; echo error >&2");
  spec.tasks[0].output = folder.path() / "out";
  spec.tasks[0].error = folder.path() / "error";
  ASSERT_EQ(ends_of(spec)[0].cause, EndCause::kExited);
  EXPECT_EQ(os::read_text(folder.path() / "out", 100), "out\n");
  EXPECT_EQ(os::read_text(folder.path() / "error", 100), "error\n");
  EXPECT_THAT(keeper_->read_output(spec.step, 0, 0, 10).error().message, HasSubstr("own file"));

  if (::geteuid() != 0) GTEST_SKIP() << "not root: nothing is forbidden to root's paths";
  // A link of the user to where only root may write helps nothing.
  std::filesystem::create_symlink("/etc/weir-test-forbidden", folder.path() / "link");
  spec.step = {JobId(2), 1};
  spec.tasks[0].output = folder.path() / "link";
  const auto ends = ends_of(spec);
  EXPECT_EQ(ends[0].cause, EndCause::kNotStarted);
  EXPECT_THAT(ends[0].detail, HasSubstr("cannot be opened: Permission denied"));
  EXPECT_FALSE(std::filesystem::exists("/etc/weir-test-forbidden"));
}

TEST_P(StepKeeperTest, KeepsTheLastOfALongOutput) {
  // Lines of eight bytes, from 1000000 on.
  const std::uint64_t lines = 3 * limits::kOutputPieceBytes / 8 + 100;
  const std::string last = std::to_string(1'000'000 + lines - 1);
  ASSERT_THAT(ends_of(spec_of({{"seq", "1000000", last}})),
              ElementsAre(TaskEnd{0, EndCause::kExited, 0, ""}));
  EXPECT_EQ(report().phase, StepPhase::kEnded);
  const auto front = keeper_->read_output({JobId(1), 1}, 0, 0, 16);
  ASSERT_TRUE(front);
  EXPECT_EQ(front->offset, 2 * limits::kOutputPieceBytes);
  EXPECT_EQ(front->bytes.size(), 16U);
  const auto back = keeper_->read_output({JobId(1), 1}, 0, lines * 8 - 8, 100);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->bytes, last + "\n");
  EXPECT_THAT(keeper_->read_output({JobId(1), 1}, 0, lines * 8, 100)->bytes, IsEmpty());
  std::uintmax_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of()))
    kept += entry.path().filename().string().starts_with("out.") ? entry.file_size() : 0;
  EXPECT_LE(kept, 2 * limits::kOutputPieceBytes);
}

TEST_P(StepKeeperTest, TasksOutliveTheAgent) {
  start(shell("echo begun; sleep 1000"));
  ASSERT_TRUE(until_output("begun"));
  keeper_.reset();
  open();
  EXPECT_TRUE(until_phase(StepPhase::kRunning));
  EXPECT_EQ(report().token, 42U);
  EXPECT_TRUE(keeper_->end({JobId(1), 1}, EndCause::kCancelled, true));
  EXPECT_TRUE(until_phase(StepPhase::kEnded));
}

TEST_P(StepKeeperTest, AnEndThatCameWhileTheAgentWasDeadIsTold) {
  start(shell("exit 7"));
  ASSERT_TRUE(until([&] { return stepd_of() != -1; }));
  keeper_.reset();
  open();
  EXPECT_TRUE(until_phase(StepPhase::kEnded));
  EXPECT_THAT(report().ends, ElementsAre(TaskEnd{0, EndCause::kExited, 7, ""}));
  keeper_.reset();
  open();
  EXPECT_TRUE(until_phase(StepPhase::kEnded));
  EXPECT_THAT(report().ends, ElementsAre(TaskEnd{0, EndCause::kExited, 7, ""}));
}

TEST_P(StepKeeperTest, TasksDieWithTheirStepdAndTheirEndIsUnknown) {
  // Without a namespace or a control group nothing holds what leaves the session.
  const std::string leave = ::geteuid() == 0 ? "setsid " : "";
  start(spec_of({{"true"}, {"sh", "-c", leave + "sleep 1000 & echo begun; wait"}}));
  ASSERT_TRUE(until_output("begun", 1));
  ASSERT_TRUE(until([&] { return report().ends.size() == 1; }));
  ASSERT_EQ(::kill(stepd_of(), SIGKILL), 0);
  EXPECT_TRUE(until_phase(StepPhase::kEnded));
  ASSERT_EQ(report().ends.size(), 2U);
  EXPECT_EQ(report().ends[0].cause, EndCause::kExited);
  EXPECT_EQ(report().ends[1].cause, EndCause::kUnknown);
  EXPECT_THAT(processes(), IsEmpty()) << "told only when nothing lives";
  const auto before = report();
  keeper_.reset();
  open();
  EXPECT_EQ(report(), before);
}

TEST_P(StepKeeperTest, TheSameStepStartsOnce) {
  const StepSpec spec = shell("echo begun");
  start(spec);
  start(spec);
  EXPECT_TRUE(until_phase(StepPhase::kEnded));
  start(spec);
  EXPECT_EQ(report().phase, StepPhase::kEnded);
  keeper_.reset();
  open();
  start(spec);
  EXPECT_TRUE(until_phase(StepPhase::kEnded));
  EXPECT_THAT(report().ends, ElementsAre(TaskEnd{0, EndCause::kExited, 0, ""}));
  EXPECT_EQ(output(), "begun\n");
  // Nor does a stepd that somebody starts by hand.
  const auto child = os::spawn({WEIR_STEPD, {folder_of().string()}});
  ASSERT_TRUE(child);
  ASSERT_TRUE(os::wait_readable(child->pidfd.get(), kPatience));
  EXPECT_EQ(os::reap(*child), (os::Exit{false, false, 1}));
  EXPECT_EQ(output(), "begun\n");
}

TEST_P(StepKeeperTest, AStepThatWasEndedBeforeItCameNeverStarts) {
  open();
  ASSERT_TRUE(keeper_->end({JobId(1), 1}, EndCause::kCancelled));
  EXPECT_EQ(keeper_->on_ready().size(), 1U);
  keeper_.reset();
  open();
  EXPECT_EQ(report().phase, StepPhase::kEnded);
  const auto ends = ends_of(shell("echo begun"));
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].cause, EndCause::kNotStarted);
  EXPECT_EQ(output(), "");
}

TEST_P(StepKeeperTest, AStepWhoseAgentDiedBeforeItStartedNeverStarts) {
  // As an agent leaves it that dies between writing the step and starting its stepd.
  ASSERT_TRUE(std::filesystem::create_directories(state_.path() / "steps"));
  ASSERT_TRUE(StepFolder(state_.path() / "steps", {JobId(1), 1}).create(shell("true")));
  open();
  EXPECT_EQ(report().phase, StepPhase::kEnded);
  ASSERT_EQ(report().ends.size(), 1U);
  EXPECT_EQ(report().ends[0].cause, EndCause::kNotStarted);
  const auto late = os::spawn({WEIR_STEPD, {folder_of().string()}});
  ASSERT_TRUE(late);
  ASSERT_TRUE(os::wait_readable(late->pidfd.get(), kPatience));
  EXPECT_EQ(os::reap(*late), (os::Exit{false, false, 1}));
  EXPECT_EQ(output(), "");
}

TEST_P(StepKeeperTest, ATimeLimitSignalsThenKills) {
  StepSpec spec = spec_of({{"sh", "-c", "trap 'echo warned; exit 5' TERM; sleep 1000 & wait"},
                           {"sh", "-c", "trap '' TERM; sleep 1000"}});
  spec.time_limit = Duration(50'000);
  spec.grace = Duration(200'000);
  const auto ends = ends_of(spec);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0], (TaskEnd{0, EndCause::kTimeLimit, 5, "exited with status 5"}));
  EXPECT_EQ(ends[1], (TaskEnd{1, EndCause::kTimeLimit, SIGKILL, "ended by signal 9"}));
  EXPECT_EQ(output(0), "warned\n");
}

TEST_P(StepKeeperTest, CancelGivesTheStepItsSignalAndGrace) {
  StepSpec spec = shell("trap 'exit 9' USR1; echo begun; while :; do sleep 0.01; done");
  spec.end_signal = SIGUSR1;
  spec.grace = kPatience;
  start(spec);
  ASSERT_TRUE(until_output("begun"));
  ASSERT_TRUE(keeper_->end(spec.step, EndCause::kCancelled));
  EXPECT_TRUE(until_phase(StepPhase::kEnded));
  EXPECT_THAT(report().ends,
              ElementsAre(TaskEnd{0, EndCause::kCancelled, 9, "exited with status 9"}));
}

TEST_P(StepKeeperTest, AStepOfACutOffNodeEndsAtTheDeadlineWhereItsRuleSaysSo) {
  StepSpec goes_on = spec_of({{"sleep", "1000"}}, 1);
  StepSpec ends = spec_of({{"sleep", "1000"}}, 2);
  ends.on_partition = OnPartition::kEnd;
  ends.grace = kPatience;
  start(goes_on);
  start(ends);
  ASSERT_TRUE(until_phase(StepPhase::kRunning, ends.step));
  keeper_->set_partition_deadline(kPatience * 10);
  keeper_->set_partition_deadline(std::nullopt);
  keeper_->set_partition_deadline(Duration(50'000));
  EXPECT_TRUE(until_phase(StepPhase::kEnded, ends.step));
  EXPECT_EQ(report(ends.step).ends[0].cause, EndCause::kLeaseEnded);
  EXPECT_EQ(report(goes_on.step).phase, StepPhase::kRunning);
  // One that starts later has the deadline from its beginning.
  ends.step = {JobId(3), 1};
  start(ends);
  keeper_.reset();
  open();
  EXPECT_TRUE(until_phase(StepPhase::kEnded, ends.step));
}

TEST_P(StepKeeperTest, SaysWhyATaskCannotStartAndRunsNone) {
  open();
  const auto refused = [&](StepSpec spec, std::uint64_t job, const std::string& why) {
    spec.step = {JobId(job), 1};
    spec.tasks.insert(spec.tasks.begin(), spec_of({{"sh", "-c", "echo begun"}}).tasks[0]);
    spec.tasks[1].rank = 1;
    const auto ends = ends_of(spec);
    ASSERT_EQ(ends.size(), 2U);
    // The other one may have failed, too, or was ended before it could.
    EXPECT_THAT(ends, ::testing::Each(::testing::Field(
                          &TaskEnd::cause,
                          ::testing::AnyOf(EndCause::kNotStarted, EndCause::kWithOthers))));
    EXPECT_THAT(ends, ::testing::Contains(
                          ::testing::AllOf(::testing::Field(&TaskEnd::cause, EndCause::kNotStarted),
                                           ::testing::Field(&TaskEnd::detail, HasSubstr(why)))));
    EXPECT_EQ(output(0, spec.step), "") << "the good task must not run either";
  };
  refused(spec_of({{"no-such-program"}}), 1, "no such program in its PATH");
  refused(spec_of({{"/no/such/program"}}), 2, "No such file or directory");
  refused(spec_of({{"/etc/passwd"}}), 3, "Permission denied");
  StepSpec spec = shell("true");
  spec.directory = "/no/such/folder";
  refused(spec, 4, "the working directory /no/such/folder cannot be entered");
  if (::geteuid() != 0) return;
  spec = shell("true");
  spec.user = "no-such-user";
  refused(spec, 5, "no user has the name");
  spec = shell("true");
  spec.uid += 1;
  refused(spec, 6, "make the nodes agree");
  spec = shell("true");
  spec.user = "root";
  spec.uid = 0;
  refused(spec, 7, "never runs as root");
}

TEST_P(StepKeeperTest, ManyTasksAllEnd) {
  std::vector<std::vector<std::string>> commands(300, {"sh", "-c", "echo hello"});
  const auto ends = ends_of(spec_of(commands));
  ASSERT_EQ(ends.size(), 300U);
  EXPECT_TRUE(std::ranges::all_of(
      ends, [](const TaskEnd& end) { return end.cause == EndCause::kExited && end.code == 0; }));
  EXPECT_EQ(output(299), "hello\n");
}

TEST_P(StepKeeperTest, WhatATaskLeavesBehindEndsWithItsStep) {
  const auto ends = ends_of(shell("setsid sleep 1000 & (setsid sleep 1000 &) ; nohup sleep 999 &"));
  EXPECT_THAT(ends, ElementsAre(TaskEnd{0, EndCause::kExited, 0, ""}));
  EXPECT_THAT(processes(), ::testing::SizeIs(::testing::Le(1U))) << "at most a stepd that leaves";
}

}  // namespace
}  // namespace weir::agent
