#include "fabric/minhop.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

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
      for (std::size_t next = 0; next < queue.size(); ++next)
        for (const SwitchPort& port : subnet.switches[queue[next]].ports) {
          if (port.peer.is_none() || row[port.peer.index()] != kFar) continue;
          row[port.peer.index()] = static_cast<std::uint8_t>(row[queue[next]] + 1);
          queue.push_back(port.peer.value());
        }
    }
  }
  [[nodiscard]] std::uint8_t between(std::size_t a, std::size_t b) const {
    return hops_[a * count_ + b];
  }

 private:
  std::size_t count_;
  std::vector<std::uint8_t> hops_;
};

// Switches with most end ports first, equal ones as they stand.
std::vector<std::uint32_t> switches_by_load(const Subnet& subnet) {
  std::vector<std::uint32_t> load(subnet.switches.size(), 0);
  for (const EndPort& port : subnet.end_ports) ++load[port.leaf.index()];
  std::vector<std::uint32_t> order(subnet.switches.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>{}, [&](std::uint32_t s) { return load[s]; });
  return order;
}

class TableFiller {
 public:
  TableFiller(const Subnet& subnet, const HopMatrix& hops, std::size_t own, ForwardingTable& table)
      : subnet_(subnet), hops_(hops), own_(own), table_(table) {}

  void fill(const std::vector<std::uint32_t>& order) {
    for (const std::uint32_t target : order) {
      find_ports_to(target);
      for (const SwitchPort& port : subnet_.switches[target].ports) {
        if (port.end_port.is_none()) continue;
        const Lid lid = subnet_.at(port.end_port).lid;
        if (target == own_) {
          table_.out_port[lid.value()] = port.number.value();
        } else if (const std::uint8_t out = least_used(); out != kNoRoute) {
          table_.out_port[lid.value()] = out;
          ++used_[out];
        }
      }
    }
    for (std::uint32_t target = 0; target < subnet_.switches.size(); ++target) {
      find_ports_to(target);
      table_.out_port[subnet_.switches[target].lid.value()] = target == own_ ? 0 : least_used();
    }
  }

 private:
  void find_ports_to(std::size_t target) {
    shortest_.clear();
    const std::uint8_t least = hops_.between(own_, target);
    if (target == own_ || least == kFar) return;
    for (const SwitchPort& port : subnet_.switches[own_].ports)
      if (!port.peer.is_none() && hops_.between(port.peer.index(), target) + 1 == least)
        shortest_.push_back(port.number.value());
  }

  [[nodiscard]] std::uint8_t least_used() const {
    std::uint8_t best = kNoRoute;
    std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint8_t port : shortest_)
      if (used_[port] < fewest) {
        fewest = used_[port];
        best = port;
      }
    return best;
  }

  const Subnet& subnet_;
  const HopMatrix& hops_;
  std::size_t own_;
  ForwardingTable& table_;
  std::vector<std::uint8_t> shortest_;  // ports towards the target
  std::vector<std::uint32_t> used_ = std::vector<std::uint32_t>(256, 0);  // destinations by port
};

}  // namespace

ForwardingTables minhop_tables(const Subnet& subnet) {
  const HopMatrix hops(subnet);
  const std::vector<std::uint32_t> order = switches_by_load(subnet);
  ForwardingTables tables;
  tables.switches.reserve(subnet.switches.size());
  for (std::size_t s = 0; s < subnet.switches.size(); ++s) {
    tables.switches.push_back({subnet.switches[s].guid, {}});
    ForwardingTable& table = tables.switches.back();
    table.out_port.assign(subnet.last_lid.value() + std::size_t{1}, kNoRoute);
    TableFiller(subnet, hops, s, table).fill(order);
  }
  return tables;
}

}  // namespace weir::fabric
