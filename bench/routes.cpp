// Fabrics of eight planes, one a rail: how long it takes to generate and to understand them, to
// compute the forwarding tables of all planes, and to ask what a gang's ring puts on the cables.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/rng.hpp"
#include "base/text.hpp"
#include "benches.hpp"
#include "fabric/fat_tree_rules.hpp"
#include "fabric/site_routes.hpp"
#include "timings.hpp"

namespace weir::bench {
namespace {

using fabric::RoutingOptions;
using fabric::RoutingRule;
using fabric::SiteRoutes;
using fabric::SiteView;

constexpr std::uint32_t kPlanes = 8;
constexpr std::uint32_t kRingNodes = 512;
constexpr int kRings = 40;

// CPU seconds of a piece of work, whose result is kept.
template <typename Work>
auto timed(double& seconds, Work work) {
  const double begin = cpu_seconds();
  auto result = work();
  seconds = cpu_seconds() - begin;
  return result;
}

// Neighbours from a random node on, or nodes picked at random.
std::vector<NodeId> ring_of(const SiteView& view, bool in_order, Rng& rng) {
  std::vector<NodeId> all;
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n) all.emplace_back(n);
  const std::size_t first = rng.below(all.size() - kRingNodes + 1);
  if (in_order) {
    std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(first));
  } else {
    for (std::size_t i = 0; i < kRingNodes; ++i)
      std::swap(all[i], all[i + rng.below(all.size() - i)]);
  }
  all.resize(kRingNodes);
  return all;
}

struct RingFigures {
  double milliseconds = 0;  // CPU time, mean
  double over_spines = 0;   // of a rail's routes, mean
  double busiest = 0;       // routes on the busiest cable, mean of rings and rails
};

Result<RingFigures> measure_rings(const SiteView& view, const SiteRoutes& routes, bool in_order) {
  Rng rng(42);
  fabric::LinkLoad scratch(view.graph);
  RingFigures figures;
  double rails = 0;
  for (int i = 0; i < kRings; ++i) {
    const std::vector<NodeId> ranks = ring_of(view, in_order, rng);
    double seconds = 0;
    const auto rings = WEIR_TRY(timed(seconds, [&] { return routes.ring(ranks, scratch); }));
    figures.milliseconds += seconds * 1e3 / kRings;
    for (const fabric::RingLoad& ring : rings) {
      figures.over_spines += ring.over_spines;
      figures.busiest += ring.busiest ? ring.busiest->routes : 0;
      ++rails;
    }
  }
  figures.over_spines /= rails;
  figures.busiest /= rails;
  return figures;
}

struct SiteFigures {
  double generate = 0;
  double analyse = 0;
  double ftree = 0;
  double minhop = 0;
  double entries = 0;
  RingFigures in_order;
  RingFigures at_random;
};

Result<SiteFigures> measure_site(std::uint32_t nodes) {
  SiteFigures figures;
  fabric::FatTreeWish wish;
  wish.nodes = nodes;
  wish.planes = kPlanes;
  const fabric::FatTree plan = WEIR_TRY(fabric::plan_fat_tree(wish));
  fabric::Snapshot graph =
      WEIR_TRY(timed(figures.generate, [&] { return fabric::generate(plan); }));
  const SiteView view = timed(figures.analyse, [&] { return analyse(std::move(graph)); });
  for (const fabric::Subnet& subnet : WEIR_TRY(fabric::subnets_of(view.graph)))
    figures.entries += static_cast<double>(subnet.switches.size()) * subnet.last_lid.value();
  {
    const SiteRoutes minhop = WEIR_TRY(timed(figures.minhop, [&] {
      return SiteRoutes::compute(view, RoutingOptions{RoutingRule::kMinhop, {}, false});
    }));
  }
  const SiteRoutes ftree =
      WEIR_TRY(timed(figures.ftree, [&] { return SiteRoutes::compute(view, {}); }));
  figures.in_order = WEIR_TRY(measure_rings(view, ftree, true));
  figures.at_random = WEIR_TRY(measure_rings(view, ftree, false));
  return figures;
}

}  // namespace

Status bench_routes(const BenchOptions& /*options*/, BenchReport& report) {
  std::vector<std::pair<std::uint32_t, SiteFigures>> sites;
  for (const std::uint32_t nodes : {1'024U, 4'096U, 16'384U})
    sites.emplace_back(nodes, WEIR_TRY(measure_site(nodes)));
  report.table("Fabrics of 8 planes, 8 rails: CPU seconds, one core", "nodes",
               {"generate", "analyse", "minhop", "ftree", "entries", "ftree M/s"});
  for (const auto& [nodes, f] : sites)
    report.row(with_thousands(nodes),
               {f.generate, f.analyse, f.minhop, f.ftree, f.entries, f.entries / f.ftree / 1e6});
  report.table("Ring of 512 nodes, 8 rails, by ftree tables", "nodes, ranks",
               {"CPU ms", "rings/s", "over spines", "busiest"});
  for (const auto& [nodes, f] : sites)
    for (const bool in_order : {true, false}) {
      const RingFigures& ring = in_order ? f.in_order : f.at_random;
      report.row(fmt::format("{}, {}", with_thousands(nodes), in_order ? "in order" : "at random"),
                 {ring.milliseconds, 1e3 / ring.milliseconds, ring.over_spines, ring.busiest});
    }
  return {};
}

}  // namespace weir::bench
