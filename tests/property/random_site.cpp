#include "property/random_site.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace weir::property {
namespace {

const std::vector<std::vector<Level>>& level_sets() {
  using enum Level;
  static const std::vector<std::vector<Level>> kSets = {
      {kUnit, kPod, kFabric, kSite},
      {kUnit, kPod, kFabric, kSite},
      {kUnit, kPod, kFabric, kSite},
      {kBlock, kUnit, kPod, kFabric, kSite},
      {kBlock, kUnit, kPod, kFabric, kSite},
      {kUnit, kFabric, kSite},
      {kBlock, kFabric},
      {kUnit, kPod},
      {kUnit},
      {kFabric, kSite},
  };
  return kSets;
}

Locality random_locality(const Draw& draw) {
  Locality locality;
  if (draw.chance(8)) {
    locality = flat_locality();
    return locality;
  }
  const std::vector<Level> levels = draw.pick(level_sets());
  // From the top down; the children of each domain follow each other.
  std::vector<LevelTable> tables;
  for (std::size_t i = levels.size(); i > 0; --i) {
    LevelTable table{levels[i - 1], {}};
    const std::string name(to_text(table.level));
    if (tables.empty()) {
      const std::uint32_t tops = draw.chance(70) ? 1 : draw.between(2, 3);
      for (std::uint32_t d = 0; d < tops; ++d)
        table.domains.push_back({DomainId::none(), fmt::format("{}{}", name, d)});
    } else {
      const auto parents = static_cast<std::uint32_t>(tables.back().domains.size());
      const std::uint32_t most = tables.back().domains.size() > 4 ? 2 : 4;
      for (std::uint32_t parent = 0; parent < parents; ++parent) {
        const std::uint32_t children = draw.chance(5) ? 0 : draw.between(1, most);
        for (std::uint32_t child = 0; child < children; ++child)
          table.domains.push_back(
              {DomainId(parent), fmt::format("{}{}", name, table.domains.size())});
      }
      if (table.domains.empty()) table.domains.push_back({DomainId(0), name});
    }
    tables.push_back(std::move(table));
  }
  std::ranges::reverse(tables);
  locality.levels = std::move(tables);
  locality.known = true;
  return locality;
}

NodeKind random_kind(const Draw& draw) {
  NodeKind kind;
  const std::uint32_t gpus = draw.pick<std::uint32_t>({8, 8, 8, 4, 4, 2, 1, 0, 16, 32});
  kind.total.gpus = gpus;
  kind.total.cpu_milli = draw.pick<std::uint32_t>({gpus * 4, gpus * 4, gpus * 2 + 1, 7, 64, gpus});
  kind.total.memory_mib = draw.pick<std::uint32_t>({gpus * 10, gpus * 10, 100, gpus * 3 + 1, 50});
  if (gpus > 0) kind.gpu_model = draw.pick<std::string>({"H100", "H100", "A100", ""});
  if (draw.chance(60)) kind.partitions.push_back("batch");
  if (draw.chance(30)) kind.partitions.push_back("debug");
  if (draw.chance(40)) kind.features.push_back("nvme");
  if (draw.chance(30)) kind.features.push_back("sxm");
  return kind;
}

// How the nodes of one site are drawn: most cells are alike, some mix kinds.
struct Taste {
  std::vector<NodeKind> kinds;
  std::uint32_t worse_percent = 0;  // of nodes that are not graded good
  std::uint32_t away_percent = 0;   // drained or down
  std::uint32_t rail_percent = 0;   // some rail is missing
};

Node node_of(const Draw& draw, const Taste& taste, std::uint32_t number, DomainId cell) {
  Node node;
  node.name = fmt::format("node{}", number);
  node.kind = draw.pick(taste.kinds);
  node.cell = cell;
  node.rails = 0xf;
  if (draw.chance(taste.rail_percent))
    node.rails = static_cast<RailMask>(draw.pick<std::uint32_t>({0, 0x7, 0xe, 0x1, 0xb}));
  if (draw.chance(taste.worse_percent)) node.grade = random_grade(draw);
  if (draw.chance(taste.away_percent))
    node.availability = draw.chance(50) ? Availability::kDrained : Availability::kDown;
  return node;
}

std::uint32_t nodes_in_cell(const Draw& draw, bool big) {
  if (big) return draw.between(60, 75);
  return draw.chance(8) ? 0 : draw.between(1, draw.chance(20) ? 12 : 5);
}

void ask_resources(const Draw& draw, const NodeKind& kind, Capacity& demand) {
  const Capacity& total = kind.total;
  if (total.gpus > 0) {
    demand.gpus = draw.between(1, total.gpus);
    if (draw.chance(50)) demand.gpus = total.gpus;
    if (draw.chance(8)) demand.gpus = 0;
    if (draw.chance(3)) demand.gpus = std::min(32U, total.gpus + 1);
  }
  const std::uint32_t share = std::max(1U, total.gpus);
  if (draw.chance(35)) demand.cpu_milli = total.cpu_milli * demand.gpus / share;
  if (draw.chance(20))
    demand.cpu_milli = draw.between(0, total.cpu_milli + (draw.chance(10) ? 1 : 0));
  if (draw.chance(25)) demand.memory_mib = total.memory_mib * demand.gpus / share;
  if (draw.chance(15)) demand.memory_mib = draw.between(0, total.memory_mib);
  if (demand == Capacity{}) demand.cpu_milli = 1;
}

// Instead of whole GPUs.
void ask_share(const Draw& draw, Capacity& demand) {
  demand.gpus = 0;
  demand.gpu_milli = draw.pick<std::uint32_t>({500, 500, 250, 300, 700, 999, 1, 0});
  if (demand.gpu_milli == 0) demand.gpu_milli = draw.between(1, 999);
}

void ask_gang(const Draw& draw, const RandomSite& site, const NodeKind& kind, Gang& gang) {
  gang.nodes = 1;
  if (draw.chance(50)) gang.nodes = draw.between(2, 5);
  if (draw.chance(15)) gang.nodes = draw.between(4, 12);
  if (draw.chance(4))
    gang.nodes = draw.between(1, static_cast<std::uint32_t>(site.nodes.size()) + 2);
  ask_resources(draw, kind, gang.per_node);
  if (gang.nodes == 1 && draw.chance(kind.total.gpus > 0 ? 40 : 2))
    return ask_share(draw, gang.per_node);
  if (!draw.chance(25)) return;
  gang.tail = {draw.between(0, gang.per_node.gpus), draw.between(0, gang.per_node.cpu_milli),
               draw.between(0, gang.per_node.memory_mib)};
}

Level random_level(const Draw& draw, const RandomSite& site) {
  if (draw.chance(5)) return static_cast<Level>(draw.between(0, kLevels - 1));
  return draw.pick(site.locality.levels).level;
}

void ask_topology(const Draw& draw, const RandomSite& site, const Gang& gang, TopologyWish& wish) {
  if (draw.chance(25)) wish.require = random_level(draw, site);
  if (draw.chance(10)) wish.prefer = random_level(draw, site);
  if (draw.chance(14)) wish.exclusive = random_level(draw, site);
  if (gang.has_tail() || !draw.chance(gang.nodes > 1 ? 30 : 5)) return;
  wish.segment_nodes = draw.between(1, gang.nodes);
  while (gang.nodes % wish.segment_nodes != 0) --wish.segment_nodes;
  wish.segment_level = random_level(draw, site);
}

void ask_attributes(const Draw& draw, const NodeKind& kind, Requirement& wanted) {
  if (draw.chance(15)) wanted.partition = draw.pick<std::string>({"batch", "debug"});
  if (draw.chance(2)) wanted.partition = "nowhere";
  if (draw.chance(20) && !kind.gpu_model.empty()) wanted.gpu_models = {kind.gpu_model};
  if (draw.chance(5)) wanted.gpu_models = {"A100", "H100"};
  if (draw.chance(1)) wanted.gpu_models = {"T4"};
  if (draw.chance(12)) wanted.features = kind.features;
  if (draw.chance(4)) wanted.features = {"nvme", "sxm"};
  if (draw.chance(25)) wanted.worst_grade = random_grade(draw);
  if (draw.chance(25))
    wanted.rails = static_cast<RailMask>(draw.pick<std::uint32_t>({0xf, 0x1, 0x3, 0x8}));
  if (draw.chance(1)) wanted.rails = 0x10;
}

}  // namespace

Grade random_grade(const Draw& draw) { return static_cast<Grade>(draw.between(0, kGrades - 1)); }

RandomSite random_site(const Draw& draw) {
  RandomSite site;
  site.locality = random_locality(draw);
  Taste taste;
  for (std::uint32_t i = draw.between(1, 4); i > 0; --i) taste.kinds.push_back(random_kind(draw));
  // Alike nodes make ties.
  if (draw.chance(40)) taste.kinds.resize(1);
  if (draw.chance(50)) taste.worse_percent = draw.between(5, 40);
  if (draw.chance(30)) taste.away_percent = draw.between(3, 20);
  if (draw.chance(30)) taste.rail_percent = draw.between(5, 40);
  const std::size_t cells = site.locality.levels.front().domains.size();
  const bool big = cells <= 3 && draw.chance(4);
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    for (std::uint32_t i = nodes_in_cell(draw, big); i > 0; --i)
      site.nodes.push_back(node_of(draw, taste, 0, DomainId(cell)));
  draw.shuffle(site.nodes);
  if (site.nodes.size() > 90 && !big) site.nodes.resize(90);
  for (std::size_t i = 0; i < site.nodes.size(); ++i) site.nodes[i].name = fmt::format("node{}", i);
  return site;
}

Node random_node(const Draw& draw, const RandomSite& site, std::uint32_t number) {
  Taste taste;
  taste.kinds = {site.nodes.empty() || draw.chance(30) ? random_kind(draw)
                                                       : draw.pick(site.nodes).kind};
  taste.worse_percent = 20;
  const auto cells = static_cast<std::uint32_t>(site.locality.levels.front().domains.size());
  return node_of(draw, taste, number, DomainId(draw.between(0, cells - 1)));
}

slow::Ask random_ask(const Draw& draw, const RandomSite& site) {
  const NodeKind kind = site.nodes.empty() ? random_kind(draw) : draw.pick(site.nodes).kind;
  slow::Ask ask;
  ask_gang(draw, site, kind, ask.gang);
  ask_attributes(draw, kind, ask.requirement);
  ask_topology(draw, site, ask.gang, ask.wish);
  return ask;
}

Job random_job(const Draw& draw, const slow::Ask& ask) {
  Job job;
  job.name = "job";
  job.user = "user";
  job.gang = ask.gang;
  job.requirement = ask.requirement;
  job.wish = ask.wish;
  job.priority = static_cast<std::int64_t>(draw.between(0, 6)) - 3;
  // Few values, so that estimates tie and touch the promise exactly; some are zero.
  const std::int64_t ten_seconds = 10'000'000;
  job.estimate = Duration(draw.chance(5) ? 0 : ten_seconds * draw.between(1, 30));
  // And now and then a moment over or short of one.
  if (draw.chance(8))
    job.estimate += Duration(draw.chance(50) || job.estimate.count() == 0 ? 1 : -1);
  return job;
}

}  // namespace weir::property
