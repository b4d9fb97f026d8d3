#include "report/progress.hpp"

#include <gtest/gtest.h>

namespace weir::report {
namespace {

Progress at(std::uint64_t done, std::chrono::milliseconds elapsed) {
  return {.policy = "sjf / weir", .done = done, .total = 68510, .elapsed = elapsed};
}

TEST(ProgressLine, ShowsShareJobsAndWhatRemains) {
  EXPECT_EQ(progress_line(at(23310, std::chrono::milliseconds(6000))),
            "sjf / weir  34 %  23,310 of 68,510 jobs  ETA 12 s");
  EXPECT_EQ(progress_line(at(100, std::chrono::milliseconds(1000))),
            "sjf / weir  0 %  100 of 68,510 jobs  ETA 11m 25s");
}

TEST(ProgressLine, NoGuessAtTheEnds) {
  EXPECT_EQ(progress_line(at(0, std::chrono::milliseconds(500))),
            "sjf / weir  0 %  0 of 68,510 jobs");
  EXPECT_EQ(progress_line(at(68509, std::chrono::milliseconds(10))),
            "sjf / weir  99 %  68,509 of 68,510 jobs  ETA 1 s");
  EXPECT_EQ(progress_line(at(68510, std::chrono::milliseconds(10))),
            "sjf / weir  100 %  68,510 of 68,510 jobs");
  EXPECT_EQ(progress_line({.policy = "a / b"}), "a / b  100 %  0 of 0 jobs");
}

TEST(ProgressLine, CountsRuns) {
  Progress progress = at(34255, std::chrono::milliseconds(2000));
  progress.run = 2;
  progress.runs = 9;
  EXPECT_EQ(progress_line(progress), "2/9  sjf / weir  50 %  34,255 of 68,510 jobs  ETA 2 s");
}

}  // namespace
}  // namespace weir::report
