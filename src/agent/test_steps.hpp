// KeeperTest: a keeper with real stepds and tasks in a folder of its own, and the proof at the end
// of each test that nothing is left.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/step_keeper.hpp"
#include "os/best_effort.hpp"
#include "os/boot_clock.hpp"
#include "os/cgroup.hpp"
#include "os/files.hpp"
#include "os/poller.hpp"
#include "os/process.hpp"
#include "os/user.hpp"
#include "support/folder.hpp"

namespace weir::agent {

inline constexpr Duration kPatience{60'000'000};

class KeeperTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      user_.uid = ::geteuid();
      user_.gid = ::getegid();
      return;
    }
    const auto nobody = os::find_user("nobody");
    ASSERT_TRUE(nobody) << nobody.error().message;
    user_ = *nobody;
  }

  void TearDown() override {
    if (!keeper_) open();
    for (const StepReport& report : keeper_->reports())
      os::best_effort(keeper_->end(report.step, EndCause::kCancelled, true));
    EXPECT_TRUE(until([&] {
      return std::ranges::all_of(keeper_->reports(), [](const StepReport& report) {
        return report.phase == StepPhase::kEnded;
      });
    })) << "a step does not end";
    std::vector<std::string> groups;
    for (const StepReport& report : keeper_->reports()) {
      const auto name = os::group_name(folder_of(report.step));
      if (name) groups.push_back(*name);
      EXPECT_FALSE(std::filesystem::exists(folder_of(report.step) / "socket"));
      EXPECT_TRUE(keeper_->forget(report.step));
    }
    EXPECT_TRUE(std::filesystem::is_empty(state_.path() / "steps"));
    for (const std::string& name : groups)
      EXPECT_FALSE(os::StepGroup::find("/sys/fs/cgroup", name).exists()) << name;
    // A stepd that has told the end of its step is on its way out.
    for (const pid_t pid : processes())
      if (const auto process = os::open_process(pid)) {
        EXPECT_TRUE(os::wait_readable(process->get(), kPatience)) << "process " << pid;
      }
    EXPECT_THAT(processes(), ::testing::IsEmpty());
  }

  void open() {
    auto keeper = StepKeeper::open({state_.path(), WEIR_STEPD, "/sys/fs/cgroup", namespaces_});
    ASSERT_TRUE(keeper) << keeper.error().message;
    keeper_ = *std::move(keeper);
  }

  StepSpec spec_of(std::vector<std::vector<std::string>> commands, std::uint64_t job = 1) {
    StepSpec spec;
    spec.step = {JobId(job), 1};
    spec.token = 42;
    spec.user = user_.name;
    spec.uid = user_.uid;
    spec.gid = user_.gid;
    spec.directory = "/";
    for (std::vector<std::string>& command : commands) {
      TaskSpec task;
      task.rank = static_cast<std::uint32_t>(spec.tasks.size());
      task.argv = std::move(command);
      task.env = {"PATH=/usr/bin:/bin", "WEIR_TEST_MARK=" + state_.path().string()};
      spec.tasks.push_back(std::move(task));
    }
    return spec;
  }
  StepSpec shell(const std::string& script) { return spec_of({{"sh", "-c", script}}); }

  void start(const StepSpec& spec) {
    if (!keeper_) open();
    const auto report = keeper_->start(spec);
    ASSERT_TRUE(report) << report.error().message;
  }

  // Runs the keeper until it is so; false when that never comes.
  bool until(const std::function<bool()>& condition) {
    const Duration end = os::since_boot() + kPatience;
    while (!condition()) {
      const Duration left = end - os::since_boot();
      if (left <= Duration(0)) return false;
      // What is awaited may be told by no descriptor of the keeper, as what a task has written.
      os::wait_readable(keeper_->fd(), std::min(left, Duration(5'000)));
      keeper_->on_ready();
    }
    return true;
  }

  StepReport report(StepId step = {JobId(1), 1}) {
    for (const StepReport& report : keeper_->reports())
      if (report.step == step) return report;
    ADD_FAILURE() << "no such step";
    return {};
  }
  bool until_phase(StepPhase phase, StepId step = {JobId(1), 1}) {
    return until([&] { return keeper_->settled() && report(step).phase == phase; });
  }
  // Runs a step to its end.
  std::vector<TaskEnd> ends_of(const StepSpec& spec) {
    start(spec);
    EXPECT_TRUE(until_phase(StepPhase::kEnded, spec.step));
    return report(spec.step).ends;
  }

  std::string output(std::uint32_t rank = 0, StepId step = {JobId(1), 1}) {
    const auto output = keeper_->read_output(step, rank, 0, std::size_t{1} << 20);
    EXPECT_TRUE(output) << output.error().message;
    return output ? output->bytes : "";
  }
  bool until_output(const std::string& text, std::uint32_t rank = 0) {
    return until([&] { return output(rank).find(text) != std::string::npos; });
  }

  [[nodiscard]] std::filesystem::path folder_of(StepId step = {JobId(1), 1}) const {
    return state_.path() / "steps" /
           (std::to_string(step.job.value()) + "." + std::to_string(step.attempt));
  }

  // Processes of our steps: stepds by their arguments, tasks by their environment.
  [[nodiscard]] std::vector<pid_t> processes() const {
    std::vector<pid_t> ours;
    for (const os::ProcessState& process : os::all_processes()) {
      const std::string folder = "/proc/" + std::to_string(process.pid);
      if (process.ended) continue;
      for (const char* file : {"/cmdline", "/environ"}) {
        const auto bytes = os::read_file(folder + file, std::size_t{1} << 20);
        if (!bytes) continue;
        const std::string text(bytes->begin(), bytes->end());
        if (text.find(state_.path().string()) == std::string::npos) continue;
        ours.push_back(process.pid);
        break;
      }
    }
    return ours;
  }
  // The stepd proper of a step that has started.
  [[nodiscard]] pid_t stepd_of(StepId step = {JobId(1), 1}) const {
    const auto history = StepFolder(state_.path() / "steps", step).history();
    return history.started ? static_cast<pid_t>(history.started->stepd.pid) : -1;
  }

  weir::testing::TestFolder state_;
  os::User user_;
  bool namespaces_ = true;
  std::unique_ptr<StepKeeper> keeper_;
};

}  // namespace weir::agent
