#include "report/table.hpp"

#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "report/format.hpp"
#include "report/test_sample.hpp"

namespace weir::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::sample;
using testing::without_topology;

constexpr std::string_view kGolden =
    R"table(pool   2 nodes x 8 GPUs, 2 units, 2 pods (small.ibnetdiscover)
trace  made-up, 1,234 jobs, 2017-10-01 .. 2017-10-02
load   80 % of the GPU time there is, seed 7

                         ─────────────── completion, s  ────── wait, s  ─ GPUs  over several, %
order  placement   jobs    mean    p50     p95     p99    mean     p99  busy %      units  pods
────────────────────────────────────────────────────────────────────────────────────────────────
fifo   weir       1,234  17,100  8,550  51,300  85,500  17,000  34,200    71.0        4.0*  2.0*
fifo   firstfit   1,234  17,200  8,600  51,600  86,000  17,100  34,400    71.0       60.0  30.0
────────────────────────────────────────────────────────────────────────────────────────────────
sjf    weir       1,234   1,000*   500*  3,000*  5,000*    900*  2,000*   71.0        4.0*  2.0*
sjf    firstfit   1,234   1,010    505   3,030   5,050     910   2,020    71.0       61.0  30.5
────────────────────────────────────────────────────────────────────────────────────────────────
sjf finishes jobs 17.1 × sooner than fifo on average: after 16m 40s instead of 4h 45m under weir.
With sjf, under weir 4.0 % of multi-node jobs cross units and 61 % under firstfit. Planned at
123,400 jobs/s. * best of its column.
)table";

TEST(Table, Golden) { EXPECT_EQ(comparison_table(sample()), kGolden); }

TEST(Table, NarrowDropsTheLeastImportantColumns) {
  for (const std::size_t width : {60U, 72U, 80U, 100U, 120U}) {
    const std::string table = comparison_table(sample(), {width, false});
    for (const auto line : split(table, '\n')) EXPECT_LE(display_width(line), width) << line;
  }
  const std::string narrow = comparison_table(sample(), {72, false});
  EXPECT_THAT(narrow, HasSubstr("mean"));
  EXPECT_THAT(narrow, Not(HasSubstr("p50")));
  EXPECT_THAT(narrow, HasSubstr("Planned at 123,400 jobs/s."));
  EXPECT_THAT(comparison_table(sample(), {130, false}), HasSubstr("jobs/s"));
}

TEST(Table, BoldMarksTheBestWhereColourIsAllowed) {
  const std::string table = comparison_table(sample(), {100, true});
  EXPECT_THAT(table, HasSubstr("\x1b[1m"));
  EXPECT_THAT(table, Not(HasSubstr("*")));
  EXPECT_THAT(comparison_table(sample()), Not(HasSubstr("\x1b")));
}

TEST(Table, UnitsAndPodsOnlyWithTopology) {
  EXPECT_THAT(comparison_table(sample()), HasSubstr("units"));
  EXPECT_THAT(comparison_table(without_topology(sample())), Not(HasSubstr("over several")));
}

TEST(Table, BackfillAndRefusedOnlyWhereTheyTellSomething) {
  auto comparison = sample();
  EXPECT_THAT(comparison_table(comparison), Not(HasSubstr("backfill")));
  comparison.runs[1].backfill = "easy";
  comparison.runs[1].refused = 5;
  EXPECT_THAT(comparison_table(comparison, {140, false}), HasSubstr("backfill"));
  EXPECT_THAT(comparison_table(comparison, {140, false}), HasSubstr("refused"));
}

TEST(Table, TerminalObeysNoName) {
  auto comparison = sample();
  comparison.trace = "evil\x1b]0;title\x07";
  comparison.runs[0].order = "a\x1b[2J";
  EXPECT_THAT(comparison_table(comparison), Not(HasSubstr("\x1b")));
}

TEST(Table, NothingRun) {
  auto comparison = sample();
  comparison.runs.clear();
  EXPECT_THAT(comparison_table(comparison), HasSubstr("Nothing was run."));
}

}  // namespace
}  // namespace weir::report
