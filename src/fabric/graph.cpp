#include "fabric/graph.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text.hpp"

namespace weir::fabric {
namespace {

struct EndOrder {
  bool operator()(const CableEnd& a, const CableEnd& b) const {
    return std::pair(a.vertex, a.port) < std::pair(b.vertex, b.port);
  }
};

const CableEnd* find_end(const std::vector<CableEnd>& sorted, Guid vertex, PortNumber port) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), std::pair(vertex, port),
                                   [](const CableEnd& end, const std::pair<Guid, PortNumber>& key) {
                                     return std::pair(end.vertex, end.port) < key;
                                   });
  return at != sorted.end() && at->vertex == vertex && at->port == port ? &*at : nullptr;
}

// The rate both ends can be trusted to carry; what one end does not know the other may.
LinkRate common_rate(LinkRate a, LinkRate b) {
  if (!a.is_known()) return b;
  if (!b.is_known()) return a;
  return bandwidth(a) <= bandwidth(b) ? a : b;
}

// Judges the cable ends one by one, in order, and collects links and gaps.
class CableMatcher {
 public:
  CableMatcher(Snapshot& snapshot, const std::vector<CableEnd>& sorted)
      : snapshot_(snapshot), ends_(sorted) {}

  void match(const CableEnd& end) {
    const auto peer = snapshot_.find(end.peer);
    if (!peer) return gap(GapKind::kUndescribedPeer, end);
    const CableEnd* answer = find_end(ends_, end.peer, end.peer_port);
    if (answer == nullptr) {
      // Two ends may both claim a port that says nothing: the first one gets it.
      if (!silent_ports_.emplace(end.peer, end.peer_port).second)
        return gap(GapKind::kDisagreement, end);
      gap(GapKind::kOneEnded, end);
      return link(end, end.rate, false);
    }
    if (answer->peer != end.vertex || answer->peer_port != end.port)
      return gap(GapKind::kDisagreement, end);
    if (EndOrder{}(end, *answer)) link(end, common_rate(end.rate, answer->rate), true);
  }

 private:
  void gap(GapKind kind, const CableEnd& end) { snapshot_.gaps.push_back({kind, end}); }

  void link(const CableEnd& end, LinkRate rate, bool confirmed) {
    LinkEnd a{*snapshot_.find(end.vertex), end.port};
    LinkEnd b{*snapshot_.find(end.peer), end.peer_port};
    if (b < a) std::swap(a, b);
    snapshot_.links.push_back({a, b, rate, confirmed});
  }

  Snapshot& snapshot_;
  const std::vector<CableEnd>& ends_;
  std::set<std::pair<Guid, PortNumber>> silent_ports_;
};

void index_hops(Snapshot& snapshot) {
  std::vector<std::uint32_t>& begin = snapshot.hop_begin;
  begin.assign(snapshot.vertices.size() + 1, 0);
  for (const Link& link : snapshot.links) {
    ++begin[link.a.vertex.index() + 1];
    ++begin[link.b.vertex.index() + 1];
  }
  for (std::size_t v = 0; v < snapshot.vertices.size(); ++v) begin[v + 1] += begin[v];
  snapshot.hop_table.resize(snapshot.links.size() * 2);
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t i = 0; i < snapshot.links.size(); ++i) {
    const Link& link = snapshot.links[i];
    snapshot.hop_table[next[link.a.vertex.index()]++] = {link.a.port, link.b.port, link.b.vertex,
                                                         LinkId(i)};
    snapshot.hop_table[next[link.b.vertex.index()]++] = {link.b.port, link.a.port, link.a.vertex,
                                                         LinkId(i)};
  }
  for (std::size_t v = 0; v < snapshot.vertices.size(); ++v)
    std::sort(snapshot.hop_table.begin() + begin[v], snapshot.hop_table.begin() + begin[v + 1],
              [](const Hop& a, const Hop& b) { return a.port < b.port; });
}

// Takes over what a second record of the same HCA adds. False: both describe the same port.
bool absorb(Vertex& known, const Vertex& again) {
  for (const PortAddress& address : again.addresses) {
    const auto same = [&](const PortAddress& a) { return a.port == address.port; };
    if (std::ranges::any_of(known.addresses, same)) return false;
    known.addresses.push_back(address);
  }
  std::ranges::sort(known.addresses, {}, &PortAddress::port);
  return true;
}

// The cable ends that a snapshot was assembled from.
void take_ends(Snapshot& snapshot, std::vector<CableEnd>& ends) {
  const auto end_of = [&](const LinkEnd& from, const LinkEnd& to, LinkRate rate) {
    const Vertex& peer = snapshot.at(to.vertex);
    return CableEnd{
        snapshot.at(from.vertex).guid, from.port, peer.guid, to.port, rate, peer.description};
  };
  for (const Link& link : snapshot.links) {
    if (!link.confirmed) continue;  // its one end is among the gaps
    ends.push_back(end_of(link.a, link.b, link.rate));
    ends.push_back(end_of(link.b, link.a, link.rate));
  }
  for (Gap& gap : snapshot.gaps) ends.push_back(std::move(gap.end));
}

}  // namespace

std::optional<VertexId> Snapshot::find(Guid guid) const {
  const auto at = std::ranges::lower_bound(vertices, guid, {}, &Vertex::guid);
  if (at == vertices.end() || at->guid != guid) return std::nullopt;
  return VertexId(static_cast<std::uint32_t>(at - vertices.begin()));
}

Snapshot assemble(FabricDraft draft) {
  Snapshot snapshot;
  snapshot.vertices = std::move(draft.vertices);
  std::ranges::sort(snapshot.vertices, {}, &Vertex::guid);
  WEIR_ASSERT(std::ranges::adjacent_find(snapshot.vertices, {}, &Vertex::guid) ==
              snapshot.vertices.end());
  std::sort(draft.ends.begin(), draft.ends.end(), EndOrder{});
  CableMatcher matcher(snapshot, draft.ends);
  for (const CableEnd& end : draft.ends) matcher.match(end);
  std::ranges::sort(snapshot.links, {}, &Link::a);
  index_hops(snapshot);
  return snapshot;
}

Result<Snapshot> merge(std::vector<Snapshot> snapshots) {
  if (snapshots.size() == 1) return std::move(snapshots.front());
  std::vector<std::pair<Vertex, std::size_t>> all;  // with the number of the file
  FabricDraft draft;
  for (std::size_t file = 0; file < snapshots.size(); ++file) {
    take_ends(snapshots[file], draft.ends);
    for (Vertex& vertex : snapshots[file].vertices) all.emplace_back(std::move(vertex), file);
  }
  std::ranges::sort(all, {}, [](const auto& one) { return std::pair(one.first.guid, one.second); });
  for (auto& [vertex, file] : all) {
    if (draft.vertices.empty() || draft.vertices.back().guid != vertex.guid) {
      draft.vertices.push_back(std::move(vertex));
      continue;
    }
    if (vertex.kind == VertexKind::kSwitch || !absorb(draft.vertices.back(), vertex))
      return bad_input(fmt::format("{} {} is described in two of the files: give each subnet once",
                                   to_text(vertex.guid), quoted(vertex.description)));
  }
  std::sort(draft.ends.begin(), draft.ends.end(), EndOrder{});
  const auto same_port = [](const CableEnd& a, const CableEnd& b) {
    return a.vertex == b.vertex && a.port == b.port;
  };
  const auto twice = std::adjacent_find(draft.ends.begin(), draft.ends.end(), same_port);
  if (twice != draft.ends.end())
    return bad_input(fmt::format("port {} of {} is described in two of the files",
                                 twice->port.value(), to_text(twice->vertex)));
  return assemble(std::move(draft));
}

std::string to_text(Guid guid) { return fmt::format("0x{:016x}", guid.value()); }

}  // namespace weir::fabric
