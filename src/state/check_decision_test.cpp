// State::check(): every way in which a decision of a journal can be impossible has its sentence.
#include <functional>

#include <gtest/gtest.h>

#include "state/state.hpp"
#include "support/site.hpp"

namespace weir::state {
namespace {

using testing::at_second;
using testing::even_site;
using testing::gang_job;

constexpr Instant kNow = at_second(50);

// Two fabrics of two units with two nodes each: n0 n1 | n2 n3 || n4 n5 | n6 n7.
class CheckDecision : public ::testing::Test {
 protected:
  CheckDecision() {
    for (const Event& event : testing::events_of(even_site(2, 1, 2, 2))) apply(event);
  }
  void apply(const Event& event) { EXPECT_TRUE(state_.apply(kNow, event)); }
  JobId submit(const Job& job) {
    apply(JobSubmitted{job});
    return state_.last_job();
  }
  // A lease as the planner would write it, without a look at whether it may be.
  [[nodiscard]] JobStarted start_of(JobId id, std::initializer_list<std::uint32_t> nodes) const {
    const Job& job = state_.find(id)->job;
    JobStarted started{id, {}};
    started.lease.start = kNow;
    started.lease.until = kNow + job.estimate;
    started.lease.exclusive = job.wish.exclusive;
    for (const std::uint32_t node : nodes) {
      const bool whole = started.lease.parts.size() < job.gang.nodes;
      const Capacity& asked = whole ? job.gang.per_node : job.gang.tail;
      started.lease.parts.push_back(
          {NodeId(node), (GpuMask{1} << asked.gpus) - 1, asked.cpu_milli, asked.memory_mib});
    }
    return started;
  }
  // Why the decision is impossible, without the words that all such errors begin with.
  [[nodiscard]] std::string why_not(const Decision& decision) const {
    const Status status = state_.check(decision);
    if (status) return "it is possible";
    EXPECT_EQ(status.error().code, Errc::kCorrupt);
    const std::string& message = status.error().message;
    EXPECT_TRUE(message.starts_with("the decision on job ")) << message;
    return message.substr(message.find(": ") + 2);
  }

  State state_;
};

TEST_F(CheckDecision, WhatAPlannerWouldDecideIsPossible) {
  const JobId job = submit(gang_job(2, 8));
  EXPECT_EQ(why_not(start_of(job, {0, 2})), "it is possible");
  EXPECT_EQ(why_not(StartPromised{job, kNow}), "it is possible");
  EXPECT_EQ(why_not(JobRefused{job, {}}), "it is possible");
}

TEST_F(CheckDecision, OnlyPendingJobsAreDecidedOn) {
  const JobId job = submit(gang_job(1, 8));
  const JobStarted start = start_of(job, {0});
  state_.apply(start);
  EXPECT_EQ(why_not(start), "it is not pending");
  EXPECT_EQ(why_not(JobRefused{job, {}}), "it is not pending");
  EXPECT_EQ(why_not(StartPromised{job, kNow}), "it is not pending");
  EXPECT_EQ(why_not(JobRefused{JobId(7), {}}), "it is not pending");
}

TEST_F(CheckDecision, AShareLiesOnOneGpuThatHasRoom) {
  Job job = gang_job(1, 0);
  job.gang.per_node = {0, 0, 0, 600};
  const JobId first = submit(job);
  const auto on = [&](JobId id, GpuMask gpus, std::uint32_t milli) {
    JobStarted started = start_of(id, {0});
    started.lease.parts.front().gpus = gpus;
    started.lease.parts.front().gpu_milli = milli;
    return started;
  };
  EXPECT_EQ(why_not(on(first, 0b11, 600)), "node n0 does not have free what it leases");
  EXPECT_EQ(why_not(on(first, 0b10, 500)), "part 0 is not what was asked");
  EXPECT_EQ(why_not(on(first, 0b10, 0)), "part 0 is not what was asked") << "all of the GPU";
  EXPECT_EQ(why_not(on(first, 0b10, 600)), "it is possible");
  state_.apply(on(first, 0b10, 600));
  const JobId second = submit(job);
  EXPECT_EQ(why_not(on(second, 0b10, 600)), "node n0 does not have free what it leases");
  EXPECT_EQ(why_not(on(second, 0b01, 600)), "it is possible");
  const JobId whole = submit(gang_job(1, 2));
  EXPECT_EQ(why_not(start_of(whole, {0})), "node n0 does not have free what it leases")
      << "GPU 1 is shared";
}

TEST_F(CheckDecision, TheLeaseGivesWhatTheGangAsks) {
  Job job = gang_job(2, 4);
  job.gang.per_node.cpu_milli = 3;
  job.gang.tail.gpus = 2;
  const JobId id = submit(job);
  EXPECT_EQ(why_not(start_of(id, {0, 1, 2})), "it is possible");
  EXPECT_EQ(why_not(start_of(id, {0, 1})), "its lease has 2 parts, the gang 3 nodes");
  EXPECT_EQ(why_not(start_of(id, {})), "its lease has 0 parts, the gang 3 nodes");
  const auto changed = [&](const std::function<void(Lease&)>& change) {
    JobStarted start = start_of(id, {0, 1, 2});
    change(start.lease);
    return why_not(start);
  };
  EXPECT_EQ(changed([](Lease& lease) { lease.parts[0].gpus = 0b111; }),
            "part 0 is not what was asked");
  EXPECT_EQ(changed([](Lease& lease) { lease.parts[1].cpu_milli = 4; }),
            "part 1 is not what was asked");
  EXPECT_EQ(changed([](Lease& lease) { lease.parts[1].memory_mib = 1; }),
            "part 1 is not what was asked");
  EXPECT_EQ(changed([](Lease& lease) { lease.parts[2].gpus = 0b1111; }),
            "part 2 is not what was asked");
  EXPECT_EQ(changed([](Lease& lease) { lease.parts[0].gpus = 0b11110000; }), "it is possible")
      << "which of the free GPUs is not the job's business";
  EXPECT_EQ(changed([](Lease& lease) { lease.until = lease.start + Duration(-1); }),
            "its lease ends before it starts");
}

TEST_F(CheckDecision, TheNodesExistDifferAndHaveItFree) {
  const JobId other = submit(gang_job(1, 4));
  state_.apply(start_of(other, {1}));
  const JobId job = submit(gang_job(2, 4));
  EXPECT_EQ(why_not(start_of(job, {0, 8})), "its lease names an unknown node");
  EXPECT_EQ(why_not(start_of(job, {0, 0})), "its lease names a node twice");
  EXPECT_EQ(why_not(start_of(job, {0, 1})), "node n1 does not have free what it leases");
  JobStarted start = start_of(job, {0, 1});
  start.lease.parts[1].gpus = 0b11110000;
  EXPECT_EQ(why_not(start), "it is possible");
  start.lease.parts[1].gpus = 0b111100000000;
  EXPECT_EQ(why_not(start), "node n1 does not have free what it leases") << "it has 8 GPUs";

  Job hungry = gang_job(1, 1);
  hungry.gang.per_node.cpu_milli = 65;
  EXPECT_EQ(why_not(start_of(submit(hungry), {0})), "node n0 does not have free what it leases");
}

TEST_F(CheckDecision, TheNodesAreOffered) {
  const JobId job = submit(gang_job(1, 8));
  apply(NodeAvailabilityChanged{NodeId(0), Availability::kDrained});
  apply(NodeAvailabilityChanged{NodeId(1), Availability::kDown});
  EXPECT_EQ(why_not(start_of(job, {0})), "node n0 is drained or down");
  EXPECT_EQ(why_not(start_of(job, {1})), "node n1 is drained or down");
  Job alone = gang_job(1, 8);
  alone.wish.exclusive = Level::kUnit;
  state_.apply(start_of(submit(alone), {2}));
  EXPECT_EQ(why_not(start_of(job, {3})), "node n3 is in a domain that a job has for itself");
}

TEST_F(CheckDecision, TheNodesMeetWhatTheJobRequires) {
  Node special = testing::node_in(0, 8);
  special.kind.gpu_model = "H100";
  special.kind.partitions = {"train"};
  special.kind.features = {"ib"};
  special.rails = 0b1;
  apply(NodeJoined{special});
  apply(NodeGraded{NodeId(1), Grade::kPoor});
  const auto on = [&](Requirement requirement, std::initializer_list<std::uint32_t> nodes) {
    Job job = gang_job(static_cast<std::uint32_t>(nodes.size()), 1);
    job.requirement = std::move(requirement);
    return why_not(start_of(submit(job), nodes));
  };
  EXPECT_EQ(on({"train", {"H100"}, {"ib"}, Grade::kGood, 0b1}, {8}), "it is possible");
  const std::string no = "node n0 does not meet what the job requires";
  EXPECT_EQ(on({"train", {}, {}, Grade::kGood, 0}, {0}), no);
  EXPECT_EQ(on({"", {"H100"}, {}, Grade::kGood, 0}, {0}), no);
  EXPECT_EQ(on({"", {}, {"ib"}, Grade::kGood, 0}, {0}), no);
  EXPECT_EQ(on({"", {}, {}, Grade::kGood, 0b1}, {8, 0}), no);
  EXPECT_EQ(on({"", {}, {}, Grade::kGood, 0b1}, {0}), "it is possible")
      << "a job on one node needs no rails";
  EXPECT_EQ(on({"", {}, {}, Grade::kWatch, 0}, {1}), "node n1 does not meet what the job requires");
}

TEST_F(CheckDecision, AnExclusiveDomainExistsAndIsIdle) {
  state_.apply(start_of(submit(gang_job(1, 1)), {1}));
  Job job = gang_job(1, 8);
  job.wish.exclusive = Level::kUnit;
  const JobId id = submit(job);
  EXPECT_EQ(why_not(start_of(id, {0})), "a domain that it wants for itself is in use");
  EXPECT_EQ(why_not(start_of(id, {2})), "it is possible");
  JobStarted start = start_of(id, {2});
  start.lease.exclusive = std::nullopt;
  EXPECT_EQ(why_not(start), "its lease and its wish disagree about exclusive domains");
  job.wish.exclusive = Level::kBlock;
  EXPECT_EQ(why_not(start_of(submit(job), {2})), "its exclusive level does not exist here");
  start = start_of(submit(gang_job(1, 8)), {2});
  start.lease.exclusive = Level::kUnit;
  EXPECT_EQ(why_not(start), "its lease and its wish disagree about exclusive domains");
}

TEST_F(CheckDecision, AGangStaysInOneFabric) {
  const JobId job = submit(gang_job(2, 8));
  EXPECT_EQ(why_not(start_of(job, {3, 4})), "its lease spans several fabrics");
  EXPECT_EQ(why_not(start_of(job, {6, 4})), "it is possible");
}

TEST_F(CheckDecision, AGangStaysInTheDomainItRequires) {
  Job job = gang_job(2, 8);
  job.wish.require = Level::kUnit;
  const JobId id = submit(job);
  EXPECT_EQ(why_not(start_of(id, {0, 1})), "it is possible");
  EXPECT_EQ(why_not(start_of(id, {1, 2})), "its lease leaves the one unit that it requires");
  job.wish.require = Level::kBlock;
  EXPECT_EQ(why_not(start_of(submit(job), {0, 1})),
            "its lease leaves the one block that it requires");
}

TEST_F(CheckDecision, SegmentsStayInTheirDomains) {
  Job job = gang_job(4, 8);
  job.wish.segment_nodes = 2;
  const JobId id = submit(job);
  EXPECT_EQ(why_not(start_of(id, {0, 1, 2, 3})), "it is possible");
  EXPECT_EQ(why_not(start_of(id, {0, 2, 1, 3})), "a segment of its lease leaves its unit");
  job.wish.segment_level = Level::kBlock;
  EXPECT_EQ(why_not(start_of(submit(job), {0, 1, 2, 3})),
            "a segment of its lease leaves its block");
}

}  // namespace
}  // namespace weir::state
