#include "peers/random_tree.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/rng.hpp"
#include "fabric/subnet.hpp"

namespace weir::testing {
namespace {

using fabric::CableEnd;
using fabric::FabricDraft;
using fabric::LinkRate;
using fabric::LinkSpeed;
using fabric::LinkWidth;
using fabric::PortNumber;
using fabric::Vertex;
using fabric::VertexKind;

using Switches = std::vector<std::size_t>;  // indices of vertices

class TreeMaker {
 public:
  TreeMaker(std::uint64_t seed, TreeFault fault) : rng_(seed), fault_(fault) {}

  RandomTree make() {
    const std::uint64_t levels = 2 + rng_.below(3);
    const Switches leaves = levels == 2 ? two_levels() : three_levels();
    add_hcas(levels == 4 ? one_level_below(leaves) : leaves);
    if (fault_ == TreeFault::kSideways) add_sideways();
    for (std::size_t v = 0; v < draft_.vertices.size(); ++v)
      draft_.vertices[v].addresses[0].lid = Lid(static_cast<std::uint16_t>(v + 1));
    if (fault_ == TreeFault::kCut) cut();
    RandomTree tree;
    for (const std::size_t root : roots_) tree.roots.push_back(draft_.vertices[root].guid);
    tree.graph = fabric::assemble(draft_);
    return tree;
  }

 private:
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + rng_.below(most - least + 1);
  }

  std::size_t add_vertex(VertexKind kind, const std::string& name) {
    Vertex vertex;
    do vertex.guid = Guid(0x0200'5745'4900'0000 + rng_.below(1U << 22) * 4);
    while (!guids_.insert(vertex.guid).second);
    vertex.kind = kind;
    vertex.description = name;
    vertex.system_image = vertex.guid;
    const bool hca = kind == VertexKind::kHca;
    vertex.addresses = {
        {PortNumber(hca ? 1 : 0), Guid(vertex.guid.value() + (hca ? 1 : 0)), Lid(0), 0}};
    draft_.vertices.push_back(vertex);
    return draft_.vertices.size() - 1;
  }

  Switches add_switches(std::uint64_t count) {
    Switches made;
    for (std::uint64_t i = 0; i < count; ++i)
      made.push_back(add_vertex(VertexKind::kSwitch, fmt::format("switch{}", ++switches_)));
    return made;
  }

  // Plugged into the next free ports; sometimes one is skipped.
  void cable(std::size_t a, std::size_t b) {
    Vertex& left = draft_.vertices[a];
    Vertex& right = draft_.vertices[b];
    for (Vertex* vertex : {&left, &right})
      vertex->port_count = static_cast<std::uint8_t>(
          vertex->port_count + (vertex->kind == VertexKind::kSwitch && rng_.below(4) == 0 ? 2 : 1));
    const LinkRate rate{LinkWidth::k4x, LinkSpeed::kHdr};
    const PortNumber port_a(left.port_count);
    const PortNumber port_b(right.port_count);
    draft_.ends.push_back({left.guid, port_a, right.guid, port_b, rate, right.description});
    draft_.ends.push_back({right.guid, port_b, left.guid, port_a, rate, left.description});
  }

  void cable_all(std::vector<std::pair<std::size_t, std::size_t>> pairs) {
    if (rng_.below(2) == 0)
      for (std::size_t i = pairs.size(); i > 1; --i) std::swap(pairs[i - 1], pairs[rng_.below(i)]);
    for (const auto& [a, b] : pairs) cable(a, b);
  }

  Switches two_levels() {
    const Switches leaves = add_switches(between(2, 12));
    roots_ = add_switches(between(1, 8));
    above_ = roots_;
    const std::uint64_t side_by_side = between(1, 3);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const std::size_t leaf : leaves)
      for (const std::size_t spine : roots_) pairs.insert(pairs.end(), side_by_side, {leaf, spine});
    cable_all(pairs);
    return leaves;
  }

  // Pods; spines of equal number share cores.
  Switches three_levels() {
    const std::uint64_t spines = between(1, 4);
    const std::uint64_t leaves = between(2, 5);
    const std::uint64_t to_spine = between(1, 2);
    const std::uint64_t to_core = between(1, 2);
    const std::uint64_t cores = between(1, 3);
    std::vector<Switches> core_groups;
    for (std::uint64_t s = 0; s < spines; ++s) {
      core_groups.push_back(add_switches(cores));
      roots_.insert(roots_.end(), core_groups.back().begin(), core_groups.back().end());
    }
    Switches all_leaves;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::uint64_t pod = between(1, 4); pod > 0; --pod) {
      const Switches own_leaves = add_switches(leaves);
      const Switches own_spines = add_switches(spines);
      above_.insert(above_.end(), own_spines.begin(), own_spines.end());
      all_leaves.insert(all_leaves.end(), own_leaves.begin(), own_leaves.end());
      for (std::uint64_t s = 0; s < spines; ++s) {
        for (const std::size_t leaf : own_leaves)
          pairs.insert(pairs.end(), to_spine, {leaf, own_spines[s]});
        for (const std::size_t core : core_groups[s])
          pairs.insert(pairs.end(), to_core, {own_spines[s], core});
      }
    }
    cable_all(pairs);
    return all_leaves;
  }

  // A fourth rank: each leaf becomes the top of a small tree.
  Switches one_level_below(const Switches& tops) {
    Switches leaves;
    const std::uint64_t each = between(1, 3);
    for (const std::size_t top : tops)
      for (const std::size_t leaf : add_switches(each)) {
        cable(leaf, top);
        leaves.push_back(leaf);
      }
    return leaves;
  }

  void add_hcas(const Switches& leaves) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const bool may_be_empty = fault_ == TreeFault::kEmpty && i >= 2;
      for (std::uint64_t n = between(may_be_empty ? 0 : 1, 6); n > 0; --n)
        cable(add_vertex(VertexKind::kHca, fmt::format("node{:03} mlx5_0", ++number)), leaves[i]);
    }
  }

  void add_sideways() {
    for (std::uint64_t n = between(1, 4); n > 0 && above_.size() > 1; --n) {
      const std::size_t a = rng_.below(above_.size());
      const std::size_t b = rng_.below(above_.size());
      if (a != b) cable(above_[a], above_[b]);
    }
  }

  void cut() {
    const std::size_t nodes = static_cast<std::size_t>(
        std::ranges::count(draft_.vertices, VertexKind::kHca, &Vertex::kind));
    for (std::uint64_t n = between(1, 6); n > 0; --n) {
      // HCA cables were plugged last.
      const std::size_t switch_cables = draft_.ends.size() / 2 - nodes;
      if (switch_cables == 0) return;
      const auto at =
          draft_.ends.begin() + static_cast<std::ptrdiff_t>(rng_.below(switch_cables) * 2);
      draft_.ends.erase(at, at + 2);
    }
  }

  Rng rng_;
  TreeFault fault_;
  FabricDraft draft_;
  std::set<Guid> guids_;
  std::size_t switches_ = 0;
  Switches roots_;
  Switches above_;  // right above the leaves, or above those that were
};

bool is_usable(const RandomTree& tree) {
  const auto subnets = fabric::subnets_of(tree.graph);
  if (!subnets || subnets->size() != 1) return false;
  std::set<fabric::SwitchId> leaves;
  for (const fabric::EndPort& end : subnets->front().end_ports) leaves.insert(end.leaf);
  return leaves.size() > 1;
}

}  // namespace

std::optional<TreeFault> tree_fault_called(std::string_view name) {
  if (name == "none") return TreeFault::kNone;
  if (name == "empty") return TreeFault::kEmpty;
  if (name == "cut") return TreeFault::kCut;
  if (name == "sideways") return TreeFault::kSideways;
  return std::nullopt;
}

RandomTree random_tree(std::uint64_t seed, TreeFault fault) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    RandomTree tree = TreeMaker(seed + (attempt << 32), fault).make();
    if (is_usable(tree)) return tree;
  }
}

}  // namespace weir::testing
