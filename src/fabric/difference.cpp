#include "fabric/difference.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::fabric {
namespace {

std::string name_of(const Vertex& vertex) {
  const std::string_view description = trim(vertex.description);
  return description.empty() ? to_text(vertex.guid)
                             : fmt::format("{} ({})", description, to_text(vertex.guid));
}

std::string_view kind_name(VertexKind kind) {
  switch (kind) {
    case VertexKind::kSwitch: return "switch";
    case VertexKind::kHca: return "HCA";
    case VertexKind::kRouter: return "router";
  }
  return "";
}

std::string port_text(const Vertex& vertex, PortNumber port) {
  return fmt::format("{} port {}", name_of(vertex), port.value());
}

// The LID of a port, 0 where the source does not say.
Lid lid_of(const Vertex& vertex, PortNumber port) {
  const auto at = std::ranges::find(vertex.addresses, port, &PortAddress::port);
  return at == vertex.addresses.end() ? Lid(0) : at->lid;
}

class SnapshotComparison {
 public:
  SnapshotComparison(const Snapshot& before, const Snapshot& after)
      : before_(before), after_(after) {
    match_vertices();
  }

  std::vector<Difference> run() {
    for (std::uint32_t v = 0; v < before_.vertices.size(); ++v) {
      const Vertex& vertex = before_.vertices[v];
      if (!in_after_[v])
        add(DifferenceKind::kVertexGone, name_of(vertex), with_cables(before_, VertexId(v)), "");
      else
        compare(vertex, after_.at(*in_after_[v]));
    }
    for (std::uint32_t v = 0; v < after_.vertices.size(); ++v)
      if (!in_before_[v])
        add(DifferenceKind::kVertexNew, name_of(after_.vertices[v]), "",
            with_cables(after_, VertexId(v)));
    compare_cables();
    std::ranges::sort(found_, [](const Difference& a, const Difference& b) {
      if (a.kind != b.kind) return a.kind < b.kind;
      if (const auto order = natural_compare(a.subject, b.subject); order != 0) return order < 0;
      return a < b;
    });
    return std::move(found_);
  }

 private:
  void add(DifferenceKind kind, std::string subject, std::string_view before,
           std::string_view after) {
    found_.push_back({kind, std::move(subject), std::string(before), std::string(after)});
  }

  // "switch with 40 cables": a vertex that goes or comes takes its cables with it.
  static std::string with_cables(const Snapshot& snapshot, VertexId id) {
    const std::size_t cables = snapshot.hops(id).size();
    return fmt::format("{} with {} cable{}", kind_name(snapshot.at(id).kind), cables,
                       cables == 1 ? "" : "s");
  }

  void match_vertices() {
    in_after_.resize(before_.vertices.size());
    in_before_.resize(after_.vertices.size());
    for (std::uint32_t v = 0; v < before_.vertices.size(); ++v)
      if (const auto same = after_.find(before_.vertices[v].guid)) match(VertexId(v), *same);
    // What is left may be known by a port's GUID on either side.
    std::map<Guid, VertexId> by_port;
    for (std::uint32_t v = 0; v < after_.vertices.size(); ++v)
      if (!in_before_[v])
        for (const PortAddress& address : after_.vertices[v].addresses)
          if (address.guid != Guid(0)) by_port.emplace(address.guid, VertexId(v));
    for (std::uint32_t v = 0; v < before_.vertices.size(); ++v) {
      if (in_after_[v]) continue;
      const auto try_guid = [&](Guid guid) {
        const auto at = by_port.find(guid);
        if (at != by_port.end() && !in_before_[at->second.index()]) match(VertexId(v), at->second);
      };
      try_guid(before_.vertices[v].guid);
      for (const PortAddress& address : before_.vertices[v].addresses)
        if (!in_after_[v]) try_guid(address.guid);
    }
  }

  void match(VertexId before, VertexId after) {
    in_after_[before.index()] = after;
    in_before_[after.index()] = before;
  }

  void compare(const Vertex& a, const Vertex& b) {
    if (a.kind != b.kind)
      add(DifferenceKind::kKind, name_of(a), kind_name(a.kind), kind_name(b.kind));
    if (trim(a.description) != trim(b.description))
      add(DifferenceKind::kDescription, to_text(a.guid), trim(a.description), trim(b.description));
    if (a.guid == b.guid && a.port_count != b.port_count)
      add(DifferenceKind::kPorts, name_of(a), fmt::format("{}", a.port_count),
          fmt::format("{}", b.port_count));
    for (const PortAddress& address : a.addresses) {
      const Lid lid = lid_of(b, address.port);
      if (lid != Lid(0) && address.lid != Lid(0) && lid != address.lid)
        add(DifferenceKind::kLid, port_text(a, address.port),
            fmt::format("{}", address.lid.value()), fmt::format("{}", lid.value()));
    }
  }

  static const Hop* hop_at(const Snapshot& snapshot, VertexId vertex, PortNumber port) {
    for (const Hop& hop : snapshot.hops(vertex))
      if (hop.port == port) return &hop;
    return nullptr;
  }

  void compare_cables() {
    for (const Link& link : before_.links) {
      // A cable is looked at from one end that both sides know.
      const auto& a = in_after_[link.a.vertex.index()];
      const auto& b = in_after_[link.b.vertex.index()];
      const Hop* hop = a ? hop_at(after_, *a, link.a.port) : nullptr;
      const Hop* back = b ? hop_at(after_, *b, link.b.port) : nullptr;
      if (hop != nullptr && b && hop->peer == *b && hop->peer_port == link.b.port)
        compare_rate(link, after_.at(hop->link));
      else if (hop != nullptr)
        moved(before_, link.a, link.b, after_, *hop);
      else if (back != nullptr)
        moved(before_, link.b, link.a, after_, *back);
      else if (a && b)
        add(DifferenceKind::kCableGone, end_text(before_, link.a), end_text(before_, link.b), "");
    }
    for (const Link& link : after_.links) {
      const auto& a = in_before_[link.a.vertex.index()];
      const auto& b = in_before_[link.b.vertex.index()];
      if (!a || !b || hop_at(before_, *a, link.a.port) != nullptr ||
          hop_at(before_, *b, link.b.port) != nullptr)
        continue;
      add(DifferenceKind::kCableNew, end_text(after_, link.a), "", end_text(after_, link.b));
    }
  }

  void moved(const Snapshot& before, LinkEnd from, LinkEnd to, const Snapshot& after,
             const Hop& hop) {
    add(DifferenceKind::kCableMoved, end_text(before, from), end_text(before, to),
        port_text(after.at(hop.peer), hop.peer_port));
  }

  void compare_rate(const Link& a, const Link& b) {
    if (a.rate.is_known() && b.rate.is_known() && a.rate != b.rate)
      add(DifferenceKind::kRate,
          fmt::format("{} to {}", end_text(before_, a.a), end_text(before_, a.b)), to_text(a.rate),
          to_text(b.rate));
  }

  static std::string end_text(const Snapshot& snapshot, LinkEnd end) {
    return port_text(snapshot.at(end.vertex), end.port);
  }

  const Snapshot& before_;
  const Snapshot& after_;
  std::vector<std::optional<VertexId>> in_after_;   // by vertex of before
  std::vector<std::optional<VertexId>> in_before_;  // by vertex of after
  std::vector<Difference> found_;
};

// "unit3 in pod1 in fabric1"
std::string place_of(const SiteTree& tree, const Node& node) {
  std::string text;
  DomainId id = node.cell;
  for (const LevelTable& level : tree.locality.levels) {
    if (level.level == Level::kSite || id.is_none()) break;
    const Domain& domain = level.domains[id.index()];
    text += fmt::format("{}{} {}", text.empty() ? "" : " in ", to_text(level.level), domain.name);
    id = domain.parent;
  }
  return text;
}

std::map<std::string, std::string> places(const SiteTree& tree) {
  std::map<std::string, std::string> result;
  for (const Node& node : tree.nodes) result.emplace(node.name, place_of(tree, node));
  return result;
}

void compare_table(const ForwardingTable& a, const ForwardingTable& b,
                   std::vector<Difference>& found) {
  const std::size_t lids = std::max(a.out_port.size(), b.out_port.size());
  std::size_t differ = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < lids; ++i) {
    const Lid lid(static_cast<std::uint16_t>(i));
    if (a.port_to(lid) == b.port_to(lid)) continue;
    if (differ++ == 0) first = i;
  }
  if (differ == 0) return;
  const auto port = [&](const ForwardingTable& table) {
    const std::uint8_t out = table.port_to(Lid(static_cast<std::uint16_t>(first)));
    return out == kNoRoute ? std::string("nowhere") : fmt::format("port {}", out);
  };
  found.push_back({DifferenceKind::kRoute,
                   fmt::format("{} LID {}{}", to_text(a.switch_guid), first,
                               differ == 1 ? "" : fmt::format(" (and {} more LIDs)", differ - 1)),
                   port(a), port(b)});
}

}  // namespace

std::vector<Difference> differences(const Snapshot& before, const Snapshot& after) {
  return SnapshotComparison(before, after).run();
}

std::vector<Difference> differences(const SiteTree& before, const SiteTree& after) {
  const std::map<std::string, std::string> old_places = places(before);
  const std::map<std::string, std::string> new_places = places(after);
  std::vector<Difference> found;
  for (const auto& [node, place] : old_places) {
    const auto now = new_places.find(node);
    if (now == new_places.end())
      found.push_back({DifferenceKind::kNodeGone, node, place, ""});
    else if (now->second != place)
      found.push_back({DifferenceKind::kNodeMoved, node, place, now->second});
  }
  for (const auto& [node, place] : new_places)
    if (!old_places.contains(node)) found.push_back({DifferenceKind::kNodeNew, node, "", place});
  std::ranges::sort(found, [](const Difference& a, const Difference& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return natural_compare(a.subject, b.subject) < 0;
  });
  return found;
}

std::vector<Difference> differences(const ForwardingTables& before, const ForwardingTables& after) {
  std::vector<Difference> found;
  for (const ForwardingTable& table : before.switches) {
    const ForwardingTable* now = after.find(table.switch_guid);
    if (now == nullptr)
      found.push_back({DifferenceKind::kTableGone, to_text(table.switch_guid), "", ""});
    else
      compare_table(table, *now, found);
  }
  for (const ForwardingTable& table : after.switches)
    if (before.find(table.switch_guid) == nullptr)
      found.push_back({DifferenceKind::kTableNew, to_text(table.switch_guid), "", ""});
  std::ranges::stable_sort(found, {}, &Difference::kind);
  return found;
}

}  // namespace weir::fabric
