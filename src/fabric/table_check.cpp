#include "fabric/table_check.hpp"

#include <algorithm>

namespace weir::fabric {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

enum class Way : std::uint8_t { kUnknown, kWalking, kArrives, kFails };

// Walks from every leaf to every end port, each switch once a target, and notes which cable waits
// for which.
class Walker {
 public:
  Walker(const Snapshot& graph, const RouteMap& map, const Subnet& subnet)
      : map_(map),
        subnet_(subnet),
        waits_(graph.links.size() * 2),
        on_leaf_(subnet.switches.size()) {
    for (const EndPort& end : subnet.end_ports) ++on_leaf_[end.leaf.index()];
    for (std::uint32_t s = 0; s < on_leaf_.size(); ++s)
      if (on_leaf_[s] != 0) leaves_.push_back(s);
  }

  void walk_to(EndPortId target, TableCheck& check) {
    way_.assign(subnet_.switches.size(), Way::kUnknown);
    for (const std::uint32_t leaf : leaves_) {
      const bool own = subnet_.at(target).leaf == SwitchId(leaf);
      const std::uint64_t sources = on_leaf_[leaf] - (own ? 1 : 0);
      check.pairs += sources;
      if (sources == 0 || arrives(leaf, target)) continue;
      check.cut_pairs += sources;
      if (!check.first_cut) check.first_cut = std::pair(source_on(leaf, target), target);
    }
  }

  // By channel: those that it waits for, each once.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& waits() const { return waits_; }

 private:
  bool arrives(std::uint32_t from, EndPortId target) {
    const Lid lid = subnet_.at(target).lid;
    path_.clear();
    std::uint32_t at = from;
    std::uint32_t held = kNone;  // channel by which the packet came
    Way end = Way::kFails;
    while (true) {
      if (way_[at] != Way::kUnknown) {
        // Cables from here on were noted before; a switch that is being walked closes a loop.
        end = way_[at] == Way::kArrives ? Way::kArrives : Way::kFails;
        if (const RouteMap::Exit* exit = map_.exit(SwitchId(at), lid)) note(held, exit->channel);
        break;
      }
      way_[at] = Way::kWalking;
      path_.push_back(at);
      const RouteMap::Exit* exit = map_.exit(SwitchId(at), lid);
      if (exit == nullptr) break;
      note(held, exit->channel);
      if (exit->next.is_none()) {
        end = exit->end_port == target ? Way::kArrives : Way::kFails;
        break;
      }
      held = static_cast<std::uint32_t>(exit->channel.index());
      at = exit->next.value();
    }
    for (const std::uint32_t passed : path_) way_[passed] = end;
    return end == Way::kArrives;
  }

  void note(std::uint32_t held, Channel wanted) {
    if (held == kNone) return;
    std::vector<std::uint32_t>& list = waits_[held];
    const auto next = static_cast<std::uint32_t>(wanted.index());
    if (std::ranges::find(list, next) == list.end()) list.push_back(next);
  }

  [[nodiscard]] EndPortId source_on(std::uint32_t leaf, EndPortId target) const {
    for (std::uint32_t e = 0; e < subnet_.end_ports.size(); ++e)
      if (subnet_.end_ports[e].leaf == SwitchId(leaf) && EndPortId(e) != target)
        return EndPortId(e);
    return EndPortId::none();
  }

  const RouteMap& map_;
  const Subnet& subnet_;
  std::vector<std::vector<std::uint32_t>> waits_;
  std::vector<std::uint32_t> on_leaf_;  // end ports by switch
  std::vector<std::uint32_t> leaves_;
  std::vector<Way> way_;  // by switch, to the target
  std::vector<std::uint32_t> path_;
};

// The first circle that a depth-first search meets, as channel indices; empty if there is none.
std::vector<std::uint32_t> find_circle(const std::vector<std::vector<std::uint32_t>>& waits) {
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  struct Step {
    std::uint32_t channel;
    std::size_t next;  // of its waits
  };
  std::vector<Mark> marks(waits.size(), Mark::kNew);
  std::vector<Step> path;
  for (std::uint32_t start = 0; start < waits.size(); ++start) {
    if (marks[start] != Mark::kNew) continue;
    marks[start] = Mark::kOpen;
    path.assign(1, {start, 0});
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == waits[step.channel].size()) {
        marks[step.channel] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t wanted = waits[step.channel][step.next++];
      if (marks[wanted] == Mark::kOpen) {
        std::vector<std::uint32_t> circle;
        const auto from = std::ranges::find(path, wanted, &Step::channel);
        for (auto at = from; at != path.end(); ++at) circle.push_back(at->channel);
        return circle;
      }
      if (marks[wanted] == Mark::kDone) continue;
      marks[wanted] = Mark::kOpen;
      path.push_back({wanted, 0});
    }
  }
  return {};
}

}  // namespace

TableCheck check_tables(const Snapshot& graph, const RouteMap& map, const Subnet& subnet) {
  TableCheck check;
  Walker walker(graph, map, subnet);
  for (std::uint32_t e = 0; e < subnet.end_ports.size(); ++e) walker.walk_to(EndPortId(e), check);
  for (const std::uint32_t channel : find_circle(walker.waits()))
    check.credit_loop.push_back({LinkId(channel / 2), channel % 2 == 0});
  return check;
}

}  // namespace weir::fabric
