#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/chart.hpp"
#include "report/markup.hpp"
#include "report/size_chart.hpp"
#include "report/test_sample.hpp"
#include "report/time_chart.hpp"
#include "report/unit_chart.hpp"

namespace weir::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::sample;

TEST(Markup, EscapesTextAndAttributes) {
  Markup page;
  page.open("a", {{"title", "\"<&'>"}});
  page.text("<script>");
  page.close();
  EXPECT_EQ(page.finished(), "<a title=\"&quot;&lt;&amp;&#39;&gt;\">&lt;script&gt;</a>");
}

TEST(Coord, IsShort) {
  EXPECT_EQ(coord(12.34), "12.3");
  EXPECT_EQ(coord(5), "5");
  EXPECT_EQ(coord(-0.01), "0");
}

TEST(Thinned, AveragesNeighbours) {
  EXPECT_THAT(thinned({1, 3, 5, 7, 10}, 3).values, ElementsAre(2, 6, 10));
  EXPECT_EQ(thinned({1, 3, 5, 7, 10}, 3).merged, 2U);
  EXPECT_THAT(thinned({1, 2}, 400).values, ElementsAre(1, 2));
  EXPECT_TRUE(thinned({}, 400).values.empty());
}

TEST(TimeChart, SpansAllRuns) {
  auto comparison = sample();
  comparison.runs[1].series.busy_gpus.push_back(1);
  EXPECT_EQ(span_of(comparison).begin, testing::instant("2017-10-01"));
  EXPECT_EQ(span_of(comparison).end, testing::instant("2017-10-01 04:00:00"));
  EXPECT_TRUE(span_of({}).is_empty());
}

TEST(TimeChart, CurvesHaveAtMostTheirPoints) {
  auto comparison = sample();
  comparison.runs.resize(1);
  comparison.runs[0].series.busy_gpus.assign(100'000, 16);
  Markup page;
  draw_utilisation(page, comparison, assign_styles(comparison));
  EXPECT_LT(page.finished().size(), kMostPoints * 12 + 4000);
}

TEST(QueueScale, IsLogWhereQueuesAreFarApart) {
  auto comparison = sample();
  EXPECT_EQ(queue_scale(comparison), QueueScale::kLinear);
  comparison.runs[0].series.queued_jobs = {0, 9000, 3};
  EXPECT_EQ(queue_scale(comparison), QueueScale::kLog);
  for (auto& run : comparison.runs) run.series.queued_jobs = {0, 0, 0};
  EXPECT_EQ(queue_scale(comparison), QueueScale::kEmpty);
}

TEST(SizeChart, GroupsByGpus) {
  auto comparison = sample();
  comparison.runs.resize(1);
  auto& outcomes = comparison.runs[0].outcomes;
  outcomes.clear();
  for (std::uint64_t i = 1; i <= 100; ++i)
    outcomes.push_back(testing::outcome(i, 0, static_cast<std::int64_t>(i), 5));
  outcomes.push_back(testing::outcome(101, 0, 7, 1));
  outcomes.push_back(testing::outcome(102, 0, 9, 4096));
  outcomes.back().refused = true;
  const auto groups = waits_by_size(comparison);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].label, "1 GPU");
  EXPECT_EQ(groups[1].label, "5–8 GPUs");
  EXPECT_EQ(groups[1].waits[0].jobs, 100U);
  EXPECT_DOUBLE_EQ(groups[1].waits[0].p50, 50);  // nearest rank
  EXPECT_DOUBLE_EQ(groups[1].waits[0].p95, 95);
  EXPECT_DOUBLE_EQ(longest_wait(groups), 95);
}

TEST(UnitChart, RowsAreUnitsGroupedByPod) {
  auto comparison = sample();
  comparison.units = {{"u1", "pod 1", 8}, {"u2", "pod 2", 8}, {"u3", "pod 1", 16}};
  comparison.runs[0].series.busy_gpus_by_unit = {{8, 4}, {0, 8}, {8, 0}};
  const auto rows = unit_rows(comparison, comparison.runs[0]).rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].name, "u3");
  EXPECT_THAT(rows[1].busy, ElementsAre(0.5, 0));
}

TEST(UnitChart, ManyUnitsBecomeFewRows) {
  auto comparison = sample();
  auto& run = comparison.runs[0];
  comparison.units.clear();
  run.series.busy_gpus_by_unit.clear();
  for (std::size_t i = 0; i < 820; ++i) {
    comparison.units.push_back({"u" + std::to_string(i), i < 410 ? "p1" : "p2", 160});
    run.series.busy_gpus_by_unit.emplace_back(5000, i % 2 == 0 ? 160.0 : 80.0);
  }
  const UnitRows units = unit_rows(comparison, run);
  EXPECT_LE(units.rows.size(), kMostRows + 2);
  EXPECT_EQ(units.rows[0].name, "u0 … u12");
  EXPECT_LE(units.rows[0].busy.size(), kMostColumns);
  EXPECT_NEAR(units.rows[1].busy[0], 0.75, 0.03);
  Markup page;
  draw_units(page, comparison, run, span_of(comparison));
  EXPECT_THAT(page.finished(), HasSubstr("u0 … u12 (p1)"));
}

}  // namespace
}  // namespace weir::report
