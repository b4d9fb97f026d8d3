#include "report/claim_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.hpp"
#include "base/text.hpp"

namespace weir::report {
namespace {

using lab::MeanAndSpread;
using lab::PlacementFigures;

std::string in_percent(const MeanAndSpread& figure) {
  return fmt::format("{:.1f} ± {:.1f}", figure.mean * 100, figure.sd * 100);
}

std::string plain(const MeanAndSpread& figure) {
  return fmt::format("{:.2f} ± {:.2f}", figure.mean, figure.sd);
}

std::string setting(const lab::PlacementClaimOptions& options) {
  return fmt::format(
      "fabric    {}{}, tables as OpenSM's ftree\n"
      "jobs      made:{} at {:.0f} % load for {}, seeds {}, EASY; each gang is looked at when it\n"
      "          starts, with the rings of all gangs that run then\n"
      "step      {:.2f} s of computation, an all-reduce of {:.1f} GB over all GPUs of the gang, "
      "{:.0f} %\n"
      "          of the computation hides it\n\n",
      options.fabric,
      options.uplinks > 0 ? fmt::format(", {} cables up a leaf", options.uplinks) : "",
      sim::to_text(options.workload), options.load * 100, format_duration(options.length),
      fmt::join(options.seeds, ", "), options.compute_s,
      static_cast<double>(options.gradients.count()) / 1e9, options.overlap * 100);
}

void write(JsonWriter& json, std::string_view name, const MeanAndSpread& figure) {
  json.key(name);
  json.begin_object();
  json.field("mean", figure.mean);
  json.field("sd", figure.sd);
  json.end_object();
}

}  // namespace

std::string claim_text(const lab::PlacementClaimOptions& options,
                       const std::vector<PlacementFigures>& figures) {
  std::string text = setting(options);
  text +=
      fmt::format("{:<14}{:>8}{:>16}{:>16}{:>20}{:>16}{:>16}\n", "placement", "gangs",
                  "over spines, %", "busiest cable", "all-reduce, ms", "overhead, %", "output, %");
  for (const PlacementFigures& one : figures)
    text += fmt::format("{:<14}{:>8}{:>16}{:>16}{:>20}{:>16}{:>16}\n", one.placement,
                        with_thousands(one.gangs), in_percent(one.over_spines), plain(one.busiest),
                        plain(one.all_reduce_ms), in_percent(one.overhead), in_percent(one.output));
  text += "\nMeans over gangs of several nodes, ± one standard deviation over the seeds.\n";
  for (std::size_t i = 1; i < figures.size(); ++i) {
    const PlacementFigures& first = figures[0];
    const PlacementFigures& other = figures[i];
    if (other.overhead.mean <= 0 || other.output.mean <= 0) continue;
    text += fmt::format(
        "{} against {}: communication overhead {:+.1f} %, output of a GPU {:+.1f} %\n",
        first.placement, other.placement, (first.overhead.mean / other.overhead.mean - 1) * 100,
        (first.output.mean / other.output.mean - 1) * 100);
  }
  return text;
}

std::string claim_json(const lab::PlacementClaimOptions& options,
                       const std::vector<PlacementFigures>& figures) {
  JsonWriter json;
  json.begin_object();
  json.field("fabric", options.fabric);
  json.field("uplinks", options.uplinks);
  json.field("workload", sim::to_text(options.workload));
  json.field("load", options.load);
  json.field("length_s", seconds(options.length));
  json.list("seeds", options.seeds, [&](std::uint64_t seed) { json.value(seed); });
  json.field("gradient_bytes", options.gradients.count());
  json.field("compute_s", options.compute_s);
  json.field("overlap", options.overlap);
  json.list("placements", figures, [&](const PlacementFigures& one) {
    json.begin_object();
    json.field("placement", one.placement);
    json.field("gangs", one.gangs);
    write(json, "over_spines", one.over_spines);
    write(json, "busiest_cable_routes", one.busiest);
    write(json, "all_reduce_ms", one.all_reduce_ms);
    write(json, "overhead", one.overhead);
    write(json, "output", one.output);
    json.end_object();
  });
  json.end_object();
  return json.text();
}

}  // namespace weir::report
