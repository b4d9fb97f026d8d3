#include "report/packing_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

void write(JsonWriter& json, std::string_view name, const std::optional<lab::Spread>& spread) {
  json.key(name);
  if (!spread) return json.null();
  json.begin_object();
  json.field("mean", spread->mean);
  json.field("sd", spread->sd);
  json.end_object();
}

void write(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  json.key(name);
  if (value)
    json.value(*value);
  else
    json.null();
}

void write(JsonWriter& json, const lab::PackingReport& report, const lab::PackingPolicy& policy) {
  json.begin_object();
  json.field("placement", clean_text(policy.placement));
  write(json, "allocated_pct", policy.allocated_pct);
  json.key("fragmented_pct");
  json.begin_object();
  write(json, "at_80", policy.fragmented_at_80);
  write(json, "at_100", policy.fragmented_at_100);
  json.end_object();
  json.key("runs");
  json.begin_array();
  for (std::size_t i = 0; i < policy.runs.size(); ++i) {
    const sim::FillResult& run = policy.runs[i];
    json.begin_object();
    json.field("seed", report.seeds[i]);
    json.field("tasks", run.tasks);
    json.field("placed", run.placed);
    json.field("allocated_pct", run.allocated_pct);
    write(json, "fragmented_pct_at_80", run.fragmented_at_80);
    write(json, "fragmented_pct_at_100", run.fragmented_at_100);
    json.field("journal_hash", clean_text(run.journal_hash));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

std::string cell(const std::optional<lab::Spread>& spread) {
  if (!spread) return "-";
  return fmt::format("{:.2f} ± {:.2f}", spread->mean, spread->sd);
}

}  // namespace

std::string packing_json(const lab::PackingReport& report) {
  JsonWriter json;
  json.begin_object();
  json.field("pool", clean_text(report.pool));
  json.field("tasks", clean_text(report.tasks));
  json.field("nodes", report.nodes);
  json.field("gpus", report.gpus);
  json.field("fill", report.fill);
  json.field("typical_shapes", report.typical_shapes);
  json.list("seeds", report.seeds, [&](std::uint64_t seed) { json.value(seed); });
  json.list("policies", report.policies,
            [&](const lab::PackingPolicy& policy) { write(json, report, policy); });
  json.end_object();
  return json.text() + "\n";
}

std::string packing_table(const lab::PackingReport& report) {
  std::string text =
      fmt::format("{}\n{}\nTasks for {:.0f} % of the GPUs, {} random order{}\n\n",
                  clean_text(report.pool), clean_text(report.tasks), 100 * report.fill,
                  report.seeds.size(), report.seeds.size() == 1 ? "" : "s");
  std::size_t width = 9;
  for (const lab::PackingPolicy& policy : report.policies)
    width = std::max(width, policy.placement.size());
  text += fmt::format("{:<{}}  {:>16}  {:>16}  {:>16}\n", "", width, "GPUs allocated", "fragments",
                      "fragments");
  text += fmt::format("{:<{}}  {:>16}  {:>16}  {:>16}\n", "placement", width, "in the end, %",
                      "at 80 % come, %", "at 100 % come, %");
  for (const lab::PackingPolicy& policy : report.policies)
    text += fmt::format("{:<{}}  {:>16}  {:>16}  {:>16}\n", clean_text(policy.placement), width,
                        cell(policy.allocated_pct), cell(policy.fragmented_at_80),
                        cell(policy.fragmented_at_100));
  text +=
      "\nMean and standard deviation over the orders. Fragments: idle GPUs that typical demand\n"
      "cannot use, in per cent of all GPUs.\n";
  return text;
}

}  // namespace weir::report
