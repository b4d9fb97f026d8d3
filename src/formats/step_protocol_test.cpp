#include "formats/step_protocol.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace weir::stepd {
namespace {

using Bytes = std::vector<std::uint8_t>;

ByteSpan payload_of(const Bytes& frame) { return ByteSpan(frame).subspan(8); }

StepSpec full_spec() {
  StepSpec spec;
  spec.step = {JobId(7), 2};
  spec.token = 99;
  spec.user = "alice";
  spec.uid = 1000;
  spec.gid = 100;
  spec.directory = "/tmp";
  spec.tasks = {{3, {"a", "b"}, {"X=1"}, "/tmp/o", ""}, {4, {"c"}, {}, "", ""}};
  spec.devices = {"/dev/nvidia0"};
  spec.closed = {"/dev/nvidia1"};
  spec.memory_mib = 5;
  spec.grace = Duration(1);
  spec.on_partition = OnPartition::kEnd;
  return spec;
}

const ProcessName kStepd{"6ba7b810-9dad-11d1-80b4-00c04fd430c8", 4711, 123456789};
const StepReport kReport{{JobId(7), 2}, 99, StepPhase::kRunning, {{3, EndCause::kExited, 1, "x"}}};

TEST(StepProtocol, EveryMessageComesBackAsItWas) {
  for (const Request& request :
       {Request(Hello{}), Request(Watch{}), Request(End{EndCause::kTimeLimit, true}),
        Request(PartitionDeadline{Duration(-5)}), Request(PartitionDeadline{})}) {
    const auto read = parse_request(payload_of(to_frame(request)));
    ASSERT_TRUE(read) << request.index();
    EXPECT_EQ(*read, request);
  }
  for (const Answer& answer :
       {Answer(Welcome{1, kStepd}), Answer(Report{kReport}), Answer(Failure{"why"})}) {
    const auto read = parse_answer(payload_of(to_frame(answer)));
    ASSERT_TRUE(read) << answer.index();
    EXPECT_EQ(*read, answer);
  }
}

TEST(StepProtocol, TheFirstBytesOfAConversationAreThese) {
  // A later version must still understand them.
  EXPECT_EQ(to_frame(Request(Hello{})), (Bytes{2, 0, 0, 0, 0x69, 0x22, 0xde, 0x36, 0, 1}));
}

TEST(StepProtocol, ASpecificationComesBackAsItWas) {
  Bytes file = to_frame(full_spec());
  const auto read = parse_spec(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, full_spec());
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(parse_spec(ByteSpan(file).first(size)));
  for (std::size_t at = 0; at < file.size(); ++at) {
    file[at] ^= 0x10;
    EXPECT_FALSE(parse_spec(file)) << "byte " << at;
    file[at] ^= 0x10;
  }
}

TEST(StepProtocol, ASpecificationOfAnotherFormatIsNamed) {
  ByteWriter out;
  out.text("weir step");
  out.unsigned_number(2);
  const auto read = parse_spec(frame(out.bytes()));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            "the specification of the step has format 2, this program reads format 1");
}

TEST(StepProtocol, ARecordIsReadAsFarAsItIsWhole) {
  const std::vector<Record> all = {
      Started{{JobId(7), 2}, 99, {3, 4}, kStepd, Isolation::kSession, "limits"},
      TasksEnded{{{3, EndCause::kUnknown, 0, ""}, {4, EndCause::kSignalled, 9, "d"}}}, Ended{}};
  Bytes file;
  std::vector<std::size_t> ends;
  for (const Record& record : all) {
    const Bytes bytes = to_frame(record);
    file.insert(file.end(), bytes.begin(), bytes.end());
    ends.push_back(file.size());
  }
  EXPECT_EQ(parse_records(file).records, all);
  for (std::size_t size = 0; size <= file.size(); ++size) {
    const Records read = parse_records(ByteSpan(file).first(size));
    const auto whole = static_cast<std::size_t>(
        std::ranges::count_if(ends, [size](std::size_t end) { return end <= size; }));
    EXPECT_EQ(read.records,
              std::vector<Record>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(whole)));
    EXPECT_EQ(read.good_bytes, whole == 0 ? 0 : ends[whole - 1]);
  }
  file[ends[0] + 9] ^= 1;
  EXPECT_EQ(parse_records(file).records.size(), 1U);
}

TEST(FrameReader, TakesFramesFromPiecesOfAnySize) {
  Bytes stream;
  for (int i = 0; i < 5; ++i) {
    const Bytes bytes = frame(Bytes(static_cast<std::size_t>(i) * 100, 7));
    stream.insert(stream.end(), bytes.begin(), bytes.end());
  }
  for (const std::size_t step : {1U, 7U, 300U, 5000U}) {
    FrameReader reader;
    std::vector<std::size_t> sizes;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      const ByteSpan piece = ByteSpan(stream).subspan(at, std::min(step, stream.size() - at));
      reader.room().insert(reader.room().end(), piece.begin(), piece.end());
      for (;;) {
        const auto payload = reader.next();
        ASSERT_TRUE(payload);
        if (!*payload) break;
        sizes.push_back((*payload)->size());
      }
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{0, 100, 200, 300, 400}));
  }
}

TEST(FrameReader, EndsAtAFrameThatIsTooLongOrWrong) {
  FrameReader too_long;
  too_long.room() = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0};
  EXPECT_FALSE(too_long.next());
  FrameReader wrong;
  wrong.room() = frame(Bytes{1, 2, 3});
  wrong.room().back() ^= 1;
  EXPECT_FALSE(wrong.next());
}

TEST(StepProtocol, WrongMessagesAreRefused) {
  EXPECT_FALSE(parse_request(Bytes{}));
  EXPECT_FALSE(parse_request(Bytes{4})) << "no such kind";
  EXPECT_FALSE(parse_request(Bytes{0, 1, 0})) << "more than a Hello";
  EXPECT_FALSE(parse_request(Bytes{2, kEndCauses, 0})) << "no such cause";
  EXPECT_FALSE(parse_answer(Bytes{0, 1})) << "cut";
}

RC_GTEST_PROP(StepProtocol, WhatIsReadIsWrittenInNoMoreBytes, (Bytes bytes)) {
  if (!bytes.empty()) bytes[0] = static_cast<std::uint8_t>(bytes[0] % 4);
  const auto request = parse_request(bytes);
  if (!request) return;
  Bytes written = to_frame(*request);
  written.erase(written.begin(), written.begin() + 8);
  RC_ASSERT(written.size() <= bytes.size());  // numbers may be written longer than they must be
}

}  // namespace
}  // namespace weir::stepd
