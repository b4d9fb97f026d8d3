// SIGKILL for agents and stepds at any moment: a step starts at most once, every end is told, and
// nothing is left. A seed that fails is named, and WEIR_KILL_SEEDS=FROM..TO runs it again.
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <sys/stat.h>

#include "agent/test_steps.hpp"
#include "base/rng.hpp"
#include "base/text.hpp"

namespace weir::agent {
namespace {

class KillsTest : public KeeperTest {
 protected:
  // Steps that leave a line for each start in a file, some short, some that must be ended.
  StepSpec random_spec(Rng& rng, std::uint64_t job) {
    StepSpec spec;
    std::vector<std::vector<std::string>> commands;
    const std::uint64_t tasks = 1 + rng.below(3);
    for (std::uint64_t rank = 0; rank < tasks; ++rank) {
      const std::string mark = "echo " + std::to_string(rank) + " >> " + marks(job) + "; ";
      commands.push_back({"sh", "-c", mark + (rng.below(4) == 0 ? "sleep 1000 & wait" : "exit 0")});
    }
    spec = spec_of(std::move(commands), job);
    if (rng.below(3) == 0) spec.time_limit = Duration(20'000);
    return spec;
  }
  [[nodiscard]] std::string marks(std::uint64_t job) const {
    return marks_.path() / std::to_string(job);
  }
  [[nodiscard]] std::multiset<std::string> starts(std::uint64_t job) const {
    std::ifstream file(marks(job));
    std::multiset<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.insert(line);
    return lines;
  }

  void run_seed(std::uint64_t seed) {
    Rng rng(seed);
    namespaces_ = rng.below(4) != 0;
    keeper_.reset();
    open();
    const std::uint64_t first = seed * 100 + 1;
    std::map<std::uint64_t, StepSpec> specs;
    for (std::uint64_t turn = 0; turn < 12; ++turn) {
      const std::uint64_t job = first + rng.below(5);
      const auto [spec, is_new] = specs.try_emplace(job, random_spec(rng, job));
      start(spec->second);  // a second time is a duplicate, which must change nothing
      if (rng.below(3) == 0) os::best_effort(keeper_->end(spec->second.step, EndCause::kCancelled));
      // Let some events happen, by number and not by time.
      for (std::uint64_t events = rng.below(6); events > 0; --events) {
        os::wait_readable(keeper_->fd(), Duration(2'000));
        keeper_->on_ready();
      }
      if (rng.below(4) == 0) kill_a_stepd(rng);
      if (rng.below(3) == 0) {
        keeper_.reset();
        open();
      }
    }
    check(specs);
  }

  void kill_a_stepd(Rng& rng) {
    std::vector<pid_t> stepds;
    for (const pid_t pid : processes()) {
      const auto name = os::read_file("/proc/" + std::to_string(pid) + "/comm", 64);
      if (name && std::string(name->begin(), name->end()).starts_with("weir-stepd"))
        stepds.push_back(pid);
    }
    if (!stepds.empty()) ::kill(stepds[rng.below(stepds.size())], SIGKILL);
  }

  void check(const std::map<std::uint64_t, StepSpec>& specs) {
    for (const auto& [job, spec] : specs)
      ASSERT_TRUE(keeper_->end(spec.step, EndCause::kCancelled, true));
    for (const auto& [job, spec] : specs) {
      ASSERT_TRUE(until_phase(StepPhase::kEnded, spec.step)) << "job " << job;
      const StepReport ended = report(spec.step);
      ASSERT_EQ(ended.ends.size(), spec.tasks.size()) << "job " << job;
      const std::multiset<std::string> started = starts(job);
      for (const TaskEnd& end : ended.ends) {
        const std::size_t times = started.count(std::to_string(end.rank));
        EXPECT_LE(times, 1U) << "job " << job << " rank " << end.rank << " started twice";
        if (end.cause == EndCause::kNotStarted) {
          EXPECT_EQ(times, 0U) << "job " << job << ": " << end.detail;
        }
        if (end.cause == EndCause::kExited && end.code == 0) {
          EXPECT_EQ(times, 1U) << "job " << job << " rank " << end.rank;
        }
      }
      EXPECT_TRUE(keeper_->forget(spec.step));
    }
  }

  weir::testing::TestFolder marks_;
};

TEST_F(KillsTest, AtAnyMomentLeaveEveryStepStartedOnceAtMostAndItsEndTold) {
  ASSERT_EQ(::chmod(marks_.path().c_str(), 0777), 0);
  std::uint64_t from = 1;
  std::uint64_t to = 20;
  if (const char* seeds = std::getenv("WEIR_KILL_SEEDS")) {
    const auto words = split(seeds, '.');
    from = parse_unsigned(words.front()).value_or(1);
    to = parse_unsigned(words.back()).value_or(from);
  }
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run_seed(seed);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace weir::agent
