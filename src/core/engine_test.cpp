#include "core/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "core/replay.hpp"
#include "core/test_journal.hpp"

namespace weir::core {
namespace {

using testing::at_second;
using ::testing::ElementsAre;
using testing::gang_job;
using testing::Recorder;
using testing::units_of;

sched::Settings with(const std::string& placement, std::uint64_t seed) {
  sched::Settings settings;
  settings.placement = placement;
  settings.seed = seed;
  return settings;
}

TEST(Engine, ATurnTakesEventsInPlansAndTellsWhatCameOfIt) {
  Recorder recorder;
  const TurnResult set_up = recorder.turn(0, weir::testing::events_of(units_of({1})));
  EXPECT_EQ(set_up.number, 1U);
  EXPECT_TRUE(set_up.decisions.empty());
  const TurnResult turn =
      recorder.turn(5, {JobSubmitted{gang_job(1, 8)}, JobSubmitted{gang_job(1, 8)}});
  EXPECT_EQ(turn.number, 2U);
  EXPECT_THAT(turn.submitted, ElementsAre(JobId(1), JobId(2)));
  ASSERT_EQ(turn.decisions.size(), 1U);
  EXPECT_EQ(std::get<JobStarted>(turn.decisions[0]).job, JobId(1));
}

TEST(Engine, ATurnInWhichNothingHappensIsNotRecorded) {
  Recorder recorder;
  recorder.turn(0, weir::testing::events_of(units_of({1})));
  const auto bytes = recorder.bytes;
  EXPECT_EQ(recorder.turn(1, {}).number, 0U);
  EXPECT_EQ(recorder.turn(2, {JobEnded{JobId(1)}}).number, 0U);
  EXPECT_EQ(recorder.bytes, bytes);
  EXPECT_EQ(recorder.turn(3, {JobSubmitted{gang_job(1, 1)}}).number, 2U);
}

TEST(Engine, RejectedEventsAreNamedAndNotJournaled) {
  Recorder recorder;
  recorder.turn(0, weir::testing::events_of(units_of({1})));
  const TurnResult turn =
      recorder.turn(1, {JobEnded{JobId(7)}, JobSubmitted{gang_job(1, 8)},
                        JobSubmitted{gang_job(0, 8)}, NodeGraded{NodeId(3), Grade::kBad}});
  ASSERT_EQ(turn.rejected.size(), 3U);
  EXPECT_EQ(turn.rejected[0].index, 0U);
  EXPECT_EQ(turn.rejected[0].error.message, "job 7 has ended, but it was not running");
  EXPECT_EQ(turn.rejected[1].index, 2U);
  EXPECT_EQ(turn.rejected[2].index, 3U);
  EXPECT_THAT(turn.submitted, ElementsAre(JobId(1)));

  JournalReader reader(recorder.bytes);
  ASSERT_TRUE(reader.header());
  ASSERT_TRUE(reader.turn());
  const auto second = reader.turn();
  ASSERT_TRUE(second);
  EXPECT_THAT(second->events, ElementsAre(Event(JobSubmitted{gang_job(1, 8)})));
}

TEST(Engine, RefusesUnknownPoliciesAndAFailingJournal) {
  EXPECT_FALSE(Engine::make(with("worst", 0)));
  const auto broken = [](ByteSpan) -> Status { return io_error("the disk is full"); };
  EXPECT_EQ(Engine::make({}, broken).error().message, "the disk is full");

  int frames = 0;
  auto engine = Engine::make({}, [&](ByteSpan) -> Status {
    return ++frames > 1 ? Status(io_error("the disk is full")) : Status();
  });
  ASSERT_TRUE(engine);
  EXPECT_FALSE(engine->turn(at_second(0), {JobSubmitted{gang_job(1, 1)}}));
}

TEST(Engine, RefusesATurnOfTooManyEventsAndGoesOn) {
  Recorder recorder;
  std::vector<Event> events(limits::kTurnEvents + 1, JobEnded{JobId(1)});
  const auto turn = recorder.engine.turn(at_second(0), std::move(events));
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code, Errc::kLimit);
  EXPECT_EQ(turn.error().message, "a turn of 1048577 events: expected at most 1048576");
  EXPECT_EQ(recorder.turn(0, weir::testing::events_of(units_of({1}))).number, 1U);
}

TEST(EngineDeathTest, TimeDoesNotGoBack) {
  Recorder recorder;
  recorder.turn(5, weir::testing::events_of(units_of({1})));
  EXPECT_DEATH(static_cast<void>(recorder.engine.turn(at_second(4), {})), "now >= last_");
}

TEST(Engine, TheSameInputGivesTheSameJournal) {
  for (const std::string placement : {"weir", "firstfit", "random"}) {
    Recorder first(with(placement, 5));
    Recorder second(with(placement, 5));
    testing::busy_run(first, 1);
    testing::busy_run(second, 1);
    EXPECT_EQ(first.engine.journal_hash(), second.engine.journal_hash()) << placement;
    EXPECT_EQ(first.bytes, second.bytes);
  }
}

TEST(Engine, TheSeedDecidesForRandomPlacement) {
  const auto last_state = [](std::uint64_t seed) {
    Recorder recorder(with("random", seed));
    testing::busy_run(recorder, 1, 30);
    return testing::state_bytes(recorder.engine.state());
  };
  EXPECT_EQ(last_state(1), last_state(1));
  EXPECT_NE(last_state(1), last_state(2));
}

TEST(Engine, TheSeedIsInTheJournalEvenWhereItDecidesNothing) {
  Recorder first(with("weir", 1));
  Recorder second(with("weir", 2));
  testing::busy_run(first, 1, 30);
  testing::busy_run(second, 1, 30);
  EXPECT_NE(first.engine.journal_hash(), second.engine.journal_hash());
  EXPECT_EQ(testing::state_bytes(first.engine.state()),
            testing::state_bytes(second.engine.state()));
}

}  // namespace
}  // namespace weir::core
