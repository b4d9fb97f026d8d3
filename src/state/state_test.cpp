#include "state/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/site.hpp"

namespace weir::state {
namespace {

using testing::at_second;
using testing::even_site;
using testing::gang_job;
using ::testing::HasSubstr;
using testing::node_in;

constexpr Instant kNow = at_second(50);

std::vector<std::uint8_t> bytes_of(const State& state) {
  ByteWriter out;
  state.encode(out);
  return {out.bytes().begin(), out.bytes().end()};
}

class StateTest : public ::testing::Test {
 protected:
  StateTest() {
    for (const Event& event : testing::events_of(even_site(1, 1, 2, 2)))
      EXPECT_TRUE(state_.apply(kNow, event));
  }
  JobId submit(const Job& job) {
    EXPECT_TRUE(state_.apply(kNow, JobSubmitted{job}));
    return state_.last_job();
  }
  Lease start(JobId job, std::initializer_list<std::uint32_t> nodes) {
    const Gang& gang = state_.find(job)->job.gang;
    Lease lease;
    lease.start = kNow;
    lease.until = kNow + state_.find(job)->job.estimate;
    for (const std::uint32_t node : nodes)
      lease.parts.push_back(state_.pool().part_on(NodeId(node), gang.per_node));
    state_.apply(JobStarted{job, lease});
    return lease;
  }
  // The message of an event that must leave the state as it was.
  std::string refused(const Event& event) {
    const auto before = bytes_of(state_);
    const Status status = state_.apply(kNow, event);
    EXPECT_EQ(bytes_of(state_), before);
    EXPECT_TRUE(state_.pool().audit());
    return status ? "no error" : status.error().message;
  }

  State state_;
};

TEST_F(StateTest, JobsAreNumberedFromOneInTheOrderOfSubmission) {
  EXPECT_EQ(state_.last_job(), JobId(0));
  EXPECT_EQ(submit(gang_job(1, 1)), JobId(1));
  EXPECT_EQ(submit(gang_job(1, 1)), JobId(2));
  const JobRecord* record = state_.find(JobId(2));
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->id, JobId(2));
  EXPECT_EQ(record->phase, JobPhase::kPending);
  EXPECT_EQ(record->submitted, kNow);
  EXPECT_EQ(record->promised, Instant::far_future());
  EXPECT_EQ(state_.jobs(), (std::vector<JobId>{JobId(1), JobId(2)}));
  EXPECT_EQ(state_.find(JobId(3)), nullptr);
}

TEST_F(StateTest, JobsOfOneShapeShareIt) {
  const JobId first = submit(gang_job(2, 8));
  const JobId second = submit(gang_job(2, 8));
  const JobId third = submit(gang_job(3, 8));
  EXPECT_EQ(state_.find(first)->shape, state_.find(second)->shape);
  EXPECT_NE(state_.find(first)->shape, state_.find(third)->shape);
}

TEST_F(StateTest, AStartGrantsTheLeaseAndAnEndGivesItBack) {
  const auto idle = state_.pool().ledger();
  const JobId job = submit(gang_job(2, 8));
  state_.apply(StartPromised{job, at_second(60)});
  const Lease lease = start(job, {0, 1});
  EXPECT_EQ(state_.find(job)->phase, JobPhase::kRunning);
  EXPECT_EQ(state_.find(job)->lease, lease);
  EXPECT_EQ(state_.find(job)->promised, Instant::far_future()) << "a promise ends with the start";
  EXPECT_EQ(state_.pool().ledger().leased_milli, 16000U);
  ASSERT_TRUE(state_.apply(at_second(70), JobEnded{job}));
  EXPECT_EQ(state_.find(job), nullptr);
  EXPECT_EQ(state_.pool().ledger(), idle);
  EXPECT_EQ(state_.totals(), (Totals{1, 1, 1, 0, 0}));
}

TEST_F(StateTest, ACancelledJobLeavesWhetherItWaitsOrRuns) {
  const JobId waits = submit(gang_job(1, 8));
  const JobId runs = submit(gang_job(1, 8));
  start(runs, {0});
  ASSERT_TRUE(state_.apply(kNow, JobCancelled{waits}));
  ASSERT_TRUE(state_.apply(kNow, JobCancelled{runs}));
  EXPECT_TRUE(state_.jobs().empty());
  EXPECT_EQ(state_.pool().ledger().leased_milli, 0U);
  EXPECT_EQ(state_.totals(), (Totals{2, 1, 0, 2, 0}));
}

TEST_F(StateTest, ARefusedJobLeaves) {
  const JobId job = submit(gang_job(9, 8));
  state_.apply(JobRefused{job, {ReasonCode::kNodeCount, Level::kFabric, 9, 4, {}}});
  EXPECT_EQ(state_.find(job), nullptr);
  EXPECT_EQ(state_.totals().refused, 1U);
}

TEST_F(StateTest, KeepsTheLastPromise) {
  const JobId job = submit(gang_job(1, 8));
  state_.apply(StartPromised{job, at_second(99)});
  state_.apply(StartPromised{job, at_second(88)});
  EXPECT_EQ(state_.find(job)->promised, at_second(88));
}

TEST_F(StateTest, NodesAreGradedDrainedAndBroughtBack) {
  ASSERT_TRUE(state_.apply(kNow, NodeGraded{NodeId(1), Grade::kPoor}));
  ASSERT_TRUE(state_.apply(kNow, NodeAvailabilityChanged{NodeId(2), Availability::kDown}));
  const auto& classes = state_.pool().classes();
  EXPECT_EQ(classes.node_class(state_.pool().node(NodeId(1)).node_class).grade, Grade::kPoor);
  EXPECT_EQ(state_.pool().node(NodeId(2)).availability, Availability::kDown);
}

TEST_F(StateTest, RefusesEventsThatCannotBeAndStaysAsItWas) {
  const JobId waits = submit(gang_job(1, 8));
  EXPECT_EQ(refused(LocalityLearned{flat_locality()}),
            "the locality tree must be known before the first node joins");
  EXPECT_EQ(refused(NodeJoined{node_in(0, 3)}), "node n3: a node of this name has joined already");
  EXPECT_THAT(refused(NodeJoined{node_in(2, 4)}), HasSubstr("unit 2, which the locality tree"));
  EXPECT_EQ(refused(NodeGraded{NodeId(4), Grade::kBad}),
            "node 4 has not joined; the pool has 4 nodes");
  EXPECT_EQ(refused(NodeAvailabilityChanged{NodeId::none(), Availability::kDown}),
            "node 4294967295 has not joined; the pool has 4 nodes");
  EXPECT_EQ(refused(JobSubmitted{gang_job(0, 8)}), "nodes = 0: expected 1 to 32768");
  EXPECT_EQ(refused(JobEnded{JobId(9)}), "job 9 has ended, but it was not running");
  EXPECT_EQ(refused(JobEnded{waits}), "job 1 has ended, but it was not running");
  EXPECT_EQ(refused(JobCancelled{JobId(0)}),
            "job 0 cannot be cancelled: it is not pending or running");
}

TEST_F(StateTest, EqualHistoriesGiveEqualBytesAndOthersDoNot) {
  State twin;
  for (const Event& event : testing::events_of(even_site(1, 1, 2, 2)))
    ASSERT_TRUE(twin.apply(kNow, event));
  EXPECT_EQ(bytes_of(twin), bytes_of(state_));
  for (State* state : {&state_, &twin})
    for (std::uint32_t i = 0; i < 20; ++i)
      ASSERT_TRUE(state->apply(kNow, JobSubmitted{gang_job(1, 1 + i % 8)}));
  EXPECT_EQ(bytes_of(twin), bytes_of(state_));
  start(JobId(3), {1});
  EXPECT_NE(bytes_of(twin), bytes_of(state_));
}

TEST_F(StateTest, EveryFactOfAJobIsInTheBytes) {
  const JobId job = submit(gang_job(1, 8));
  const auto pending = bytes_of(state_);
  state_.apply(StartPromised{job, at_second(77)});
  const auto promised = bytes_of(state_);
  EXPECT_NE(promised, pending);
  start(job, {0});
  EXPECT_NE(bytes_of(state_), promised);
}

// The bytes of an empty state, written out: whoever changes them must raise the version of the
// format.
TEST(StateEncode, TheBytesOfAnEmptyStateAreThese) {
  std::string bytes;
  for (const std::uint8_t byte : bytes_of(State{}))
    bytes += byte < 0x20 ? fmt::format("<{}>", byte) : std::string(1, static_cast<char>(byte));
  EXPECT_EQ(bytes,
            "<12>weir state 3"                      // what it is
            "<4>"                                   // levels
            "<1><1><0><4>unit"                      // one unit, in pod 0
            "<2><1><0><3>pod"                       // one pod, in fabric 0
            "<3><1><0><6>fabric"                    // one fabric, in site 0
            "<4><1>\xff\xff\xff\xff<15><4>site<0>"  // one site without a parent; nothing known
            "<0>"                                   // nodes
            "<1>"                                   // the next job
            "<0><0><0><0><0>"                       // totals
            "<0>"                                   // jobs
            "<0><0><0><0>"                          // epoch, tokens, deadline, margin
            "<0><0><0>");                           // works, agents, outcomes
}

}  // namespace
}  // namespace weir::state
