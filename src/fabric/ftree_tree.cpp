#include "fabric/ftree_tree.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "fabric/ftree_checks.hpp"

namespace weir::fabric {
namespace {

constexpr std::uint32_t kUnranked = UINT32_MAX;
constexpr std::uint32_t kMostRanks = 8;       // a TreeIndex has eight bytes
constexpr std::uint32_t kLastOfARank = 0xfe;  // 0xff is unset

using Ranks = std::vector<std::uint32_t>;

// Ranks by distance from those that have rank 0; returns the greatest.
std::uint32_t rank_from(const Subnet& subnet, Ranks& ranks, std::vector<std::uint32_t> queue) {
  std::uint32_t greatest = 0;
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const SwitchPort& port : subnet.switches[queue[next]].ports) {
      if (port.peer.is_none() || ranks[port.peer.index()] != kUnranked) continue;
      greatest = ranks[port.peer.index()] = ranks[queue[next]] + 1;
      queue.push_back(port.peer.value());
    }
  return greatest;
}

std::vector<std::uint32_t> all_of_rank(const Ranks& ranks, std::uint32_t rank) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t s = 0; s < ranks.size(); ++s)
    if (ranks[s] == rank) found.push_back(s);
  return found;
}

// The switches farthest from all HCAs are the roots.
std::vector<std::uint32_t> farthest_from_hcas(const Subnet& subnet) {
  Ranks ranks(subnet.switches.size(), kUnranked);
  for (const EndPort& port : subnet.end_ports)
    if (!port.router) ranks[port.leaf.index()] = 0;
  const std::uint32_t greatest = rank_from(subnet, ranks, all_of_rank(ranks, 0));
  return all_of_rank(ranks, greatest);
}

Result<std::vector<std::uint32_t>> named_roots(const Subnet& subnet,
                                               const std::vector<Guid>& guids) {
  std::set<std::uint32_t> roots;
  for (const Guid guid : guids)
    if (const SwitchId id = subnet.find(guid); !id.is_none()) roots.insert(id.value());
  if (roots.empty())
    return bad_input(
        fmt::format("ftree: none of the {} named roots is a switch of this plane", guids.size()));
  return std::vector<std::uint32_t>(roots.begin(), roots.end());
}

void add_cable(FatTreeView& tree, std::vector<TreeEdge>& side, const SwitchPort& port) {
  auto at = std::ranges::find(side, port.peer.value(), &TreeEdge::peer);
  if (at == side.end()) {
    at = side.insert(side.end(),
                     {static_cast<std::uint32_t>(tree.groups.size()), port.peer.value()});
    tree.groups.push_back({.peer = port.peer.value(), .cables = {}});
  }
  tree.groups[at->group].cables.push_back(
      {.port = port.number.value(), .peer_port = port.peer_port.value()});
}

void add_groups(const Subnet& subnet, FatTreeView& tree) {
  for (std::size_t s = 0; s < subnet.switches.size(); ++s) {
    TreeSwitch& own = tree.switches[s];
    for (const SwitchPort& port : subnet.switches[s].ports) {
      if (port.peer.is_none()) {
        own.hcas += subnet.at(port.end_port).router ? 0 : 1;
        continue;
      }
      const std::uint32_t rank = tree.switches[port.peer.index()].rank;
      add_cable(tree, rank < own.rank ? own.above : rank > own.rank ? own.below : own.beside, port);
    }
  }
}

// Byte `place` of an index, counted from the most significant.
TreeIndex with_byte(TreeIndex index, std::uint32_t place, std::uint32_t value) {
  const std::uint32_t shift = (7 - place) * 8;
  return (index & ~(TreeIndex{0xff} << shift)) | (TreeIndex{value} << shift);
}

// Walks the tree breadth first from the first leaf, down and up, and gives each switch it meets the
// lowest free index that differs from its neighbour's in the rank between them.
class Indexer {
 public:
  explicit Indexer(FatTreeView& tree) : tree_(tree) {}

  Status index_from(std::uint32_t first) {
    TreeIndex index = with_byte(kNoTreeIndex, 0, tree_.switches[first].rank);
    for (std::uint32_t place = 1; place <= tree_.leaf_rank; ++place)
      index = with_byte(index, place, 0);
    assign(first, index);
    std::size_t next = 0;
    while (next < queue_.size()) {  // it grows
      TreeSwitch& own = tree_.switches[queue_[next++]];
      if (own.rank < tree_.leaf_rank) WEIR_TRY(index_side(own, own.below, own.rank + 1));
      if (own.rank > 0) WEIR_TRY(index_side(own, own.above, own.rank));
    }
    return {};
  }

 private:
  Status index_side(const TreeSwitch& own, std::vector<TreeEdge>& side, std::uint32_t place) {
    for (const auto [group, peer] : side) {
      if (tree_.switches[peer].index != kNoTreeIndex) continue;
      const TreeIndex start = with_byte(own.index, 0, tree_.switches[peer].rank);
      std::uint32_t value = 0;
      while (value <= kLastOfARank && taken_.contains(with_byte(start, place, value))) ++value;
      if (value > kLastOfARank)
        return bad_input(
            "ftree: more than 255 switches stand beside each other below or above one "
            "switch: OpenSM cannot index them");
      assign(peer, with_byte(start, place, value));
    }
    std::ranges::stable_sort(side, {},
                             [&](const TreeEdge& edge) { return tree_.switches[edge.peer].index; });
    return {};
  }

  void assign(std::uint32_t s, TreeIndex index) {
    tree_.switches[s].index = index;
    taken_.insert(index);
    queue_.push_back(s);
  }

  FatTreeView& tree_;
  std::set<TreeIndex> taken_;
  std::vector<std::uint32_t> queue_;
};

// From the first to the last switch with HCAs, of those that have the rank of leaves.
Status find_leaves(FatTreeView& tree) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t s = 0; s < tree.switches.size(); ++s)
    if (tree.switches[s].rank == tree.leaf_rank) all.push_back(s);
  std::ranges::stable_sort(all, {}, [&](std::uint32_t s) { return tree.switches[s].index; });
  const auto has_hcas = [&](std::uint32_t s) { return tree.switches[s].hcas > 0; };
  const auto first = std::ranges::find_if(all, has_hcas);
  const auto last = std::find_if(all.rbegin(), all.rend(), has_hcas).base();
  if (first == all.end() || last - first < 2)
    return bad_input("ftree: HCAs on one switch only: there is nothing to route by a tree");
  tree.leaves.assign(first, last);
  for (const std::uint32_t s : tree.leaves)
    tree.most_hcas = std::max(tree.most_hcas, tree.switches[s].hcas);
  return {};
}

Status rank_switches(const Subnet& subnet, const RoutingOptions& options, FatTreeView& tree) {
  const std::vector<std::uint32_t> roots = options.roots.empty()
                                               ? farthest_from_hcas(subnet)
                                               : WEIR_TRY(named_roots(subnet, options.roots));
  Ranks ranks(subnet.switches.size(), kUnranked);
  for (const std::uint32_t s : roots) ranks[s] = 0;
  tree.leaf_rank = rank_from(subnet, ranks, roots);
  if (tree.leaf_rank == 0)
    return bad_input(
        "ftree: all switches stand on one rank (each has HCAs of its own): name the roots");
  for (std::size_t s = 0; s < ranks.size(); ++s) tree.switches[s].rank = ranks[s];
  // Named roots may have switches below the leaves.
  if (!options.roots.empty())
    tree.leaf_rank =
        ranks[std::ranges::find(subnet.end_ports, false, &EndPort::router)->leaf.index()];
  if (tree.leaf_rank == 0 || tree.leaf_rank >= kMostRanks)
    return bad_input(fmt::format("ftree: the leaves have rank {}, expected 1 to {}", tree.leaf_rank,
                                 kMostRanks - 1));
  return {};
}

}  // namespace

Result<FatTreeView> fat_tree_view(const Subnet& subnet, const RoutingOptions& options) {
  std::set<VertexId> hcas;
  for (const EndPort& port : subnet.end_ports)
    if (!port.router) hcas.insert(port.vertex);
  if (subnet.switches.size() < 2 || hcas.size() < 2)
    return bad_input(fmt::format("ftree: a plane of {} switches and {} HCAs is no tree",
                                 subnet.switches.size(), hcas.size()));
  FatTreeView tree;
  tree.switches.resize(subnet.switches.size());
  WEIR_TRY(rank_switches(subnet, options, tree));
  add_groups(subnet, tree);
  WEIR_TRY(check_leaf_ranks(subnet, tree));
  const auto first =
      std::ranges::find_if(tree.switches, [](const TreeSwitch& s) { return s.hcas > 0; });
  WEIR_TRY(Indexer(tree).index_from(static_cast<std::uint32_t>(first - tree.switches.begin())));
  WEIR_TRY(find_leaves(tree));
  if (options.roots.empty()) WEIR_TRY(check_regular(subnet, tree));
  return tree;
}

}  // namespace weir::fabric
