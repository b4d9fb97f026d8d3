#include "report/fabric_text.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/fabric_words.hpp"
#include "report/format.hpp"
#include "report/host_list.hpp"

namespace weir::report {
namespace {

using fabric::Host;
using fabric::OddityKind;
using fabric::Plane;
using fabric::Rank;
using fabric::SiteView;
using fabric::Tier;
using fabric::VertexKind;

constexpr std::size_t kListed = 4;   // of each sort of oddity, gap, host
constexpr std::size_t kPlanes = 10;  // planes in full
constexpr std::size_t kUnits = 12;   // units of one pod in full

std::size_t count_kind(const SiteView& view, VertexKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(view.graph.vertices, kind, &fabric::Vertex::kind));
}

class FabricText {
 public:
  explicit FabricText(const SiteView& view) : view_(view) {}

  std::string write(std::span<const std::string> sources) {
    std::string names;
    for (const std::string& source : sources)
      names += (names.empty() ? "" : ", ") + clean_text(source);
    line("Fabric view of {}\n", names);
    summary();
    gaps();
    planes();
    for (std::uint32_t f = 0; f < view_.fabrics.size(); ++f) fabric(f);
    oddities();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  // The first few of a list, one an indented line each, and how many are left.
  void list(const std::vector<std::string>& items) {
    const std::size_t shown = items.size() <= kListed + 1 ? items.size() : kListed;
    for (std::size_t i = 0; i < shown; ++i) line("      {}", items[i]);
    if (shown < items.size()) line("      and {} more", with_thousands(items.size() - shown));
  }

  std::string scan() const {
    if (!view_.graph.complete())
      return fmt::format("INCOMPLETE: {} not described in full, see below",
                         counted(view_.graph.gaps.size(), "cable is", "cables are"));
    if (view_.planes.empty()) return "no switch is described: was the scan cut off?";
    return "complete: every cable is described at both ends";
  }

  void summary() {
    const std::size_t hcas = count_kind(view_, VertexKind::kHca) - view_.aggregation_nodes;
    line("  scan        {}", scan());
    std::string seen = fmt::format(
        "{}, {}, {}", counted(count_kind(view_, VertexKind::kSwitch), "switch", "switches"),
        counted(hcas, "HCA"), counted(view_.graph.links.size(), "cable"));
    if (const std::size_t routers = count_kind(view_, VertexKind::kRouter); routers > 0)
      seen += ", " + counted(routers, "router");
    line("  inventory   {}", seen);
    if (view_.aggregation_nodes > 0)
      line("  SHARP       {} in the switches, not counted as HCAs",
           counted(view_.aggregation_nodes, "aggregation node"));
    if (!view_.chassis.empty()) chassis();
    hosts();
  }

  void chassis() {
    std::size_t switches = 0;
    for (const fabric::Chassis& box : view_.chassis) switches += box.switches.size();
    line("  chassis     {} of {}: {}", counted(view_.chassis.size(), "director"),
         counted(switches, "switch", "switches"),
         clean_text(view_.chassis.front().name) + (view_.chassis.size() > 1 ? ", ..." : ""));
  }

  void hosts() {
    line("  hosts       {}: {}, {}", with_thousands(view_.hosts.size()),
         counted(view_.nodes.size(), "compute node"),
         counted(view_.hosts.size() - view_.nodes.size(), "other"));
    std::map<std::size_t, std::vector<std::string>> others;  // by number of HCAs
    for (const Host& host : view_.hosts)
      if (!host.compute) others[host.hcas.size()].push_back(clean_text(host.name));
    for (const auto& [hcas, names] : others)
      line("              {} with {}: {}", with_thousands(names.size()), counted(hcas, "HCA"),
           host_list(names, kListed));
    if (view_.nodes.empty())
      line("              no compute nodes: no host with a name is linked to a switch");
  }

  // Cables to what is not described, one line a missing node; the others one line a cable.
  void gaps() {
    std::map<Guid, std::vector<const fabric::Gap*>> by_peer;
    std::map<fabric::GapKind, std::vector<std::string>> by_kind;
    for (const fabric::Gap& gap : view_.graph.gaps) {
      if (gap.kind == fabric::GapKind::kUndescribedPeer)
        by_peer[gap.end.peer].push_back(&gap);
      else
        by_kind[gap.kind].push_back(gap_text(view_, gap));
    }
    if (view_.graph.complete()) return;
    line("\nWhat the scan misses");
    std::vector<std::string> peers;
    std::size_t cables = 0;
    for (const auto& [peer, gaps] : by_peer) {
      cables += gaps.size();
      peers.push_back(missing_node_text(view_, gaps.front()->end, gaps.size()));
    }
    if (!peers.empty()) {
      line("  - {}: {}", gap_sentence(fabric::GapKind::kUndescribedPeer, cables),
           counted(peers.size(), "node"));
      list(peers);
    }
    for (const auto& [kind, items] : by_kind) {
      line("  - {}", gap_sentence(kind, items.size()));
      list(items);
    }
  }

  // "rails 0-7", "no rails: storage or management"
  std::string use_of(std::uint32_t plane) {
    std::set<std::size_t> rails;
    for (const fabric::Fabric& fabric : view_.fabrics)
      for (std::size_t r = 0; r < fabric.plane_by_rail.size(); ++r)
        if (fabric.plane_by_rail[r] == fabric::PlaneId(plane)) rails.insert(r);
    if (rails.empty())
      return view_.planes[plane].hcas == 0 ? "no hosts" : "no rails: storage or management";
    return fmt::format("{} {}", rails.size() == 1 ? "rail" : "rails",
                       ranges_text({rails.begin(), rails.end()}));
  }

  void planes() {
    if (view_.planes.empty()) return;
    line("\n{}", view_.planes.size() == 1
                     ? std::string("One plane (subnet)")
                     : fmt::format("{} planes (subnets)", view_.planes.size()));
    for (std::uint32_t p = 0; p < view_.planes.size(); ++p) {
      if (p == kPlanes && view_.planes.size() > kPlanes + 1) {
        line("  and {} more", view_.planes.size() - p);
        break;
      }
      const Plane& plane = view_.planes[p];
      const std::string rate = plane.usual_rate.is_known()
                                   ? fmt::format(", mostly {}", rate_text(plane.usual_rate))
                                   : "";
      line("  plane {:<5} {}, {}{}: {}", p + 1,
           counted(plane.switches.size(), "switch", "switches"), counted(plane.hcas, "HCA"), rate,
           use_of(p));
    }
  }

  void fabric(std::uint32_t number) {
    const fabric::Fabric& fabric = view_.fabrics[number];
    std::size_t nodes = 0;
    std::size_t units = 0;
    std::size_t pods = 0;
    for (const fabric::Unit& unit : view_.units)
      if (view_.pods[unit.pod.index()].fabric == DomainId(number))
        nodes += unit.node_count, ++units;
    for (const fabric::Pod& pod : view_.pods) pods += pod.fabric == DomainId(number) ? 1 : 0;
    line("\nFabric {}: {} on {}, {} in {}", number + 1, counted(nodes, "node"),
         counted(fabric.plane_by_rail.size(), "rail"), counted(units, "unit"),
         counted(pods, "pod"));
    rails(number);
    for (const Tier& tier : fabric.tiers) this->tier(tier);
    for (std::uint32_t p = 0; p < view_.pods.size(); ++p)
      if (view_.pods[p].fabric == DomainId(number)) pod(p);
  }

  void rails(std::uint32_t number) {
    const fabric::Fabric& fabric = view_.fabrics[number];
    std::string names;
    for (std::size_t r = 0; r < fabric.usual_devices.size(); ++r)
      names +=
          fmt::format("{}{}={}", r == 0 ? "" : " ", r, clean_text(fabric.usual_devices[r].text));
    std::size_t partial = 0;
    for (const fabric::ComputeNode& node : view_.nodes) {
      if (fabric_of(node) != number) continue;
      partial += node.rails + 1U != 1U << node.hca_by_rail.size() ? 1 : 0;
    }
    line("  rails       {}; {}", names,
         partial == 0 ? std::string("every node is linked on all of them")
                      : fmt::format("{} not linked on all of them", counted(partial, "node")));
  }

  std::uint32_t fabric_of(const fabric::ComputeNode& node) const {
    return view_.pods[view_.units[node.unit.index()].pod.index()].fabric.value();
  }

  void tier(const Tier& tier) {
    std::string ratio = ratio_text(tier.down, tier.up);
    if (!ratio.empty()) {
      const bool oversubscribed = tier.down > tier.up;
      ratio = fmt::format("up {}, {} {}", rate_text(tier.up),
                          oversubscribed ? "oversubscribed" : "not oversubscribed,", ratio);
      if (tier.worst_down > tier.worst_up)
        ratio += fmt::format("; worst {} at {}",
                             clean_text(trim(view_.graph.at(tier.worst).description)),
                             ratio_text(tier.worst_down, tier.worst_up));
    } else {
      ratio = "top";
    }
    line("  {:<11} {}, down {}, {}", rank_name(tier.rank),
         counted(tier.switches, "switch", "switches"), rate_text(tier.down), ratio);
  }

  void pod(std::uint32_t number) {
    std::vector<std::uint32_t> units;
    std::size_t nodes = 0;
    for (std::uint32_t u = 0; u < view_.units.size(); ++u)
      if (view_.units[u].pod == DomainId(number)) {
        units.push_back(u);
        nodes += view_.units[u].node_count;
      }
    line("  pod {:<7} {} in {} under {}", number + 1, counted(nodes, "node"),
         counted(units.size(), "unit"), counted(view_.pods[number].spines.size(), "spine"));
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (i == kUnits && units.size() > kUnits + 1) {
        line("    and {} more", counted(units.size() - i, "unit"));
        break;
      }
      unit(units[i]);
    }
  }

  void unit(std::uint32_t number) {
    const fabric::Unit& unit = view_.units[number];
    std::vector<std::string> names;
    for (std::uint32_t n = 0; n < unit.node_count; ++n)
      names.push_back(clean_text(view_.host_of(view_.nodes[unit.first_node + n]).name));
    line("    unit {:<4} {:>3} {} on {}: {}", number + 1, unit.node_count,
         unit.node_count == 1 ? "node" : "nodes", counted(unit.leaves.size(), "leaf", "leaves"),
         host_list(names));
  }

  void oddities() {
    std::map<OddityKind, std::vector<std::string>> by_kind;
    for (const fabric::Oddity& oddity : view_.oddities)
      by_kind[oddity.kind].push_back(
          clean_text(oddity.detail.empty() ? oddity.subject
                                           : fmt::format("{}: {}", oddity.subject, oddity.detail)));
    if (by_kind.empty()) return line("\nNothing looks odd");
    line("\nWhat looks odd");
    for (const auto& [kind, items] : by_kind) {
      line("  - {}", oddity_sentence(kind, items.size()));
      list(items);
    }
  }

  const SiteView& view_;
  std::string text_;
};

}  // namespace

std::string fabric_text(const SiteView& view, std::span<const std::string> sources) {
  return FabricText(view).write(sources);
}

}  // namespace weir::report
