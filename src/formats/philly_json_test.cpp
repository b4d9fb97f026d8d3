#include "formats/philly_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kTwoJobs = R"([
  {"status": "Pass", "vc": "ee9e8c", "jobid": "a1", "user": "u1",
   "submitted_time": "2017-10-09 07:01:55",
   "attempts": [
     {"start_time": "2017-10-09 07:02:00", "end_time": "2017-10-09 07:03:00",
      "detail": [{"ip": "m1", "gpus": ["gpu0"]}]},
     {"start_time": "2017-10-09 08:00:00", "end_time": "2017-10-09 09:00:00",
      "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu7"]}]},
     {"start_time": "2017-10-09 10:00:00", "end_time": null, "detail": []}]},
  {"status": "Killed", "vc": "ee9e8c", "jobid": "a2", "user": "u2",
   "submitted_time": "2017-10-09 07:01:56", "attempts": [], "extra": {"x": [1, true, {"y": [2]}]}},
  {"status": "Failed", "vc": "v", "jobid": "a3", "user": "u", "submitted_time": "None",
   "attempts": []}
]
)";

// The text in pieces of this size.
Result<Trace> read(PhillyJsonReader& reader, std::string_view text, std::size_t piece) {
  for (std::size_t at = 0; at < text.size(); at += piece)
    if (const Status status = reader.bytes(text.substr(at, piece)); !status)
      return std::unexpected(status.error());
  return reader.finish();
}

TEST(PhillyJson, AddsUpAttemptsAndTakesTheLargest) {
  for (const std::size_t piece : {1UL, 7UL, 10'000UL}) {
    PhillyJsonReader reader;
    const auto trace = read(reader, kTwoJobs, piece);
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_EQ(trace->size(), 1U);
    const TraceJob& job = trace->at(0);
    EXPECT_EQ(job.gpus, 3U);
    EXPECT_EQ(job.runtime, Duration(std::chrono::seconds(3660)));
    EXPECT_EQ(job.vc, "ee9e8c");
    EXPECT_EQ(job.job.user, "u1");
    EXPECT_EQ(job.job.name, "a1");
    EXPECT_EQ(format_instant(job.submit), "2017-10-09 07:01:55");
    EXPECT_EQ(reader.left_out(), "1 that never ran to an end, 1 without a submission time");
  }
}

TEST(PhillyJson, SaysLineAndWhatIsWrong) {
  const auto complaint = [](std::string_view text) {
    PhillyJsonReader reader;
    const auto trace = read(reader, text, 5);
    return trace ? std::string() : trace.error().message;
  };
  EXPECT_THAT(complaint(""), StartsWith("1: the text is empty"));
  EXPECT_THAT(complaint("[\n{\"vc\": }]"), StartsWith("2: no JSON"));
  EXPECT_THAT(complaint("[\n{\"vc\": \"a\""), StartsWith("2: no JSON"));
  EXPECT_THAT(complaint("[] []"), StartsWith("1: no JSON"));
  EXPECT_THAT(complaint("{}"), HasSubstr("an object where none is expected"));
  EXPECT_THAT(complaint("\"a\""), HasSubstr("a text where a list of jobs is expected"));
  EXPECT_THAT(complaint("[[]]"), HasSubstr("a list where none is expected"));
  EXPECT_THAT(complaint("[\n\n{\"submitted_time\": \"soon\"}]"),
              StartsWith("3: submitted_time: \"soon\" is no date"));
  EXPECT_THAT(complaint("[{\"vc\": \"" + std::string(300, 'x') + "\"}]"), StartsWith("1"));
  EXPECT_THAT(complaint(std::string(100, '[')), StartsWith("1"));
}

}  // namespace
}  // namespace weir
