#include "model/reason.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;

Reason reason(ReasonCode code) {
  Reason made;
  made.code = code;
  made.level = Level::kPod;
  made.asked = 17;
  made.best = 13;
  made.name = "h100";
  return made;
}

TEST(Sentence, EveryCodeHasOneOfItsOwn) {
  std::set<std::string> sentences;
  for (std::uint32_t code = 0; code < kReasonCodes; ++code) {
    const std::string text = sentence(reason(static_cast<ReasonCode>(code)));
    EXPECT_FALSE(text.empty());
    EXPECT_NE(text.back(), '.') << "it stands inside other sentences";
    EXPECT_TRUE(sentences.insert(text).second) << text;
  }
}

TEST(Sentence, EveryHardLimitNamesWhatItIsAbout) {
  EXPECT_THAT(sentence(reason(ReasonCode::kNoPartition)), HasSubstr("h100"));
  EXPECT_THAT(sentence(reason(ReasonCode::kNoGpuModel)), HasSubstr("h100"));
  EXPECT_THAT(sentence(reason(ReasonCode::kNoFeatures)), HasSubstr("h100"));
  for (const ReasonCode code :
       {ReasonCode::kGpusPerNode, ReasonCode::kCpusPerNode, ReasonCode::kMemoryPerNode,
        ReasonCode::kNodeCount, ReasonCode::kSegments}) {
    EXPECT_THAT(sentence(reason(code)), HasSubstr("17"));
    EXPECT_THAT(sentence(reason(code)), HasSubstr("13"));
  }
  EXPECT_THAT(sentence(reason(ReasonCode::kRails)), HasSubstr("0x11"));
  EXPECT_THAT(sentence(reason(ReasonCode::kLevelUnknown)), HasSubstr("pod"));
}

TEST(Sentence, SaysWhatWouldLetABusyJobStart) {
  EXPECT_EQ(sentence(reason(ReasonCode::kBusy)),
            "needs 17 free nodes in one pod; the best has 13 now: 4 more would let it start");
}

TEST(Reason, HardLimitsAreThoseThatNoStateLifts) {
  for (const ReasonCode hard :
       {ReasonCode::kNoPartition, ReasonCode::kGpusPerNode, ReasonCode::kLevelUnknown})
    EXPECT_TRUE(reason(hard).is_hard());
  for (const ReasonCode soft : {ReasonCode::kNone, ReasonCode::kGrade, ReasonCode::kBusy,
                                ReasonCode::kBusyTail, ReasonCode::kBehind})
    EXPECT_FALSE(reason(soft).is_hard());
}

}  // namespace
}  // namespace weir
