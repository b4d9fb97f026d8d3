// For tests: small sites and jobs in a line each. Nodes are named n0, n1, … and have 8 GPUs, 64
// CPUs and 512 MiB unless told otherwise; jobs ask for GPUs only.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/time.hpp"
#include "model/event.hpp"
#include "model/job.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir::testing {

constexpr Instant at_second(std::int64_t second) { return Instant(second * 1'000'000); }
constexpr Duration seconds_long(std::int64_t count) { return Duration(count * 1'000'000); }

inline constexpr Capacity kUsualNode{8, 64, 512};

struct Site {
  Locality locality;
  std::vector<Node> nodes;
};

inline Node node_in(std::uint32_t cell, std::uint32_t number, const Capacity& total = kUsualNode) {
  Node node;
  node.name = fmt::format("n{}", number);
  node.kind.total = total;
  node.cell = DomainId(cell);
  return node;
}

// A tree of units u0…, pods p0…, fabrics f0… and one site, all equally wide.
inline Locality tree_of(std::uint32_t fabrics, std::uint32_t pods_each, std::uint32_t units_each) {
  Locality tree;
  tree.known = true;
  tree.levels = {{Level::kUnit, {}}, {Level::kPod, {}}, {Level::kFabric, {}}, {Level::kSite, {}}};
  for (std::uint32_t u = 0; u < fabrics * pods_each * units_each; ++u)
    tree.levels[0].domains.push_back({DomainId(u / units_each), fmt::format("u{}", u)});
  for (std::uint32_t p = 0; p < fabrics * pods_each; ++p)
    tree.levels[1].domains.push_back({DomainId(p / pods_each), fmt::format("p{}", p)});
  for (std::uint32_t f = 0; f < fabrics; ++f)
    tree.levels[2].domains.push_back({DomainId(0), fmt::format("f{}", f)});
  tree.levels[3].domains.push_back({DomainId::none(), "site"});
  return tree;
}

// The tree with `nodes` nodes in every unit, those of a unit one after another.
inline Site even_site(std::uint32_t fabrics, std::uint32_t pods_each, std::uint32_t units_each,
                      std::uint32_t nodes) {
  Site site{tree_of(fabrics, pods_each, units_each), {}};
  const std::uint32_t units = fabrics * pods_each * units_each;
  for (std::uint32_t i = 0; i < units * nodes; ++i) site.nodes.push_back(node_in(i / nodes, i));
  return site;
}

// One pod whose units have so many nodes.
inline Site units_of(std::initializer_list<std::uint32_t> sizes) {
  Site site{tree_of(1, 1, static_cast<std::uint32_t>(sizes.size())), {}};
  std::uint32_t unit = 0;
  for (const std::uint32_t size : sizes) {
    for (std::uint32_t i = 0; i < size; ++i)
      site.nodes.push_back(node_in(unit, static_cast<std::uint32_t>(site.nodes.size())));
    ++unit;
  }
  return site;
}

inline std::vector<Event> events_of(const Site& site) {
  std::vector<Event> events{LocalityLearned{site.locality}};
  for (const Node& node : site.nodes) events.emplace_back(NodeJoined{node});
  return events;
}

inline Job gang_job(std::uint32_t nodes, std::uint32_t gpus_a_node,
                    Duration estimate = seconds_long(3600)) {
  Job job;
  job.gang.nodes = nodes;
  job.gang.per_node.gpus = gpus_a_node;
  job.estimate = estimate;
  return job;
}

}  // namespace weir::testing
