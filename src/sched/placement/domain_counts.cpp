#include "sched/placement/domain_counts.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "sched/placement/cell_search.hpp"

namespace weir::sched {
namespace {

using pool::FreeCapacityIndex;

static_assert(limits::kNodes <= UINT16_MAX);

void add(std::uint16_t& sum, std::uint16_t count) { sum = static_cast<std::uint16_t>(sum + count); }

// out[d] = sum of below over the children of d, per level from `from` upward.
void sum_up(const FreeCapacityIndex& index, std::size_t from,
            std::vector<std::vector<std::uint16_t>>& levels) {
  for (std::size_t depth = from; depth < index.levels(); ++depth) {
    levels[depth].assign(index.domains(depth), 0);
    for (std::uint32_t d = 0; d < index.domains(depth - 1); ++d)
      add(levels[depth][index.parent(depth - 1, DomainId(d)).index()], levels[depth - 1][d]);
  }
}

void sum_classes(const FreeCapacityIndex& index, const NodeQuery& query, std::size_t depth,
                 std::vector<std::uint16_t>& out) {
  out.assign(index.domains(depth), 0);
  for (const pool::EligibleClass& eligible : query.classes) {
    const auto counts = index.counts(depth, eligible.id, query.demand.gpus);
    for (std::size_t d = 0; d < counts.size(); ++d) add(out[d], counts[d]);
  }
}

}  // namespace

bool DomainCounts::compute(const FreeCapacityIndex& index, const Request& request) {
  const TopologyWish& wish = request.wish;
  const std::size_t none = index.levels();
  // A gang of several nodes needs the network between them: never beyond one fabric.
  const std::size_t fabric = std::min(index.depth_of(Level::kFabric), none - 1);
  depths_.widest = request.single_node() ? none - 1 : fabric;
  if (wish.require) {
    if (index.depth_of(*wish.require) == none) return false;
    depths_.widest = std::min(depths_.widest, index.depth_of(*wish.require));
  }
  grouped_ = wish.segment_nodes > 0;
  depths_.segment = grouped_ ? index.depth_of(wish.segment_level) : 0;
  exclusive_ = wish.exclusive;
  if (depths_.segment == none || (exclusive_ && index.depth_of(*exclusive_) == none)) return false;
  has_tail_ = request.gang.has_tail();
  gang_nodes_ = request.gang.nodes;
  gang_groups_ = request.groups();

  count_nodes(index, request.whole, nodes_);
  if (has_tail_) count_nodes(index, request.tail, tail_nodes_);
  if (grouped_) {
    groups_.resize(index.levels());
    PerDomain& base = groups_[depths_.segment];
    base = nodes_[depths_.segment];
    for (std::uint16_t& count : base)
      count = static_cast<std::uint16_t>(count / request.wish.segment_nodes);
    sum_up(index, depths_.segment + 1, groups_);
  }
  return true;
}

void DomainCounts::count_nodes(const FreeCapacityIndex& index, const NodeQuery& query,
                               std::vector<PerDomain>& out) const {
  out.resize(index.levels());
  const bool proportional = query.proportional();
  const bool counters_tell = proportional && index.lean_nodes(query.demand.gpus) == 0;
  if (counters_tell && !exclusive_) {
    for (std::size_t depth = 0; depth < index.levels(); ++depth)
      sum_classes(index, query, depth, out[depth]);
    return;
  }
  sum_classes(index, query, 0, out[0]);
  if (!counters_tell) {
    const auto lean = index.lean_counts(0, query.demand.gpus);
    const CellSearch search(index, query);
    for (std::uint32_t cell = 0; cell < out[0].size(); ++cell)
      if (out[0][cell] > 0 && (!proportional || lean[cell] > 0))
        out[0][cell] = static_cast<std::uint16_t>(search.count(DomainId(cell)));
  }
  if (exclusive_) clear_busy(index, *exclusive_, out[0]);
  sum_up(index, 1, out);
}

void DomainCounts::clear_busy(const FreeCapacityIndex& index, Level level, PerDomain& cells) const {
  const std::size_t depth = index.depth_of(level);
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell)
    if (index.busy_nodes(depth, index.ancestor(DomainId(cell), depth)) > 0) cells[cell] = 0;
}

DomainCounts::Needs DomainCounts::needs(std::size_t depth) const {
  const bool by_nodes = depth < depths_.segment;
  return {by_nodes ? nodes(depth) : groups(depth), by_nodes ? gang_nodes_ : gang_groups_,
          has_tail_ ? tail_nodes(depth) : nodes(depth), has_tail_ ? gang_nodes_ + 1 : 0};
}

bool DomainCounts::holds_gang(std::size_t depth, DomainId domain) const {
  return needs(depth).met_by(domain.index());
}

DomainId DomainCounts::tightest(std::size_t depth) const {
  const Needs needs = this->needs(depth);
  const std::span<const std::uint16_t> serving = nodes(depth);
  std::uint32_t fewest = UINT32_MAX;
  for (std::size_t d = 0; d < serving.size(); ++d)
    fewest = std::min(fewest, needs.met_by(d) ? serving[d] : UINT32_MAX);
  if (fewest == UINT32_MAX) return DomainId::none();
  std::uint32_t d = 0;
  while (serving[d] != fewest || !needs.met_by(d)) ++d;
  return DomainId(d);
}

}  // namespace weir::sched
