#include "core/replay.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/test_journal.hpp"

namespace weir::core {
namespace {

using testing::at_second;
using testing::Bytes;
using ::testing::HasSubstr;
using testing::Recorder;
using testing::state_bytes;

std::vector<sched::Settings> all_settings() {
  std::vector<sched::Settings> all;
  for (const auto& order : sched::orders())
    for (const auto& placer : sched::placers())
      for (const auto backfill : {sched::Backfill::kNone, sched::Backfill::kEasy})
        all.push_back({std::string(order.name),
                       std::string(placer.name),
                       backfill,
                       {},
                       all.size(),
                       {},
                       all.size() % 2 == 0});
  return all;
}

// An engine recovered after any turn takes the later events in as the first one did, to the byte.
TEST(Recover, GoesOnAsIfItHadNeverStopped) {
  std::uint64_t seed = 1;
  for (const sched::Settings& settings : all_settings()) {
    Recorder recorder(settings);
    testing::busy_run(recorder, ++seed, 40);
    for (std::size_t stop = 0; stop < recorder.frame_ends.size(); stop += 7) {
      const ByteSpan whole(recorder.bytes);
      const ByteSpan before = whole.first(recorder.frame_ends[stop]);
      Bytes bytes(before.begin(), before.end());
      auto engine = Engine::recover(before, [&](ByteSpan frame) -> Status {
        bytes.insert(bytes.end(), frame.begin(), frame.end());
        return {};
      });
      ASSERT_TRUE(engine) << engine.error().message;
      JournalReader reader(whole);
      ASSERT_TRUE(reader.header());
      for (std::size_t turn = 1; !reader.at_end(); ++turn) {
        const auto record = reader.turn();
        ASSERT_TRUE(record);
        if (turn <= stop) continue;
        ASSERT_TRUE(engine->turn(record->at, record->events));
      }
      ASSERT_EQ(bytes, recorder.bytes) << settings.order << ", stopped after turn " << stop;
      EXPECT_EQ(engine->journal_hash(), recorder.engine.journal_hash());
    }
  }
}

TEST(Replay, EqualsTheStateByteForByteWithEveryPolicy) {
  std::uint64_t seed = 1;
  for (const sched::Settings& settings : all_settings()) {
    Recorder recorder(settings);
    testing::busy_run(recorder, ++seed, 60);
    const auto state = replay(recorder.bytes);
    ASSERT_TRUE(state) << state.error().message;
    EXPECT_EQ(state_bytes(*state), state_bytes(recorder.engine.state()));
    EXPECT_TRUE(state->pool().audit());
  }
}

TEST(Verify, PlansAgainWithoutADifferenceWithEveryPolicy) {
  std::uint64_t seed = 1;
  for (const sched::Settings& settings : all_settings()) {
    Recorder recorder(settings);
    testing::busy_run(recorder, ++seed, 60);
    const auto verification = verify(recorder.bytes);
    ASSERT_TRUE(verification) << verification.error().message;
    EXPECT_EQ(verification->difference, std::nullopt)
        << settings.order << " " << settings.placement;
    EXPECT_EQ(verification->hash, recorder.engine.journal_hash());
    EXPECT_EQ(verification->turns + 1, recorder.frame_ends.size());
    EXPECT_GT(verification->decisions, 0U);
  }
}

// A journal written anew with one of its turns changed.
Bytes with_changed_turn(const Bytes& journal, std::uint64_t number,
                        const std::function<void(TurnRecord&)>& change) {
  JournalReader reader(journal);
  const auto settings = reader.header();
  EXPECT_TRUE(settings);
  Bytes bytes;
  JournalWriter writer([&](ByteSpan frame) -> Status {
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return {};
  });
  EXPECT_TRUE(writer.header(*settings));
  while (!reader.at_end()) {
    auto turn = reader.turn();
    EXPECT_TRUE(turn);
    if (turn->number == number) change(*turn);
    EXPECT_TRUE(writer.turn(*turn));
  }
  return bytes;
}

class Doctored : public ::testing::Test {
 protected:
  Doctored() { testing::small_run(recorder_); }
  // Turn 2 holds the submissions: job 1 starts on n0, n1, n2; job 4 is refused.
  [[nodiscard]] Bytes change(const std::function<void(TurnRecord&)>& how) const {
    return with_changed_turn(recorder_.bytes, 2, how);
  }
  Recorder recorder_;
};

TEST_F(Doctored, ADecisionThatThePlannerWouldNotTakeIsTheFirstDifference) {
  const Bytes journal = change([](TurnRecord& turn) {
    std::get<JobStarted>(turn.decisions[1]).lease.parts[2].node = NodeId(3);
  });
  EXPECT_TRUE(replay(journal)) << "it is possible, only not what this planner plans";
  const auto verification = verify(journal);
  ASSERT_TRUE(verification);
  EXPECT_EQ(verification->turns, 1U);
  EXPECT_EQ(verification->difference,
            "turn 2 at 1970-01-01 00:00:01, decision 2: "
            "written: job 1 starts on n0 (GPUs 0xff), n1 (GPUs 0xff), n3 (GPUs 0xff); "
            "planned again: job 1 starts on n0 (GPUs 0xff), n1 (GPUs 0xff), n2 (GPUs 0xff)");
}

TEST_F(Doctored, AMissingAndAnAdditionalDecisionAreNamed) {
  const auto missing = verify(change([](TurnRecord& turn) { turn.decisions.pop_back(); }));
  ASSERT_TRUE(missing);
  EXPECT_THAT(*missing->difference,
              HasSubstr("decision 2: written: nothing more; planned again: job 1 starts on n0"));
  const auto additional = verify(change([](TurnRecord& turn) {
    turn.decisions.emplace_back(StartPromised{JobId(2), at_second(9)});
  }));
  ASSERT_TRUE(additional);
  EXPECT_THAT(*additional->difference,
              HasSubstr("decision 3: written: job 2 is promised to start by 1970-01-01 00:00:09; "
                        "planned again: nothing more"));
}

TEST_F(Doctored, AnImpossibleDecisionStopsTheReplayAtItsTurn) {
  const Bytes journal = change([](TurnRecord& turn) {
    std::get<JobStarted>(turn.decisions[1]).lease.parts[2].node = NodeId(0);
  });
  const auto state = replay(journal);
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().code, Errc::kCorrupt);
  EXPECT_EQ(state.error().message,
            "turn 2: the decision on job 1 is impossible: its lease names a node twice");
}

TEST_F(Doctored, AnImpossibleEventStopsBothAtItsTurn) {
  const Bytes journal =
      change([](TurnRecord& turn) { turn.events.emplace_back(JobEnded{JobId(77)}); });
  const std::string expected = "turn 2: job 77 has ended, but it was not running";
  EXPECT_EQ(replay(journal).error().message, expected);
  EXPECT_EQ(verify(journal).error().message, expected);
}

TEST_F(Doctored, AnUnknownPolicyCannotBeVerifiedButReplays) {
  Bytes bytes;
  JournalWriter writer([&](ByteSpan frame) -> Status {
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return {};
  });
  sched::Settings settings;
  settings.order = "tomorrow";
  ASSERT_TRUE(writer.header(settings));
  EXPECT_TRUE(replay(bytes)) << "recovery never plans";
  EXPECT_THAT(verify(bytes).error().message, HasSubstr("order \"tomorrow\" is unknown"));
}

TEST(Replay, AJournalOfNoTurnsIsAnEmptyState) {
  const Recorder recorder;
  const auto state = replay(recorder.bytes);
  ASSERT_TRUE(state);
  EXPECT_EQ(state_bytes(*state), state_bytes(state::State{}));
  EXPECT_FALSE(replay({}));
}

TEST(Describe, TellsEachDecisionInALine) {
  const state::State state;
  Lease lease;
  for (std::uint32_t i = 0; i < 6; ++i) lease.parts.push_back({NodeId(i), 0b11, 0, 0});
  EXPECT_EQ(describe(JobStarted{JobId(1), lease}, state),
            "job 1 starts on node 0 (GPUs 0x3), node 1 (GPUs 0x3), node 2 (GPUs 0x3), node 3 "
            "(GPUs 0x3) and 2 more");
  EXPECT_EQ(
      describe(JobRefused{JobId(2), {ReasonCode::kNoGpuModel, Level::kSite, 0, 0, "A9"}}, state),
      "job 2 is refused: no eligible node has GPUs of model A9");
  EXPECT_EQ(describe(StartPromised{JobId(3), Instant::far_future()}, state),
            "job 3 is promised to start by nobody knows when");
}

}  // namespace
}  // namespace weir::core
