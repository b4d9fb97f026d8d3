#include "report/comparison_json.hpp"

#include <optional>
#include <string_view>

#include "base/json.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

void write(JsonWriter& json, std::string_view name, const sim::Distribution& distribution) {
  json.key(name);
  json.begin_object();
  json.field("mean", distribution.mean);
  json.field("p50", distribution.p50);
  json.field("p95", distribution.p95);
  json.field("p99", distribution.p99);
  json.end_object();
}

void write(JsonWriter& json, std::string_view name, std::optional<double> share) {
  json.key(name);
  if (share)
    json.value(*share);
  else
    json.null();
}

void write(JsonWriter& json, const sim::RunResult& run) {
  json.begin_object();
  json.field("order", clean_text(run.order));
  json.field("placement", clean_text(run.placement));
  json.field("jobs", run.jobs);
  write(json, "completion_s", run.completion);
  write(json, "wait_s", run.wait);
  json.field("utilisation", run.utilisation);
  write(json, "multi_unit_jobs", run.multi_unit_jobs);
  write(json, "multi_pod_jobs", run.multi_pod_jobs);
  json.field("journal_hash", clean_text(run.journal_hash));
  json.field("backfill", clean_text(run.backfill));
  json.field("refused", run.refused);
  json.field("multi_node_jobs", run.multi_node_jobs);
  json.end_object();
}

}  // namespace

std::string comparison_json(const sim::Comparison& comparison) {
  JsonWriter json;
  json.begin_object();
  json.field("pool", clean_text(comparison.pool));
  json.field("trace", clean_text(comparison.trace));
  json.field("nodes", comparison.nodes);
  json.field("gpus", comparison.gpus);
  json.field("offered_load", comparison.offered_load);
  json.field("seed", comparison.seed);
  json.list("policies", comparison.runs, [&](const sim::RunResult& run) { write(json, run); });
  json.end_object();
  return json.text() + "\n";
}

}  // namespace weir::report
