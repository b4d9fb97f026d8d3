// Units: nodes with the same leaves. A node belongs to the unit that shares most of its leaves, so
// that one cut cable moves nobody.
#include <algorithm>
#include <map>

#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

struct LeafSet {
  std::size_t fabric = 0;
  std::vector<VertexId> leaves;  // ascending, unique
  std::vector<std::size_t> nodes;
};

// The distinct leaf sets; those that found units first: many nodes, then many leaves.
std::vector<LeafSet> leaf_sets(const ComputeDraft& draft) {
  std::map<std::pair<std::size_t, std::vector<VertexId>>, std::vector<std::size_t>> nodes_on;
  for (std::size_t n = 0; n < draft.nodes.size(); ++n)
    nodes_on[{draft.nodes[n].fabric, draft.nodes[n].leaves}].push_back(n);
  std::vector<LeafSet> sets;
  for (const auto& [key, nodes] : nodes_on) sets.push_back({key.first, key.second, nodes});
  std::ranges::sort(sets, [](const LeafSet& a, const LeafSet& b) {
    if (a.nodes.size() != b.nodes.size()) return a.nodes.size() > b.nodes.size();
    if (a.leaves.size() != b.leaves.size()) return a.leaves.size() > b.leaves.size();
    return std::pair(a.fabric, a.leaves) < std::pair(b.fabric, b.leaves);
  });
  return sets;
}

// The unit that shares the most leaves with the set, and how many.
class UnitIndex {
 public:
  struct Best {
    std::size_t unit = SIZE_MAX;
    std::size_t shared = 0;
  };

  void found(std::size_t unit, const LeafSet& set) {
    for (const VertexId leaf : set.leaves) units_at_[{set.fabric, leaf}].push_back(unit);
    if (set.leaves.empty()) leafless_[set.fabric] = unit;
  }

  [[nodiscard]] Best best(const LeafSet& set) const {
    if (set.leaves.empty()) {
      const auto at = leafless_.find(set.fabric);
      return at == leafless_.end() ? Best{} : Best{at->second, 1};
    }
    std::map<std::size_t, std::size_t> shared;
    for (const VertexId leaf : set.leaves)
      if (const auto at = units_at_.find({set.fabric, leaf}); at != units_at_.end())
        for (const std::size_t unit : at->second) ++shared[unit];
    Best best;
    for (const auto& [unit, leaves] : shared)
      if (leaves > best.shared) best = {unit, leaves};
    return best;
  }

 private:
  std::map<std::pair<std::size_t, VertexId>, std::vector<std::size_t>> units_at_;
  std::map<std::size_t, std::size_t> leafless_;
};

// Several nodes alike are a unit of their own unless they share more than half of their leaves
// with another; a lone node joins from half on.
bool belongs(const LeafSet& set, const UnitIndex::Best& best) {
  if (best.unit == SIZE_MAX) return false;
  return set.nodes.size() > 1 ? best.shared * 2 > set.leaves.size()
                              : best.shared * 2 >= set.leaves.size();
}

// A leaf belongs to the unit that most nodes on it are in.
void give_leaves(ComputeDraft& draft) {
  std::map<VertexId, std::map<std::size_t, std::size_t>> nodes_on;
  for (const NodeDraft& node : draft.nodes)
    for (const VertexId leaf : node.leaves) ++nodes_on[leaf][node.unit];
  for (const auto& [leaf, units] : nodes_on) {
    const auto by_nodes = [](const auto& a, const auto& b) { return a.second < b.second; };
    draft.units[std::ranges::max_element(units, by_nodes)->first].leaves.push_back(leaf);
  }
}

}  // namespace

void group_units(ComputeDraft& draft) {
  UnitIndex index;
  for (const LeafSet& set : leaf_sets(draft)) {
    UnitIndex::Best best = index.best(set);
    if (!belongs(set, best)) {
      best.unit = draft.units.size();
      draft.units.push_back({.fabric = set.fabric, .lowest_host = HostId::none(), .leaves = {}});
      index.found(best.unit, set);
    }
    for (const std::size_t n : set.nodes) {
      draft.nodes[n].unit = best.unit;
      HostId& lowest = draft.units[best.unit].lowest_host;
      lowest = std::min(lowest, draft.nodes[n].host);
    }
  }
  give_leaves(draft);
}

}  // namespace weir::fabric
