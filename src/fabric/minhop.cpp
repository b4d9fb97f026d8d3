#include "fabric/minhop.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace weir::fabric {
namespace {

constexpr std::uint8_t kFar = 255;

// Hops between all pairs of switches, row by row.
class HopMatrix {
 public:
  explicit HopMatrix(const Subnet& subnet)
      : count_(subnet.switches.size()), hops_(count_ * count_, kFar) {
    std::vector<std::uint32_t> queue;
    for (std::uint32_t s = 0; s < count_; ++s) {
      std::uint8_t* row = &hops_[s * count_];
      row[s] = 0;
      queue.assign(1, s);
      // Hops are counted in a byte, as OpenSM counts them: what is farther has no route.
      for (std::size_t next = 0; next < queue.size() && row[queue[next]] < kFar - 1; ++next)
        for (const SwitchPort& port : subnet.switches[queue[next]].ports) {
          if (port.peer.is_none() || row[port.peer.index()] != kFar) continue;
          row[port.peer.index()] = static_cast<std::uint8_t>(row[queue[next]] + 1);
          queue.push_back(port.peer.value());
        }
    }
  }
  // From all switches to that one; cables run both ways.
  [[nodiscard]] std::span<const std::uint8_t> to(std::size_t target) const {
    return {hops_.data() + target * count_, count_};
  }

 private:
  std::size_t count_;
  std::vector<std::uint8_t> hops_;
};

// The end ports of one switch.
struct Leaf {
  std::uint32_t own = 0;  // its place in Subnet::switches
  std::span<const EndPort> end_ports;
};

// Switches that have end ports, those with most first, equal ones as they stand.
std::vector<Leaf> leaves_by_load(const Subnet& subnet) {
  std::vector<Leaf> leaves;
  const std::span<const EndPort> all(subnet.end_ports);
  for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
    while (next < all.size() && all[next].leaf == all[first].leaf) ++next;
    leaves.push_back({all[first].leaf.value(), all.subspan(first, next - first)});
  }
  std::ranges::stable_sort(leaves, std::greater<>{},
                           [](const Leaf& leaf) { return leaf.end_ports.size(); });
  return leaves;
}

// The table of one switch.
class TableFiller {
 public:
  TableFiller(const Subnet& subnet, const HopMatrix& hops, std::size_t own, ForwardingTable& table)
      : subnet_(subnet), hops_(hops), own_(own), table_(table) {}

  void fill(const std::vector<Leaf>& leaves) {
    for (const Leaf& leaf : leaves) {
      find_ports_to(leaf.own);
      for (const EndPort& end : leaf.end_ports)
        table_.out_port[end.lid.value()] =
            leaf.own == own_ ? end.leaf_port.value() : take_least_used();
      for (const std::uint32_t candidate : candidates_)
        used_[candidate % kPorts] = candidate / kPorts;
    }
    for (std::size_t target = 0; target < subnet_.switches.size(); ++target) {
      find_ports_to(target);
      table_.out_port[subnet_.switches[target].lid.value()] = target == own_        ? 0
                                                              : candidates_.empty() ? kNoRoute
                                                                                    : lowest();
    }
  }

 private:
  static constexpr std::uint32_t kPorts = 256;

  // Candidates are the ports on a shortest way, each as destinations x kPorts + port, in a heap.
  void find_ports_to(std::size_t target) {
    candidates_.clear();
    const std::span<const std::uint8_t> hops = hops_.to(target);
    const std::uint8_t least = hops[own_];
    if (target == own_ || least == kFar) return;
    for (const SwitchPort& port : subnet_.switches[own_].ports)
      if (!port.peer.is_none() && hops[port.peer.index()] + 1 == least)
        candidates_.push_back(used_[port.number.index()] * kPorts + port.number.value());
    std::ranges::make_heap(candidates_, std::greater<>{});
  }

  [[nodiscard]] std::uint8_t lowest() const {
    return static_cast<std::uint8_t>(candidates_.front() % kPorts);
  }

  // The candidate that fewest destinations use, and one more now.
  std::uint8_t take_least_used() {
    if (candidates_.empty()) return kNoRoute;
    const std::uint8_t port = lowest();
    std::ranges::pop_heap(candidates_, std::greater<>{});
    candidates_.back() += kPorts;
    std::ranges::push_heap(candidates_, std::greater<>{});
    return port;
  }

  const Subnet& subnet_;
  const HopMatrix& hops_;
  std::size_t own_;
  ForwardingTable& table_;
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint32_t> used_ = std::vector<std::uint32_t>(kPorts, 0);  // by port
};

}  // namespace

ForwardingTables minhop_tables(const Subnet& subnet) {
  const HopMatrix hops(subnet);
  const std::vector<Leaf> leaves = leaves_by_load(subnet);
  ForwardingTables tables;
  tables.switches.reserve(subnet.switches.size());
  for (std::size_t s = 0; s < subnet.switches.size(); ++s) {
    tables.switches.push_back({subnet.switches[s].guid, {}});
    ForwardingTable& table = tables.switches.back();
    table.out_port.assign(subnet.last_lid.value() + std::size_t{1}, kNoRoute);
    TableFiller(subnet, hops, s, table).fill(leaves);
  }
  return tables;
}

}  // namespace weir::fabric
