#include "report/comparison_json.hpp"

#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_sample.hpp"

namespace weir::report {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kGolden = R"json({
  "pool": "2 nodes x 8 GPUs, 2 units, 2 pods (small.ibnetdiscover)",
  "trace": "made-up, 1,234 jobs, 2017-10-01 .. 2017-10-02",
  "nodes": 2,
  "gpus": 16,
  "offered_load": 0.8,
  "seed": 7,
  "policies": [
    {
      "order": "fifo",
      "placement": "weir",
      "jobs": 1234,
      "completion_s": {
        "mean": 17100,
        "p50": 8550,
        "p95": 51300,
        "p99": 85500
      },
      "wait_s": {
        "mean": 17000,
        "p50": 0.4,
        "p95": 17100,
        "p99": 34200
      },
      "utilisation": 0.71,
      "multi_unit_jobs": 0.04,
      "multi_pod_jobs": 0.02,
      "journal_hash": "00ff",
      "backfill": "none",
      "refused": 0,
      "multi_node_jobs": 200
    }
  ]
}
)json";

TEST(ComparisonJson, Golden) {
  auto comparison = testing::sample();
  comparison.runs.resize(1);
  EXPECT_EQ(comparison_json(comparison), kGolden);
}

TEST(ComparisonJson, WallTimeDoesNotReachIt) {
  const auto comparison = testing::sample();
  auto slower = comparison;
  for (auto& run : slower.runs) run.planning_seconds *= 17;
  EXPECT_EQ(comparison_json(comparison), comparison_json(slower));
}

TEST(ComparisonJson, NullWithoutTopology) {
  const std::string json = comparison_json(testing::without_topology(testing::sample()));
  EXPECT_THAT(json, HasSubstr("\"multi_unit_jobs\": null"));
  EXPECT_THAT(json, HasSubstr("\"multi_pod_jobs\": null"));
}

TEST(ComparisonJson, NamesAreAlwaysValid) {
  auto comparison = testing::sample();
  comparison.pool = "a\"b\xff";
  EXPECT_THAT(comparison_json(comparison), HasSubstr("\"pool\": \"a\\\"b\uFFFD\""));
}

}  // namespace
}  // namespace weir::report
