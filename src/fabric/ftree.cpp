#include "fabric/ftree.hpp"

#include <algorithm>
#include <span>

#include "fabric/ftree_tree.hpp"

namespace weir::fabric {
namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr std::uint8_t kFar = 255;

// Whom the tables that are being set lead to.
enum class Target : std::uint8_t { kHca, kStandIn, kSwitch };

// Insertion sort: the orders are sorted but for what the last route moved. Stable.
template <typename Before>
void sort_again(std::vector<TreeEdge>& order, Before before) {
  for (std::size_t i = 1; i < order.size(); ++i)
    for (std::size_t j = i; j > 0 && before(order[j], order[j - 1]); --j)
      std::swap(order[j], order[j - 1]);
}

// The cable of the group that fewest routes use, the lowest port of equals.
TreeCable& least(TreeGroup& group, std::uint32_t TreeCable::* routes) {
  return *std::ranges::min_element(group.cables, {}, routes);
}

// Sets the way to one target on all switches, target after target; the counters stay.
class FtreeRouter {
 public:
  explicit FtreeRouter(FatTreeView& tree)
      : tree_(tree), port_(tree.switches.size()), hops_(tree.switches.size()) {}

  // Ways to what is plugged into that port of the leaf, or to a stand-in for a missing HCA.
  void route_hca(std::uint32_t leaf, std::uint8_t leaf_port, Target target) {
    begin(target);
    // A stand-in has no port, yet the leaf counts as reached.
    if (target == Target::kHca) port_[leaf] = leaf_port;
    hops_[leaf] = 1;
    up_from(leaf, kNowhere, true, 1);
  }
  void route_switch(std::uint32_t target) {
    begin(Target::kSwitch);
    port_[target] = 0;
    hops_[target] = 0;
    up_from(target, kNowhere, false, 0);
  }
  // By switch; kNoRoute where there is no way.
  [[nodiscard]] std::span<const std::uint8_t> ports() const { return port_; }

 private:
  void begin(Target target) {
    target_ = target;
    std::ranges::fill(port_, kNoRoute);
    std::ranges::fill(hops_, kFar);
  }

  void set(std::uint32_t at, std::uint8_t port, std::uint8_t hops) {
    port_[at] = port;
    hops_[at] = hops;
  }

  // The peer has a way already, and not a longer one than over here.
  [[nodiscard]] bool served(std::uint32_t peer, std::uint8_t hops) const {
    return port_[peer] != kNoRoute && hops + 1 >= hops_[peer];
  }

  void sort_by(std::vector<TreeEdge>& order, std::uint32_t TreeGroup::* routes) {
    sort_again(order, [&](const TreeEdge& a, const TreeEdge& b) {
      const std::uint32_t left = tree_.groups[a.group].*routes;
      const std::uint32_t right = tree_.groups[b.group].*routes;
      if (left != right) return left < right;
      return tree_.switches[a.peer].index < tree_.switches[b.peer].index;
    });
  }

  // Switches below (and beside) learn that the target is reached through this one. True if HCAs
  // can use what was set.
  bool down_from(std::uint32_t at, std::uint32_t came_from, std::uint8_t hops) {
    TreeSwitch& own = tree_.switches[at];
    if (own.hcas == 0 && own.below.empty()) return false;
    if (hops >= kFar - 1) return false;  // a long way round over cables beside
    if (own.below_changed) {
      sort_by(own.below, &TreeGroup::up);
      own.below_changed = false;
    }
    sort_by(own.beside, &TreeGroup::up);
    bool useful = own.hcas > 0;
    const auto next_hops = static_cast<std::uint8_t>(hops + 1);
    const std::size_t count =
        own.below.size() + (target_ == Target::kStandIn ? 0 : own.beside.size());
    for (std::size_t k = 0; k < count; ++k) {
      const TreeEdge edge = k < own.below.size() ? own.below[k] : own.beside[k - own.below.size()];
      if (edge.peer == came_from || next_hops >= hops_[edge.peer]) continue;
      TreeGroup& group = tree_.groups[edge.group];
      TreeCable& cable = least(group, &TreeCable::up);
      set(edge.peer, cable.peer_port, next_hops);
      if (!down_from(edge.peer, kNowhere, next_hops)) continue;
      useful = true;
      ++cable.up;
      ++group.up;
      own.below_changed = true;
    }
    return useful;
  }

  // Switches above learn that the target is reached down here; on the main way counters count.
  bool up_from(std::uint32_t at, std::uint32_t came_from, bool main, std::uint8_t hops) {
    bool useful = down_from(at, came_from, hops);
    TreeSwitch& own = tree_.switches[at];
    if (own.rank == 0 || hops >= kFar - 1) return useful;
    if (own.above_changed) {
      sort_by(own.above, &TreeGroup::down);
      own.above_changed = false;
    }
    const auto next_hops = static_cast<std::uint8_t>(hops + 1);
    const TreeEdge first = own.above.front();
    if (main) {
      TreeGroup& group = tree_.groups[first.group];
      TreeCable& cable = least(group, &TreeCable::down);
      ++group.down;
      ++cable.down;
      own.above_changed = true;
      if (!served(first.peer, hops)) set(first.peer, cable.peer_port, next_hops);
      useful |= up_from(first.peer, at, true, next_hops);
    }
    for (std::size_t i = main ? 1 : 0; i < own.above.size(); ++i)
      useful |= try_aside(at, own.above[i], hops);
    sort_by(own.beside, &TreeGroup::down);
    for (std::size_t i = 0; i < own.beside.size(); ++i) {
      const TreeEdge edge = own.beside[i];
      TreeCable& cable = least(tree_.groups[edge.group], &TreeCable::down);
      if (!try_aside(at, edge, hops)) continue;
      useful = true;
      // The cable aside is counted together with the group above: so does OpenSM.
      ++tree_.groups[first.group].down;
      ++cable.down;
      own.above_changed = true;
    }
    return useful;
  }

  // A way that no route is planned to take, unless the peer has one.
  bool try_aside(std::uint32_t at, TreeEdge edge, std::uint8_t hops) {
    if (served(edge.peer, hops)) return false;
    const auto next_hops = static_cast<std::uint8_t>(hops + 1);
    set(edge.peer, least(tree_.groups[edge.group], &TreeCable::down).peer_port, next_hops);
    return up_from(edge.peer, at, false, next_hops);
  }

  FatTreeView& tree_;
  Target target_ = Target::kHca;
  std::vector<std::uint8_t> port_;  // by switch, towards the target
  std::vector<std::uint8_t> hops_;  // by switch, to the target
};

// Gathers the ways to some targets before it writes them, since a target's entries lie in as many
// tables as there are switches.
class TableWriter {
 public:
  explicit TableWriter(const Subnet& subnet) {
    for (const SubnetSwitch& own : subnet.switches) {
      tables_.switches.push_back({own.guid, {}});
      tables_.switches.back().out_port.assign(subnet.last_lid.value() + std::size_t{1}, kNoRoute);
    }
  }
  void write(Lid lid, std::span<const std::uint8_t> ports) {
    lids_.push_back(lid);
    columns_.insert(columns_.end(), ports.begin(), ports.end());
    if (lids_.size() == kColumns) flush();
  }
  ForwardingTables take() {
    flush();
    return std::move(tables_);
  }

 private:
  static constexpr std::size_t kColumns = 64;

  void flush() {
    const std::size_t switches = tables_.switches.size();
    for (std::size_t s = 0; s < switches; ++s)
      for (std::size_t i = 0; i < lids_.size(); ++i)
        tables_.switches[s].out_port[lids_[i].value()] = columns_[i * switches + s];
    lids_.clear();
    columns_.clear();
  }

  ForwardingTables tables_;
  std::vector<Lid> lids_;
  std::vector<std::uint8_t> columns_;  // of each LID: the port of every switch
};

void route_hcas(const Subnet& subnet, const FatTreeView& tree, FtreeRouter& router,
                TableWriter& writer) {
  for (const std::uint32_t leaf : tree.leaves) {
    for (const SwitchPort& port : subnet.switches[leaf].ports) {
      if (port.end_port.is_none() || subnet.at(port.end_port).router) continue;
      router.route_hca(leaf, port.number.value(), Target::kHca);
      writer.write(subnet.at(port.end_port).lid, router.ports());
    }
    for (std::uint32_t i = tree.switches[leaf].hcas; i < tree.most_hcas; ++i)
      router.route_hca(leaf, kNoRoute, Target::kStandIn);
  }
}

// Switches that no up-down path joins send to each other over the last leaf: all turns from down
// to up happen there, so they close no circle of waiting buffers.
void route_over_last_leaf(const Subnet& subnet, const FatTreeView& tree, ForwardingTables& tables) {
  const std::uint32_t last = tree.leaves.back();
  for (std::size_t s = 0; s < subnet.switches.size(); ++s) {
    if (tree.switches[s].rank >= tree.leaf_rank) continue;
    std::vector<std::uint8_t>& own = tables.switches[s].out_port;
    for (const SubnetSwitch& target : subnet.switches) {
      const std::size_t lid = target.lid.value();
      if (own[lid] != kNoRoute || tables.switches[last].out_port[lid] == kNoRoute) continue;
      own[lid] = own[subnet.switches[last].lid.value()];
    }
  }
}

}  // namespace

Result<ForwardingTables> ftree_tables(const Subnet& subnet, const RoutingOptions& options) {
  FatTreeView tree = WEIR_TRY(fat_tree_view(subnet, options));
  FtreeRouter router(tree);
  TableWriter writer(subnet);
  route_hcas(subnet, tree, router, writer);
  for (std::uint32_t s = 0; s < subnet.switches.size(); ++s) {
    router.route_switch(s);
    writer.write(subnet.switches[s].lid, router.ports());
  }
  ForwardingTables tables = writer.take();
  if (options.connect_roots) route_over_last_leaf(subnet, tree, tables);
  return tables;
}

}  // namespace weir::fabric
