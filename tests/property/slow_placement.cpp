#include "property/slow_placement.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace weir::slow {
namespace {

using Nodes = std::vector<NodeId>;

std::uint32_t free_gpus(const Fit& fit, NodeId node) {
  return fit.world().nodes[node.index()].free.gpus;
}

std::pair<DomainId, NodeId> rank_of(const Fit& fit, NodeId node) {
  return {domain_at(fit.cluster(), node, 0), node};
}

void sort_by_rank(const Fit& fit, Nodes& nodes) {
  std::sort(nodes.begin(), nodes.end(),
            [&](NodeId a, NodeId b) { return rank_of(fit, a) < rank_of(fit, b); });
}

bool has(const Nodes& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

// Nodes of a cell that could serve and have all their GPUs.
std::uint32_t idle_in_cell(const Fit& fit, DomainId cell) {
  std::uint32_t idle = 0;
  for (std::uint32_t i = 0; i < fit.world().nodes.size(); ++i) {
    const Standing& node = fit.world().nodes[i];
    if (domain_at(fit.cluster(), NodeId(i), 0) == cell && node.offered &&
        fit.eligible(NodeId(i), fit.ask().gang.per_node) &&
        node.free.gpus == fit.cluster().nodes[i].kind.total.gpus)
      ++idle;
  }
  return idle;
}

// Of the GPU that a share would get on the node; alike for what is no share.
std::uint32_t left_on_gpu(const Fit& fit, NodeId node, std::uint32_t milli) {
  if (milli == 0) return 0;
  const Standing& standing = fit.world().nodes[node.index()];
  const auto shared = standing.shared.find(usual_gpu(standing, milli));
  return shared == standing.shared.end() ? 1000 : shared->second;
}

Choice choose_one_node(const Fit& fit) {
  // What a share's GPU has left now comes first.
  std::optional<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, DomainId, NodeId>> best;
  const std::uint32_t milli = fit.ask().gang.per_node.gpu_milli;
  for (std::uint32_t i = 0; i < fit.world().nodes.size(); ++i) {
    const NodeId node(i);
    if (!fit.serves(node, fit.ask().gang.per_node)) continue;
    const DomainId cell = domain_at(fit.cluster(), node, 0);
    const std::tuple mine{left_on_gpu(fit, node, milli), free_gpus(fit, node),
                          idle_in_cell(fit, cell), cell, node};
    if (!best || mine < *best) best = mine;
  }
  if (!best) return std::nullopt;
  return Nodes{std::get<NodeId>(*best)};
}

struct Child {
  std::uint32_t capacity = 0;
  DomainId domain;
  friend auto operator<=>(const Child&, const Child&) = default;
};

std::uint64_t sum_of(const std::vector<Child>& children) {
  std::uint64_t sum = 0;
  for (const Child& child : children) sum += child.capacity;
  return sum;
}

std::size_t fewest(std::vector<Child> children, std::uint64_t amount) {
  std::sort(children.rbegin(), children.rend());
  std::size_t count = 0;
  for (std::uint64_t sum = 0; sum < amount; ++count) sum += children[count].capacity;
  return count;
}

// Of all runs of neighbours in order of capacity, as short as can be, the first that holds the
// amount; then its smallest member gives way to the smallest of all that still does.
std::vector<Child> tight_children(std::vector<Child> children, std::uint64_t amount) {
  std::sort(children.begin(), children.end());
  const std::size_t count = fewest(children, amount);
  for (std::size_t first = 0; first + count <= children.size(); ++first) {
    std::vector<Child> run;
    for (std::size_t i = 0; i < count; ++i) run.push_back(children[first + i]);
    if (sum_of(run) < amount) continue;
    for (const Child& smaller : children) {
      std::vector<Child> changed = run;
      changed.front() = smaller;
      if (sum_of(changed) >= amount) return changed;
    }
  }
  return {};
}

// How many nodes one child counts as: a whole segment above the segments' level.
std::uint32_t unit_nodes(const Fit& fit, std::size_t depth) {
  const bool segments = fit.ask().wish.segment_nodes > 0 && depth > fit.segment_depth();
  return segments ? fit.ask().wish.segment_nodes : 1;
}

std::vector<Child> children_with_room(const Fit& fit, Place place) {
  const bool segments = unit_nodes(fit, place.depth) > 1 ||
                        (fit.ask().wish.segment_nodes == 1 && place.depth > fit.segment_depth());
  std::vector<Child> children;
  for (const DomainId domain : fit.children(place)) {
    const Place child{place.depth - 1, domain};
    const std::uint32_t room =
        segments ? fit.segments_in(child) : static_cast<std::uint32_t>(fit.whole_in(child).size());
    if (room > 0) children.push_back({room, domain});
  }
  return children;
}

void spread(const Fit& fit, Place place, std::uint32_t nodes, Nodes& out) {
  if (place.depth == 0) {
    Nodes inside = fit.whole_in(place);
    std::stable_sort(inside.begin(), inside.end(),
                     [&](NodeId a, NodeId b) { return free_gpus(fit, a) < free_gpus(fit, b); });
    out.insert(out.end(), inside.begin(), inside.begin() + static_cast<std::ptrdiff_t>(nodes));
    return;
  }
  const std::uint32_t unit = unit_nodes(fit, place.depth);
  std::uint32_t left = nodes / unit;
  for (const Child& child : tight_children(children_with_room(fit, place), left)) {
    const std::uint32_t amount = std::min(left, child.capacity);
    spread(fit, {place.depth - 1, child.domain}, amount * unit, out);
    left -= amount;
  }
}

// The tightest node, if possible in a cell where the gang already is.
NodeId choose_tail(const Fit& fit, Place place, const Nodes& chosen) {
  std::optional<std::tuple<bool, std::uint32_t, DomainId, NodeId>> best;
  for (const NodeId node : fit.tail_in(place)) {
    if (has(chosen, node)) continue;
    const DomainId cell = domain_at(fit.cluster(), node, 0);
    const bool elsewhere = std::none_of(chosen.begin(), chosen.end(), [&](NodeId other) {
      return domain_at(fit.cluster(), other, 0) == cell;
    });
    const std::tuple mine{elsewhere, free_gpus(fit, node), cell, node};
    if (!best || mine < *best) best = mine;
  }
  return best ? std::get<NodeId>(*best) : NodeId::none();
}

DomainId tightest_domain(const Fit& fit, std::size_t depth) {
  std::optional<Child> best;
  for (std::uint32_t d = 0; d < fit.domains(depth); ++d) {
    const Place place{depth, DomainId(d)};
    if (!fit.holds(place)) continue;
    const Child mine{static_cast<std::uint32_t>(fit.whole_in(place).size()), place.domain};
    if (!best || mine < *best) best = mine;
  }
  return best->domain;
}

// The lowest nodes of a domain, whole segments where they are asked for.
Nodes lowest_nodes(const Fit& fit, Place place) {
  const std::uint32_t wanted = fit.ask().gang.nodes;
  const std::uint32_t segment = fit.ask().wish.segment_nodes;
  Nodes chosen;
  if (segment == 0 || place.depth < fit.segment_depth()) {
    chosen = fit.whole_in(place);
    chosen.resize(wanted);
    return chosen;
  }
  for (std::uint32_t d = 0; d < fit.domains(fit.segment_depth()); ++d) {
    Nodes inside = fit.whole_in({fit.segment_depth(), DomainId(d)});
    std::erase_if(inside, [&](NodeId node) {
      return domain_at(fit.cluster(), node, place.depth) != place.domain;
    });
    const std::size_t whole = inside.size() / segment * segment;
    for (std::size_t i = 0; i < whole && chosen.size() < wanted; ++i) chosen.push_back(inside[i]);
  }
  return chosen;
}

}  // namespace

Choice choose_weir(const Fit& fit) {
  if (!fit.fits()) return std::nullopt;
  const TopologyWish& wish = fit.ask().wish;
  if (fit.ask().gang.node_count() == 1 && !wish.exclusive && wish.segment_nodes == 0)
    return choose_one_node(fit);
  const std::size_t depth = *fit.smallest();
  const Place place{depth, tightest_domain(fit, depth)};
  Nodes chosen;
  spread(fit, place, fit.ask().gang.nodes, chosen);
  sort_by_rank(fit, chosen);
  if (fit.ask().gang.has_tail()) chosen.push_back(choose_tail(fit, place, chosen));
  return chosen;
}

Choice choose_first_fit(const Fit& fit) {
  if (!fit.fits()) return std::nullopt;
  Place place{fit.widest(), DomainId(0)};
  while (!fit.holds(place)) place.domain = DomainId(place.domain.value() + 1);
  Nodes chosen = lowest_nodes(fit, place);
  sort_by_rank(fit, chosen);
  if (!fit.ask().gang.has_tail()) return chosen;
  for (const NodeId node : fit.tail_in(place)) {
    if (has(chosen, node)) continue;
    chosen.push_back(node);
    break;
  }
  return chosen;
}

Status check_tightness(const Fit& fit, const Nodes& nodes) {
  const std::size_t smallest = *fit.smallest();
  const Level level = fit.cluster().locality.levels[smallest].level;
  if (spanned_level(fit.cluster(), nodes) != level)
    return corrupt("weir spans another level than the smallest that holds the gang");
  if (smallest == 0 || fit.ask().gang.has_tail()) return {};
  const Place place{smallest, domain_at(fit.cluster(), nodes.front(), smallest)};
  std::vector<DomainId> used;
  for (const NodeId node : nodes) used.push_back(domain_at(fit.cluster(), node, smallest - 1));
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const std::uint32_t amount = fit.ask().gang.nodes / unit_nodes(fit, smallest);
  if (used.size() != fewest(children_with_room(fit, place), amount))
    return corrupt("weir uses more of the smaller domains than it must");
  return {};
}

}  // namespace weir::slow
