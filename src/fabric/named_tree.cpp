// tree_of(NamedTopology): from switches by name to units, pods and fabrics.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "fabric/disjoint_sets.hpp"
#include "fabric/site_tree.hpp"

namespace weir::fabric {
namespace {

using SwitchSet = std::set<std::size_t>;  // indices of switches

// What is known of the switches before nodes are grouped.
class Switches {
 public:
  explicit Switches(const NamedTopology& topology)
      : switches_(topology.switches),
        parents_(switches_.size()),
        tier_(switches_.size(), 0),
        apart_(switches_.size(), false),
        joined_(switches_.size()) {
    std::map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < switches_.size(); ++i) index.emplace(switches_[i].name, i);
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      for (const std::string& node : switches_[i].nodes) leaves_of_[node].insert(i);
      for (const std::string& below : switches_[i].switches) parents_[index.at(below)].insert(i);
    }
    set_apart_other_networks();
    for (std::size_t i = 0; i < switches_.size(); ++i)
      for (const std::size_t parent : parents_[i])
        if (!apart_[i]) joined_.join(i, parent);
    for (std::size_t i = 0; i < switches_.size(); ++i)
      if (parents_[i].empty() && !apart_[i]) tops_[joined_.root(i)].insert(i);
    measure_tiers();
  }

  // The leaves of every node, without those of other networks.
  [[nodiscard]] std::map<std::string_view, SwitchSet> compute_leaves() const {
    std::map<std::string_view, SwitchSet> result = leaves_of_;
    for (auto& [node, leaves] : result)
      std::erase_if(leaves, [&](std::size_t leaf) { return apart_[leaf]; });
    return result;
  }

  // The switches right above these leaves; a leaf with none above counts itself.
  [[nodiscard]] SwitchSet parents_of(const SwitchSet& leaves) const {
    SwitchSet result;
    for (const std::size_t leaf : leaves) {
      if (parents_[leaf].empty()) result.insert(leaf);
      result.insert(parents_[leaf].begin(), parents_[leaf].end());
    }
    return result;
  }
  // The topmost switches that these leaves lead to.
  [[nodiscard]] SwitchSet tops_of(const SwitchSet& leaves) {
    SwitchSet tops;
    for (const std::size_t leaf : leaves) {
      const SwitchSet& above = tops_[joined_.root(leaf)];
      tops.insert(above.begin(), above.end());
    }
    return tops;
  }
  // "leaf1", and "leaf1+7" for eight of them.
  [[nodiscard]] std::string name_of(const SwitchSet& set) const {
    const std::string& first = switches_[*set.begin()].name;
    return set.size() == 1 ? first : fmt::format("{}+{}", first, set.size() - 1);
  }

  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < switches_.size(); ++i)
      if (apart_[i])
        result.push_back(fmt::format(
            "switch {} is taken as another network (storage, management): each of its {} nodes is "
            "also on a leaf of at most half as many",
            quoted(switches_[i].name), switches_[i].nodes.size()));
    const std::size_t deepest = tier_.empty() ? 0 : *std::ranges::max_element(tier_);
    if (deepest > 2)
      result.push_back(fmt::format(
          "the tree has {} levels of switches: unit, pod and fabric are the two lowest and the "
          "highest; those between are left out",
          deepest + 1));
    return result;
  }

 private:
  void set_apart_other_networks() {
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      const std::size_t size = switches_[i].nodes.size();
      apart_[i] = size > 0 && std::ranges::all_of(switches_[i].nodes, [&](const auto& node) {
                    return std::ranges::any_of(leaves_of_.at(node), [&](std::size_t leaf) {
                      return switches_[leaf].nodes.size() * 2 <= size;
                    });
                  });
    }
  }

  // From the leaves (tier 0) up; a switch waits for all that stand below it.
  void measure_tiers() {
    std::vector<std::size_t> waits_for(switches_.size(), 0);
    for (const SwitchSet& parents : parents_)
      for (const std::size_t parent : parents) ++waits_for[parent];
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < switches_.size(); ++i)
      if (waits_for[i] == 0) ready.push_back(i);
    while (!ready.empty()) {
      const std::size_t at = ready.back();
      ready.pop_back();
      for (const std::size_t parent : parents_[at]) {
        tier_[parent] = std::max(tier_[parent], tier_[at] + 1);
        if (--waits_for[parent] == 0) ready.push_back(parent);
      }
    }
  }

  const std::vector<NamedSwitch>& switches_;
  std::map<std::string_view, SwitchSet> leaves_of_;
  std::vector<SwitchSet> parents_;
  std::vector<std::size_t> tier_;
  std::vector<bool> apart_;  // carries no compute traffic
  DisjointSets joined_;
  std::map<std::size_t, SwitchSet> tops_;  // by root in joined_
};

struct UnitDraft {
  SwitchSet leaves;
  std::vector<std::size_t> nodes;  // positions in the natural order of names, ascending
};

// Nodes with the same leaves are a unit. Nodes that lack some of another unit's leaves (a cut
// cable, a missing line) and have no others belong to it; of several, to the one with most leaves.
std::vector<UnitDraft> group_units(const std::vector<const SwitchSet*>& leaves_by_node) {
  std::map<SwitchSet, std::vector<std::size_t>> by_leaves;
  for (std::size_t n = 0; n < leaves_by_node.size(); ++n)
    by_leaves[*leaves_by_node[n]].push_back(n);
  std::map<std::size_t, std::vector<const SwitchSet*>> sets_with;
  for (const auto& [leaves, nodes] : by_leaves)
    for (const std::size_t leaf : leaves) sets_with[leaf].push_back(&leaves);
  std::map<SwitchSet, UnitDraft> units;
  for (const auto& [leaves, nodes] : by_leaves) {
    const SwitchSet* home = &leaves;
    for (const SwitchSet* other : sets_with.at(*leaves.begin()))
      if (other->size() > home->size() && std::ranges::includes(*other, leaves)) home = other;
    UnitDraft& unit = units[*home];
    unit.leaves = *home;
    unit.nodes.insert(unit.nodes.end(), nodes.begin(), nodes.end());
  }
  std::vector<UnitDraft> result;
  for (auto& [leaves, unit] : units) {
    std::ranges::sort(unit.nodes);
    result.push_back(std::move(unit));
  }
  return result;
}

// Numbers what it is shown in the order in which it first comes.
class Numbering {
 public:
  // The domain of that key, and whether it is new.
  std::pair<DomainId, bool> id_of(const SwitchSet& key) {
    const auto next = static_cast<std::uint32_t>(ids_.size());
    const auto [known, is_new] = ids_.emplace(key, DomainId(next));
    return {known->second, is_new};
  }

 private:
  std::map<SwitchSet, DomainId> ids_;
};

// The lowest node (in natural order) of each key.
std::map<SwitchSet, std::size_t> lowest_by(const std::vector<SwitchSet>& keys,
                                           const std::vector<UnitDraft>& units) {
  std::map<SwitchSet, std::size_t> lowest;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const auto [known, is_new] = lowest.emplace(keys[u], units[u].nodes.front());
    if (!is_new) known->second = std::min(known->second, units[u].nodes.front());
  }
  return lowest;
}

SiteTree build(Switches& switches, const std::vector<UnitDraft>& units,
               const std::vector<std::string_view>& names) {
  std::vector<SwitchSet> tops;
  std::vector<SwitchSet> pods;  // the switches above the leaves, which decide the tops
  for (const UnitDraft& unit : units) {
    tops.push_back(switches.tops_of(unit.leaves));
    pods.push_back(switches.parents_of(unit.leaves));
  }
  const auto lowest_top = lowest_by(tops, units);
  const auto lowest_pod = lowest_by(pods, units);
  std::vector<std::size_t> order(units.size());
  for (std::size_t u = 0; u < units.size(); ++u) order[u] = u;
  std::ranges::sort(order, {}, [&](std::size_t u) {
    return std::tuple(lowest_top.at(tops[u]), lowest_pod.at(pods[u]), units[u].nodes.front());
  });
  SiteTree tree;
  LevelTable unit_level{Level::kUnit, {}};
  LevelTable pod_level{Level::kPod, {}};
  LevelTable fabric_level{Level::kFabric, {}};
  Numbering fabric_ids;
  Numbering pod_ids;
  for (const std::size_t u : order) {
    const auto [fabric_id, new_fabric] = fabric_ids.id_of(tops[u]);
    if (new_fabric) fabric_level.domains.push_back({DomainId(0), switches.name_of(tops[u])});
    const auto [pod_id, new_pod] = pod_ids.id_of(pods[u]);
    if (new_pod) pod_level.domains.push_back({fabric_id, switches.name_of(pods[u])});
    for (const std::size_t n : units[u].nodes)
      tree.nodes.push_back({.name = std::string(names[n]),
                            .kind = {},
                            .cell = DomainId(static_cast<std::uint32_t>(unit_level.domains.size())),
                            .rails = 0,
                            .grade = Grade::kGood,
                            .availability = Availability::kUp});
    unit_level.domains.push_back({pod_id, switches.name_of(units[u].leaves)});
  }
  LevelTable site{Level::kSite, {Domain{DomainId::none(), "site"}}};
  tree.locality.levels = {std::move(unit_level), std::move(pod_level), std::move(fabric_level),
                          std::move(site)};
  tree.locality.known = true;
  tree.remarks = switches.remarks();
  return tree;
}

// No switch is known: all nodes of the blocks stand in one unit.
SiteTree one_unit(std::span<const NamedBlock> blocks) {
  SiteTree tree;
  tree.locality = flat_locality();
  tree.locality.known = true;
  for (const NamedBlock& block : blocks)
    for (const std::string& name : block.nodes)
      tree.nodes.push_back({.name = name,
                            .kind = {},
                            .cell = DomainId(0),
                            .rails = 0,
                            .grade = Grade::kGood,
                            .availability = Availability::kUp});
  std::ranges::sort(
      tree.nodes, [](const Node& a, const Node& b) { return natural_compare(a.name, b.name) < 0; });
  return tree;
}

Status check_size(const SiteTree& tree) {
  if (tree.nodes.size() > limits::kNodes)
    return over_limit(fmt::format("{} nodes: at most {} are managed", tree.nodes.size(),
                                  with_thousands(limits::kNodes)));
  return check(tree.locality);
}

}  // namespace

Result<SiteTree> tree_of(const NamedTopology& topology) {
  if (Status status = check(topology); !status) return std::unexpected(std::move(status).error());
  SiteTree tree;
  if (topology.switches.empty()) {
    tree = one_unit(topology.blocks);
  } else {
    Switches switches(topology);
    const std::map<std::string_view, SwitchSet> leaves_of = switches.compute_leaves();
    std::vector<std::string_view> names;
    for (const auto& [name, leaves] : leaves_of) names.push_back(name);
    std::ranges::sort(
        names, [](std::string_view a, std::string_view b) { return natural_compare(a, b) < 0; });
    std::vector<const SwitchSet*> leaves;
    for (const std::string_view name : names) leaves.push_back(&leaves_of.at(name));
    tree = build(switches, group_units(leaves), names);
  }
  if (!topology.blocks.empty()) tree = WEIR_TRY(with_blocks(std::move(tree), topology.blocks));
  tree.remarks.insert(tree.remarks.end(), topology.remarks.begin(), topology.remarks.end());
  if (Status status = check_size(tree); !status) return std::unexpected(std::move(status).error());
  return tree;
}

}  // namespace weir::fabric
