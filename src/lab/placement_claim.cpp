#include "lab/placement_claim.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "core/journal.hpp"
#include "fabric/collectives.hpp"
#include "fabric/generator.hpp"
#include "fabric/reference_fabrics.hpp"
#include "fabric/site_routes.hpp"
#include "fabric/site_view.hpp"
#include "sim/simulation.hpp"

namespace weir::lab {
namespace {

using fabric::Channel;
using fabric::RailNumber;
using fabric::Route;
using fabric::SiteRoutes;
using fabric::SiteView;

constexpr std::uint32_t kGpusPerNode = 8;

// Sums over the gangs of one run.
struct Sums {
  std::uint64_t gangs = 0;
  double over_spines = 0;
  double busiest = 0;
  double all_reduce_ms = 0;
  double overhead = 0;
  double output = 0;
};

// The gangs that run, and what their rings put on each direction of each cable.
class Traffic {
 public:
  Traffic(const SiteView& view, const SiteRoutes& routes, const PlacementClaimOptions& options)
      : view_(view), routes_(routes), options_(options), load_(view.graph.links.size() * 2, 0) {}

  Status start(JobId job, const Lease& lease) {
    Gang gang;
    gang.nodes = static_cast<std::uint32_t>(lease.parts.size());
    for (std::uint8_t rail = 0; rail < kGpusPerNode; ++rail) {
      std::vector<Route>& ring = gang.rings.emplace_back();
      for (std::size_t i = 0; i < lease.parts.size(); ++i) {
        const NodeId to = lease.parts[(i + 1) % lease.parts.size()].node;
        ring.push_back(WEIR_TRY(routes_.route(lease.parts[i].node, to, RailNumber(rail))));
      }
    }
    add(gang, 1);
    gangs_.emplace(job, std::move(gang));
    return {};
  }

  void end(JobId job) {
    const auto found = gangs_.find(job);
    if (found == gangs_.end()) return;
    add(found->second, -1);
    gangs_.erase(found);
  }

  void look_at(JobId job, Sums& sums) const {
    const Gang& gang = gangs_.at(job);
    double slowest = 0;
    std::int32_t busiest = 0;
    std::size_t over_spines = 0;
    std::size_t routes = 0;
    for (const std::vector<Route>& ring : gang.rings) {
      std::int32_t most = 1;
      double least_rate = INFINITY;
      for (const Route& route : ring) {
        // Up to the leaf and down again; anything longer meets another switch.
        if (route.size() > 2) ++over_spines;
        ++routes;
        for (const Channel channel : route) {
          const std::int32_t load = load_[channel.index()];
          most = std::max(most, load);
          least_rate =
              std::min(least_rate,
                       static_cast<double>(
                           fabric::bandwidth(view_.graph.at(channel.link).rate).bits_per_second()) /
                           load);
        }
      }
      fabric::CollectiveLinks links;
      links.between = Bandwidth(static_cast<std::uint64_t>(least_rate));
      slowest = std::max(
          slowest, fabric::gang_all_reduce(options_.gradients, gang.nodes, kGpusPerNode, links));
      busiest = std::max(busiest, most);
    }
    const double shown = std::max(0.0, slowest - options_.overlap * options_.compute_s);
    const double step = options_.compute_s + shown;
    ++sums.gangs;
    sums.over_spines += static_cast<double>(over_spines) / static_cast<double>(routes);
    sums.busiest += busiest;
    sums.all_reduce_ms += slowest * 1e3;
    sums.overhead += shown / step;
    sums.output += options_.compute_s / step;
  }

 private:
  struct Gang {
    std::uint32_t nodes = 0;
    std::vector<std::vector<Route>> rings;  // [rail][rank]
  };

  void add(const Gang& gang, std::int32_t sign) {
    for (const std::vector<Route>& ring : gang.rings)
      for (const Route& route : ring)
        for (const Channel channel : route) load_[channel.index()] += sign;
  }

  const SiteView& view_;
  const SiteRoutes& routes_;
  const PlacementClaimOptions& options_;
  std::vector<std::int32_t> load_;  // by Channel::index
  std::map<JobId, Gang> gangs_;
};

// Follows a journal: rings come and go as the gangs do.
Result<Sums> follow(ByteSpan journal, Traffic traffic) {
  Sums sums;
  core::JournalReader reader(journal);
  WEIR_TRY(reader.header());
  while (!reader.at_end()) {
    const core::TurnRecord turn = WEIR_TRY(reader.turn());
    for (const Event& event : turn.events)
      if (const auto* ended = std::get_if<JobEnded>(&event)) traffic.end(ended->job);
    std::vector<JobId> started;
    for (const Decision& decision : turn.decisions) {
      const auto* start = std::get_if<JobStarted>(&decision);
      if (start == nullptr || start->lease.parts.size() < 2) continue;
      WEIR_TRY(traffic.start(start->job, start->lease));
      started.push_back(start->job);
    }
    for (const JobId job : started) traffic.look_at(job, sums);
  }
  return sums;
}

MeanAndSpread over_seeds(const std::vector<Sums>& runs, double Sums::* figure) {
  std::vector<double> means;
  for (const Sums& run : runs)
    if (run.gangs > 0) means.push_back(run.*figure / static_cast<double>(run.gangs));
  MeanAndSpread result;
  for (const double mean : means) result.mean += mean / static_cast<double>(means.size());
  if (means.size() < 2) return result;
  double squares = 0;
  for (const double mean : means) squares += (mean - result.mean) * (mean - result.mean);
  result.sd = std::sqrt(squares / static_cast<double>(means.size() - 1));
  return result;
}

PlacementFigures summarise(std::string placement, const std::vector<Sums>& runs) {
  PlacementFigures figures;
  figures.placement = std::move(placement);
  for (const Sums& run : runs) figures.gangs += run.gangs;
  figures.over_spines = over_seeds(runs, &Sums::over_spines);
  figures.busiest = over_seeds(runs, &Sums::busiest);
  figures.all_reduce_ms = over_seeds(runs, &Sums::all_reduce_ms);
  figures.overhead = over_seeds(runs, &Sums::overhead);
  figures.output = over_seeds(runs, &Sums::output);
  return figures;
}

Result<Trace> jobs_of(const PlacementClaimOptions& options, const sim::SimulatedPool& pool,
                      RailMask rails, std::uint64_t seed) {
  sim::WorkloadOptions workload;
  workload.kind = options.workload;
  workload.seed = seed;
  workload.load = options.load;
  workload.length = options.length;
  workload.pool_gpus = pool.gpus();
  workload.gpus_per_node = kGpusPerNode;
  workload.biggest_gang =
      std::min(workload.biggest_gang, static_cast<std::uint32_t>(pool.nodes.size() / 2));
  Trace trace = WEIR_TRY(sim::generate_workload(workload));
  for (TraceJob& job : trace) job.job.requirement.rails = rails;
  return trace;
}

}  // namespace

Result<std::vector<PlacementFigures>> measure_placement_claim(
    const PlacementClaimOptions& options) {
  const fabric::ReferenceFabric* reference = fabric::reference_fabric_called(options.fabric);
  if (reference == nullptr)
    return bad_input(fmt::format("fabric {}: `weir fabric generate --list` names those that are",
                                 quoted(options.fabric)));
  fabric::FatTree plan = fabric::plan_of(*reference);
  if (options.uplinks > 0) plan.leaf_uplinks = options.uplinks;
  const SiteView view = fabric::analyse(WEIR_TRY(fabric::generate(plan)));
  const SiteRoutes routes = WEIR_TRY(SiteRoutes::compute(view, {}));
  NodeKind kind;
  kind.total.gpus = kGpusPerNode;
  const sim::SimulatedPool pool{fabric::locality(view), fabric::pool_nodes(view, kind)};
  const auto rails = static_cast<RailMask>((1U << kGpusPerNode) - 1);
  std::vector<PlacementFigures> all;
  for (const std::string& placement : options.placements) {
    std::vector<Sums> runs;
    for (const std::uint64_t seed : options.seeds) {
      const Trace trace = WEIR_TRY(jobs_of(options, pool, rails, seed));
      std::vector<std::uint8_t> journal;
      sim::SimulationOptions run;
      run.settings.placement = placement;
      run.settings.backfill = sched::Backfill::kEasy;
      run.settings.seed = seed;
      run.journal = [&](ByteSpan frame) -> Status {
        journal.insert(journal.end(), frame.begin(), frame.end());
        return {};
      };
      WEIR_TRY(sim::simulate(pool, trace, run));
      runs.push_back(WEIR_TRY(follow(journal, Traffic(view, routes, options))));
    }
    all.push_back(summarise(placement, runs));
  }
  return all;
}

}  // namespace weir::lab
