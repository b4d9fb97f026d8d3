#include "core/journal.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "core/replay.hpp"
#include "core/test_journal.hpp"

namespace weir::core {
namespace {

using testing::at_second;
using testing::Bytes;
using testing::gang_job;
using ::testing::HasSubstr;
using testing::Recorder;

TurnRecord full_turn(std::uint64_t number) {
  Job job = gang_job(3, 8);
  job.name = "name";
  job.user = "user";
  job.gang.tail = {1, 2, 3};
  job.requirement = {"train", {"A100", "H100"}, {"ib", "nvlink"}, Grade::kPoor, 0xff};
  job.wish = {Level::kPod, Level::kUnit, 3, Level::kUnit, Level::kFabric};
  job.priority = INT64_MIN;
  Node node = weir::testing::node_in(7, 9, {32, UINT32_MAX, UINT32_MAX});
  node.kind = {"H100", {8, 1, 2}, {"a", "b"}, {"c"}};
  node.rails = 0xffff;
  node.grade = Grade::kBad;
  node.availability = Availability::kDown;
  TurnRecord turn{number, at_second(1), {}, {}};
  turn.events = {LocalityLearned{weir::testing::tree_of(2, 2, 2)},
                 NodeJoined{node},
                 NodeGraded{NodeId(0), Grade::kWatch},
                 NodeAvailabilityChanged{NodeId(1), Availability::kDrained},
                 JobSubmitted{job},
                 JobEnded{JobId(UINT64_MAX)},
                 JobCancelled{JobId(0)}};
  Lease lease{{{NodeId(5), ~GpuMask{0}, 6, 7}, {NodeId::none(), 0, 0, 0}},
              Instant(INT64_MIN),
              Instant::far_future(),
              Level::kSite,
              Level::kBlock};
  turn.decisions = {JobStarted{JobId(1), lease},
                    JobRefused{JobId(2), {ReasonCode::kBehind, Level::kPod, 1, 2, "why"}},
                    StartPromised{JobId(3), Instant(-1)}};
  return turn;
}

Bytes journal_of(const sched::Settings& settings, const std::vector<TurnRecord>& turns,
                 std::string* hash = nullptr) {
  Bytes bytes;
  JournalWriter writer([&](ByteSpan frame) -> Status {
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return {};
  });
  EXPECT_TRUE(writer.header(settings));
  for (const TurnRecord& turn : turns) EXPECT_TRUE(writer.turn(turn));
  if (hash != nullptr) *hash = writer.hash();
  return bytes;
}

TEST(Journal, WhatIsWrittenIsRead) {
  sched::Settings settings{"sjf", "random", sched::Backfill::kEasy, {Duration(5)}, 77, {}, false};
  settings.typical.shapes = {{{0, 6000, 0, 460}, {"G2", "T4"}, 800}, {{8, 96000, 0, 0}, {}, 3}};
  TurnRecord later = full_turn(2);
  later.at = Instant::far_future();
  const std::vector<TurnRecord> turns{full_turn(1), later, {3, later.at, {}, {}}};
  std::string hash;
  const Bytes bytes = journal_of(settings, turns, &hash);
  JournalReader reader(bytes);
  const auto read_settings = reader.header();
  ASSERT_TRUE(read_settings);
  EXPECT_EQ(*read_settings, settings);
  for (const TurnRecord& expected : turns) {
    EXPECT_FALSE(reader.at_end());
    const auto turn = reader.turn();
    ASSERT_TRUE(turn) << turn.error().message;
    EXPECT_EQ(*turn, expected);
  }
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.good_bytes(), bytes.size());
  EXPECT_EQ(reader.hash(), hash);
}

TEST(Journal, AFrameIsAHeadAndItsPayload) {
  const Bytes payload{'a', 'b', 'c'};
  const Bytes frame = frame_payload(9, payload);
  ASSERT_EQ(frame.size(), 15U);
  EXPECT_EQ(Bytes(frame.begin(), frame.begin() + 4), (Bytes{3, 0, 0, 0}));
  EXPECT_EQ(Bytes(frame.begin() + 12, frame.end()), payload);
  EXPECT_NE(frame, frame_payload(10, payload)) << "its position is part of the check";
}

// How far a damaged journal can be read, and what the first error says.
struct Reading {
  std::size_t turns = 0;
  std::size_t good_bytes = 0;
  std::string error;  // empty: none
};

Reading read_all(const Bytes& bytes) {
  JournalReader reader(bytes);
  Reading reading;
  if (const auto header = reader.header(); !header) {
    EXPECT_EQ(header.error().code, Errc::kCorrupt);
    return {0, reader.good_bytes(), header.error().message};
  }
  while (!reader.at_end()) {
    if (const auto turn = reader.turn(); !turn) {
      EXPECT_EQ(turn.error().code, Errc::kCorrupt);
      return {reading.turns, reader.good_bytes(), turn.error().message};
    }
    ++reading.turns;
  }
  reading.good_bytes = reader.good_bytes();
  return reading;
}

class DamagedJournal : public ::testing::Test {
 protected:
  DamagedJournal() { testing::small_run(recorder_); }
  // End of the record in which a byte lies, and of the one before.
  [[nodiscard]] std::size_t end_before(std::size_t byte) const {
    std::size_t end = 0;
    for (const std::size_t frame_end : recorder_.frame_ends)
      if (frame_end <= byte) end = frame_end;
    return end;
  }
  [[nodiscard]] std::size_t records_before(std::size_t byte) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(recorder_.frame_ends, [&](std::size_t end) { return end <= byte; }));
  }

  Recorder recorder_;
};

TEST_F(DamagedJournal, EveryFlippedByteIsNoticedAtItsRecord) {
  for (std::size_t i = 0; i < recorder_.bytes.size(); ++i) {
    for (const std::uint8_t flip : Bytes{0x01, 0x80, 0xff}) {
      Bytes damaged = recorder_.bytes;
      damaged[i] ^= flip;
      const Reading reading = read_all(damaged);
      ASSERT_FALSE(reading.error.empty()) << "byte " << i;
      EXPECT_EQ(reading.good_bytes, end_before(i)) << "byte " << i;
      EXPECT_THAT(reading.error, HasSubstr("byte " + std::to_string(end_before(i)) + ":"));
      EXPECT_FALSE(replay(damaged)) << "byte " << i;
    }
  }
}

TEST_F(DamagedJournal, EveryTruncationIsNamedAndTheWholeTurnsBeforeItAreGood) {
  for (std::size_t size = 0; size < recorder_.bytes.size(); ++size) {
    const Bytes cut(recorder_.bytes.begin(),
                    recorder_.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const Reading reading = read_all(cut);
    EXPECT_EQ(reading.good_bytes, end_before(size)) << size;
    const bool whole = size > 0 && end_before(size) == size;
    EXPECT_EQ(reading.error.empty(), whole) << size << ": " << reading.error;
    if (whole) {
      EXPECT_EQ(reading.turns + 1, records_before(size));
    } else {
      EXPECT_THAT(reading.error, HasSubstr("byte " + std::to_string(end_before(size))));
    }
  }
}

TEST_F(DamagedJournal, ATornJournalCutAtItsGoodBytesReplays) {
  Bytes torn = recorder_.bytes;
  torn.resize(torn.size() - 3);
  torn.resize(read_all(torn).good_bytes);
  EXPECT_TRUE(replay(torn));
}

TEST_F(DamagedJournal, TurnsThatChangedPlacesAreNoticed) {
  const auto& ends = recorder_.frame_ends;
  const auto part = [&](std::size_t record) {
    return Bytes(recorder_.bytes.begin() + static_cast<std::ptrdiff_t>(ends[record - 1]),
                 recorder_.bytes.begin() + static_cast<std::ptrdiff_t>(ends[record]));
  };
  Bytes swapped(recorder_.bytes.begin(),
                recorder_.bytes.begin() + static_cast<std::ptrdiff_t>(ends[0]));
  for (const std::size_t record : {2U, 1U, 3U}) {
    const Bytes bytes = part(record);
    swapped.insert(swapped.end(), bytes.begin(), bytes.end());
  }
  EXPECT_THAT(read_all(swapped).error, HasSubstr("the check of record 1 is wrong"));
}

Bytes framed(const std::vector<Bytes>& payloads) {
  Bytes journal;
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    const Bytes frame = frame_payload(i, payloads[i]);
    journal.insert(journal.end(), frame.begin(), frame.end());
  }
  return journal;
}

Bytes header_payload() {
  const Bytes journal = journal_of({}, {});
  return {journal.begin() + 12, journal.end()};
}

TEST(JournalHeader, OfAnotherVersionNamesBothVersions) {
  Bytes header = header_payload();
  const std::size_t version = 1 + std::string_view("weir journal").size();
  ASSERT_EQ(header[version], kJournalVersion);
  header[version] = 9;
  EXPECT_EQ(read_all(framed({header})).error,
            "byte 0: journal format 9, this program reads format 3");
  header[version] = 1;
  EXPECT_EQ(read_all(framed({header})).error,
            "byte 0: journal format 1, this program reads format 3: run the simulation again, or "
            "read it with the release that wrote it");
}

TEST(JournalHeader, OfSomethingElseIsNoJournal) {
  Bytes header = header_payload();
  header[1] = 'W';
  EXPECT_EQ(read_all(framed({header})).error, "byte 0: this is no journal of Weir");
  EXPECT_EQ(read_all({}).error, "byte 0: the journal ends inside the head of a record");
  header = header_payload();
  header.push_back(0);
  EXPECT_EQ(read_all(framed({header})).error, "byte 0: the journal's header cannot be read");
}

Bytes turn_payload(std::uint64_t number, std::int64_t at, const Bytes& rest) {
  ByteWriter out;
  out.unsigned_number(number);
  out.signed_number(at);
  Bytes payload(out.bytes().begin(), out.bytes().end());
  payload.insert(payload.end(), rest.begin(), rest.end());
  return payload;
}

TEST(JournalTurn, NumbersHaveNoGapsAndTimeDoesNotGoBack) {
  const Bytes none{0, 0};
  const auto error = [&](const std::vector<Bytes>& turns) {
    std::vector<Bytes> payloads{header_payload()};
    payloads.insert(payloads.end(), turns.begin(), turns.end());
    return read_all(framed(payloads)).error;
  };
  EXPECT_EQ(error({turn_payload(1, 5, none), turn_payload(2, 5, none)}), "");
  EXPECT_THAT(error({turn_payload(2, 5, none)}), HasSubstr("turn 2 follows turn 0"));
  EXPECT_THAT(error({turn_payload(1, 5, none), turn_payload(1, 5, none)}),
              HasSubstr("turn 1 follows turn 1"));
  EXPECT_THAT(error({turn_payload(1, 5, none), turn_payload(2, 4, none)}),
              HasSubstr("goes back in time"));
}

TEST(JournalTurn, WhatCannotBeReadIsNamed) {
  for (const Bytes& rest : std::vector<Bytes>{{},          // nothing
                                              {0},         // no decisions
                                              {0, 0, 0},   // more than a turn
                                              {1, 99, 0},  // an event of a kind that does not exist
                                              {0, 1, 3, 0},         // such a decision
                                              {200, 1, 0},          // more events than bytes
                                              {1, 2, 0, 4, 0},      // a grade that does not exist
                                              {1, 5, 0x80, 0, 0}})  // a number with padding
    EXPECT_THAT(read_all(framed({header_payload(), turn_payload(1, 0, rest)})).error,
                HasSubstr("the record of turn 1 cannot be read"));
}

TEST(JournalTurn, OfMoreEventsThanATurnTakesIsRefused) {
  ByteWriter out;
  out.unsigned_number(limits::kTurnEvents + 1);
  Bytes rest(out.bytes().begin(), out.bytes().end());
  rest.resize(rest.size() + 2 * (limits::kTurnEvents + 2), 5);
  EXPECT_THAT(read_all(framed({header_payload(), turn_payload(1, 0, rest)})).error,
              HasSubstr("cannot be read"));
}

TEST(JournalReader, ARecordBeyondTheLimitIsNotEvenLookedFor) {
  Bytes journal = framed({header_payload()});
  const std::size_t at = journal.size();
  journal.resize(at + 4, 0xff);
  journal.resize(journal.size() + 100, 0);
  EXPECT_EQ(read_all(journal).error, "byte " + std::to_string(at) +
                                         ": a record of 4294967295 bytes is announced, 92 are "
                                         "there");
}

TEST(JournalWriter, AFailingSinkIsAnError) {
  JournalWriter writer([](ByteSpan) -> Status { return io_error("the disk is full"); });
  EXPECT_EQ(writer.header({}).error().message, "the disk is full");
}

TEST(JournalWriter, WithoutASinkTheHashIsTheSame) {
  std::string hash;
  journal_of({}, {full_turn(1)}, &hash);
  JournalWriter silent;
  ASSERT_TRUE(silent.header({}));
  ASSERT_TRUE(silent.turn(full_turn(1)));
  EXPECT_EQ(silent.hash(), hash);
}

}  // namespace
}  // namespace weir::core
