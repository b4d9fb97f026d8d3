// Which hosts are compute nodes: those with the usual number of HCAs. Ports may be missing.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "fabric/analysis.hpp"
#include "fabric/disjoint_sets.hpp"

namespace weir::fabric {
namespace {

// Storage and login hosts commonly have one or two HCAs, so a count up to here distinguishes
// nothing by itself: such nodes must also have the usual device names.
constexpr std::size_t kCommonCount = 2;
// Kinds of node told apart by their device names; more than this in one fabric are no kinds.
constexpr std::size_t kMostPatterns = 64;

using Pattern = std::vector<DeviceName>;  // ascending

// The HCAs of a host that may serve rails: those on compute planes, and those without a link, as a
// cut cable makes no storage HCA of them. Empty unless one is linked.
std::vector<std::size_t> rail_candidates(const SiteView& view, const Host& host) {
  std::vector<std::size_t> candidates;
  bool linked = false;
  for (std::size_t i = 0; i < host.hcas.size(); ++i) {
    const PlaneId plane = host.hcas[i].plane;
    const bool on_compute = !plane.is_none() && view.planes[plane.index()].compute;
    if (on_compute || plane.is_none()) candidates.push_back(i);
    linked = linked || on_compute;
  }
  if (!linked) candidates.clear();
  return candidates;
}

struct Candidate {
  HostId host;
  std::vector<std::size_t> hcas;
  Pattern devices;
  std::size_t group = 0;  // hosts of one group share planes, directly or through others
};

std::vector<Candidate> find_candidates(const SiteView& view) {
  DisjointSets groups(view.planes.size());
  std::vector<Candidate> candidates;
  std::vector<PlaneId> seat;
  for (std::uint32_t h = 0; h < view.hosts.size(); ++h) {
    const Host& host = view.hosts[h];
    Candidate candidate{HostId(h), rail_candidates(view, host), {}, 0};
    if (candidate.hcas.empty()) continue;
    PlaneId first = PlaneId::none();
    for (const std::size_t i : candidate.hcas) {
      candidate.devices.push_back(host.hcas[i].device);
      const PlaneId plane = host.hcas[i].plane;
      if (plane.is_none()) continue;
      if (first.is_none()) first = plane;
      groups.join(first.index(), plane.index());
    }
    candidates.push_back(std::move(candidate));
    seat.push_back(first);
  }
  for (std::size_t i = 0; i < candidates.size(); ++i)
    candidates[i].group = groups.root(seat[i].index());
  return candidates;
}

// The number of HCAs a host usually has: the one that covers the most HCAs.
std::size_t usual_count(const std::vector<const Candidate*>& hosts) {
  std::map<std::size_t, std::size_t> covered;
  for (const Candidate* host : hosts) covered[host->devices.size()] += host->devices.size();
  std::size_t usual = 0;
  std::size_t best = 0;
  for (const auto& [count, hcas] : covered)
    if (hcas >= best) {
      best = hcas;
      usual = count;
    }
  return usual;
}

std::size_t overlap(const Pattern& a, const Pattern& b) {
  std::size_t common = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j)
      ++common, ++i, ++j;
    else if (*i < *j)
      ++i;
    else
      ++j;
  }
  return common;
}

// The device lists of nodes with `count` HCAs, the most frequent first. A list that one host alone
// has is an own kind of node only if it is no variation of another.
std::vector<Pattern> usual_patterns(const std::vector<const Candidate*>& hosts, std::size_t count) {
  std::map<Pattern, std::size_t> seen;
  for (const Candidate* host : hosts)
    if (host->devices.size() == count) ++seen[host->devices];
  std::vector<std::pair<Pattern, std::size_t>> ordered(seen.begin(), seen.end());
  std::ranges::sort(ordered, [](const auto& a, const auto& b) {
    if (a.second != b.second) return a.second > b.second;
    return a.first < b.first;
  });
  std::vector<Pattern> patterns;
  for (const auto& [pattern, number] : ordered) {
    const auto varies = [&, &devices = pattern](const Pattern& other) {
      return overlap(devices, other) * 2 > count;
    };
    const bool own_kind =
        patterns.empty() ||
        (count > kCommonCount && (number > 1 || !std::ranges::any_of(patterns, varies)));
    if (own_kind) patterns.push_back(pattern);
    if (patterns.size() == kMostPatterns) break;
  }
  return patterns;
}

// Finds the compute nodes of one group of hosts.
class NodeChooser {
 public:
  NodeChooser(SiteView& view, ComputeDraft& draft) : view_(view), draft_(draft) {}

  void choose(const std::vector<const Candidate*>& hosts, std::size_t count) {
    const std::vector<Pattern> patterns = usual_patterns(hosts, count);
    const std::size_t first = draft_.patterns.size();
    draft_.patterns.insert(draft_.patterns.end(), patterns.begin(), patterns.end());
    std::vector<std::pair<const Candidate*, std::size_t>> halves;
    for (const Candidate* host : hosts) {
      std::size_t best = 0;
      std::size_t common = 0;
      for (std::size_t p = 0; p < patterns.size(); ++p)
        if (const std::size_t shared = overlap(host->devices, patterns[p]); shared > common) {
          best = p;
          common = shared;
        }
      if (common == 0 || !has_linked_rail(*host, patterns[best])) continue;
      if (common * 2 > count)
        add(*host, first + best);
      else if (common * 2 == count && count == kCommonCount)
        halves.emplace_back(host, first + best);
    }
    // One HCA of two: a node with a cut cable, or another host? A node's HCA sits where the same
    // HCA of complete nodes sits.
    for (const auto& [host, pattern] : halves)
      if (sits_among_nodes(*host, pattern)) add(*host, pattern);
  }

 private:
  [[nodiscard]] bool has_linked_rail(const Candidate& candidate, const Pattern& pattern) const {
    const Host& host = view_.hosts[candidate.host.index()];
    return std::ranges::any_of(candidate.hcas, [&](std::size_t i) {
      return !host.hcas[i].plane.is_none() &&
             std::ranges::binary_search(pattern, host.hcas[i].device);
    });
  }

  void add(const Candidate& candidate, std::size_t pattern_index) {
    const Pattern& pattern = draft_.patterns[pattern_index];
    Host& host = view_.hosts[candidate.host.index()];
    host.compute = true;
    NodeDraft node;
    node.host = candidate.host;
    node.pattern = pattern_index;
    node.hca_by_rail.assign(std::min<std::size_t>(pattern.size(), limits::kRails),
                            NodeDraft::kNoHca);
    for (const std::size_t i : candidate.hcas) {
      HostHca& hca = host.hcas[i];
      const auto at = std::ranges::lower_bound(pattern, hca.device);
      const auto rail = static_cast<std::size_t>(at - pattern.begin());
      if (at == pattern.end() || !(*at == hca.device) || rail >= node.hca_by_rail.size()) {
        view_.oddities.push_back({OddityKind::kExtraHca, label(host, hca),
                                  fmt::format("nodes like it have {} HCAs", pattern.size())});
        continue;
      }
      hca.rail = RailNumber(static_cast<std::uint8_t>(rail));
      node.hca_by_rail[rail] = i;
      full_seats_.emplace(first_switch(view_.graph, hca.vertex), hca.rail);
    }
    report_missing(host, node, pattern);
    draft_.nodes.push_back(std::move(node));
  }

  void report_missing(const Host& host, const NodeDraft& node, const Pattern& pattern) {
    std::vector<std::string_view> missing;
    for (std::size_t rail = 0; rail < node.hca_by_rail.size(); ++rail)
      if (node.hca_by_rail[rail] == NodeDraft::kNoHca) missing.push_back(pattern[rail].text);
    if (missing.empty()) return;
    view_.oddities.push_back(
        {OddityKind::kMissingHca, host.name,
         fmt::format("{} not seen, {} of {} HCAs there", fmt::join(missing, ", "),
                     node.hca_by_rail.size() - missing.size(), node.hca_by_rail.size())});
  }

  bool sits_among_nodes(const Candidate& candidate, std::size_t pattern_index) const {
    const Pattern& pattern = draft_.patterns[pattern_index];
    const Host& host = view_.hosts[candidate.host.index()];
    return std::ranges::any_of(candidate.hcas, [&](std::size_t i) {
      const auto at = std::ranges::lower_bound(pattern, host.hcas[i].device);
      if (at == pattern.end() || !(*at == host.hcas[i].device)) return false;
      const RailNumber rail(static_cast<std::uint8_t>(at - pattern.begin()));
      const VertexId leaf = first_switch(view_.graph, host.hcas[i].vertex);
      return !leaf.is_none() && full_seats_.contains({leaf, rail});
    });
  }

  SiteView& view_;
  ComputeDraft& draft_;
  std::set<std::pair<VertexId, RailNumber>> full_seats_;
};

}  // namespace

ComputeDraft choose_compute_hosts(SiteView& view) {
  const std::vector<Candidate> candidates = find_candidates(view);
  std::vector<const Candidate*> all;
  std::map<std::size_t, std::vector<const Candidate*>> groups;
  for (const Candidate& candidate : candidates) {
    all.push_back(&candidate);
    groups[candidate.group].push_back(&candidate);
  }
  const std::size_t site_count = usual_count(all);

  ComputeDraft draft;
  NodeChooser chooser(view, draft);
  for (const auto& [group, hosts] : groups) {
    const std::size_t count = usual_count(hosts);
    if (count != site_count) {
      // Another kind of machine has a fabric of its own; one or two HCAs make no compute node.
      if (count <= kCommonCount) continue;
      view.oddities.push_back({OddityKind::kOtherCount,
                               view.hosts[hosts.front()->host.index()].name,
                               fmt::format("{} hosts with {} HCAs; usual here are {}", hosts.size(),
                                           count, site_count)});
    }
    chooser.choose(hosts, count);
  }
  std::ranges::sort(draft.nodes, {}, &NodeDraft::host);
  for (Plane& plane : view.planes) plane.compute = false;
  for (const Host& host : view.hosts)
    for (const HostHca& hca : host.hcas)
      if (!hca.rail.is_none() && !hca.plane.is_none())
        view.planes[hca.plane.index()].compute = true;
  return draft;
}

}  // namespace weir::fabric
