// For tests: a state with nodes and live jobs, started where the test says, without a planner.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "state/state.hpp"
#include "support/site.hpp"

namespace weir::testing {

inline Work plain_work() {
  Work work;
  work.program.argv = {"train"};
  work.program.directory = "/data/run";
  work.program.user = "ada";
  work.program.uid = 1000;
  work.program.gid = 100;
  return work;
}

// Its nodes have 64 CPUs and 512 GiB.
class LiveState {
 public:
  explicit LiveState(Site site) {
    for (Node& node : site.nodes) node.kind.total = {8, 64'000, 512 * 1024, 0};
    for (const Event& event : events_of(site)) apply(event);
    apply(ControllerStarted{seconds_long(60), seconds_long(10)});
  }

  void apply(const Event& event) {
    now += 1;
    const Status status = state.apply(at_second(now), event);
    EXPECT_TRUE(status) << (status ? "" : status.error().message);
  }
  JobId submit(const Job& job, Work work = plain_work()) {
    apply(WorkSubmitted{job, std::make_shared<const Work>(std::move(work))});
    return state.last_job();
  }
  // Whole nodes of `gpus`, in this order.
  void start(JobId job, const std::vector<std::uint32_t>& nodes, GpuMask gpus,
             std::uint32_t cpu_milli = 0, std::uint32_t memory_mib = 0) {
    Lease lease;
    for (const std::uint32_t node : nodes)
      lease.parts.push_back({NodeId(node), gpus, cpu_milli, memory_mib, 0});
    lease.start = at_second(now);
    lease.until = at_second(now + 3600);
    state.apply(Decision(JobStarted{job, lease}));
  }

  state::State state;
  std::int64_t now = 0;
};

}  // namespace weir::testing
