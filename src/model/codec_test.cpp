#include "model/codec.hpp"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <typename T>
Bytes bytes_of(const T& value) {
  ByteWriter out;
  encode(out, value);
  return {out.bytes().begin(), out.bytes().end()};
}

bool decodes(const Bytes& bytes) {
  ByteReader in(bytes);
  static_cast<void>(decode_event(in));
  return in.ok() && in.at_end();
}

// Round trips of full values stand with the journal (core/journal_test.cpp); here is what must not
// be read.

TEST(Codec, TheBytesOfAnEventAreThese) {
  EXPECT_EQ(bytes_of(Event(JobEnded{JobId(300)})), (Bytes{5, 0xac, 0x02}));
  EXPECT_EQ(bytes_of(Event(NodeGraded{NodeId(1), Grade::kBad})), (Bytes{2, 1, 3}));
  EXPECT_EQ(bytes_of(Decision(StartPromised{JobId(1), Instant(-1)})), (Bytes{2, 1, 1}));
}

TEST(Codec, TagsAndEnumsOutOfRangeAreRefused) {
  EXPECT_TRUE(decodes({2, 1, 3}));
  EXPECT_FALSE(decodes({2, 1, 4})) << "no such grade";
  EXPECT_FALSE(decodes({19, 1})) << "no such event";
  EXPECT_FALSE(decodes({3, 1, 3})) << "no such availability";
  EXPECT_FALSE(decodes({0, 1, 5, 0, 0})) << "no such level";
}

TEST(Codec, NumbersThatDoNotFitTheirFieldAreRefused) {
  EXPECT_TRUE(decodes({2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}));
  EXPECT_FALSE(decodes({2, 0xff, 0xff, 0xff, 0xff, 0x1f, 0})) << "a node id has 32 bits";
}

TEST(Codec, ListsAreBoundedByTheBytesThatAreThereAndByTheirLimits) {
  EXPECT_FALSE(decodes({0, 200, 1, 0}));
  Locality tree;
  tree.levels.resize(kLevels + 1, {Level::kUnit, {Domain{}}});
  EXPECT_FALSE(decodes(bytes_of(Event(LocalityLearned{tree}))));
  tree.levels.resize(1);
  tree.levels[0].domains.resize(limits::kDomainsPerLevel);
  EXPECT_TRUE(decodes(bytes_of(Event(LocalityLearned{tree}))));
  tree.levels[0].domains.resize(limits::kDomainsPerLevel + 1);
  EXPECT_FALSE(decodes(bytes_of(Event(LocalityLearned{tree}))));

  Job job;
  job.requirement.features.assign(limits::kArguments, "x");
  EXPECT_TRUE(decodes(bytes_of(Event(JobSubmitted{job}))));
  job.requirement.features.push_back("x");
  EXPECT_FALSE(decodes(bytes_of(Event(JobSubmitted{job}))));
}

TEST(Codec, TheLongestReasonThatCanBeGivenCanBeRead) {
  Reason reason{ReasonCode::kNoFeatures, Level::kSite, 0, 0, {}};
  for (std::size_t i = 0; i < limits::kNamesPerField; ++i)
    reason.name += (i == 0 ? "" : "+") + std::string(limits::kNameBytes, 'x');
  const Bytes bytes = bytes_of(Decision(JobRefused{JobId(1), reason}));
  ByteReader in(bytes);
  EXPECT_EQ(decode_decision(in), Decision(JobRefused{JobId(1), reason}));
  EXPECT_TRUE(in.ok());
}

TEST(Codec, EveryTruncationIsNoticed) {
  Job job;
  job.name = "name";
  job.wish.require = Level::kPod;
  job.requirement.features = {"a", "b"};
  const Bytes whole = bytes_of(Event(JobSubmitted{job}));
  ASSERT_TRUE(decodes(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(decodes(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
}

RC_GTEST_PROP(Codec, WhatIsReadIsWrittenAsTheSameBytes, (Bytes bytes)) {
  if (!bytes.empty()) bytes[0] = static_cast<std::uint8_t>(bytes[0] % 7);
  ByteReader in(bytes);
  const Event event = decode_event(in);
  if (!in.ok()) return;
  bytes.resize(in.position());
  RC_ASSERT(bytes_of(event) == bytes);
}

}  // namespace
}  // namespace weir
