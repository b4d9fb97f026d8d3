// For tests of the planner: a state with a planner beside it, told of every event as the core does.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sched/planner.hpp"
#include "state/state.hpp"
#include "support/site.hpp"

namespace weir::sched::testing {

using weir::testing::at_second;
using weir::testing::even_site;
using weir::testing::gang_job;
using weir::testing::seconds_long;
using weir::testing::units_of;

inline Settings easy() {
  Settings settings;
  settings.backfill = Backfill::kEasy;
  return settings;
}

class Desk {
 public:
  explicit Desk(const weir::testing::Site& site, const Settings& settings = {})
      : planner(*Planner::make(settings)) {
    for (const Event& event : weir::testing::events_of(site)) tell(event);
  }

  void tell(const Event& event, std::int64_t second = 0) {
    if (const auto* cancelled = std::get_if<JobCancelled>(&event))
      if (const auto* job = state.find(cancelled->job);
          job != nullptr && job->phase == state::JobPhase::kPending)
        planner.forget(*job);
    EXPECT_TRUE(state.apply(at_second(second), event));
    if (std::holds_alternative<JobSubmitted>(event)) {
      planner.submitted(*state.find(state.last_job()));
    } else {
      planner.capacity_freed();
    }
  }
  JobId submit(const Job& job, std::int64_t second = 0) {
    tell(JobSubmitted{job}, second);
    return state.last_job();
  }
  // Plans and applies; the ids of the jobs that start, in order.
  std::vector<std::uint64_t> plan(std::int64_t second) {
    decisions = planner.plan(state, at_second(second), ++turn_);
    EXPECT_TRUE(state.pool().audit());
    std::vector<std::uint64_t> started;
    for (const Decision& decision : decisions) {
      EXPECT_TRUE(state.check(decision));
      state.apply(decision);
      if (const auto* start = std::get_if<JobStarted>(&decision))
        started.push_back(start->job.value());
    }
    return started;
  }
  std::vector<std::uint64_t> end(JobId job, std::int64_t second) {
    tell(JobEnded{job}, second);
    return plan(second);
  }
  [[nodiscard]] Instant promise(JobId job) const { return state.find(job)->promised; }
  [[nodiscard]] std::string why(JobId job) const { return sentence(planner.explain(state, job)); }
  // The refusals of the last plan.
  [[nodiscard]] std::map<std::uint64_t, std::string> refused() const {
    std::map<std::uint64_t, std::string> found;
    for (const Decision& decision : decisions)
      if (const auto* refused = std::get_if<JobRefused>(&decision))
        found[refused->job.value()] = sentence(refused->reason);
    return found;
  }

  state::State state;
  Planner planner;
  std::vector<Decision> decisions;

 private:
  std::uint64_t turn_ = 0;
};

using Jobs = std::vector<std::uint64_t>;

}  // namespace weir::sched::testing
