// What `weir fabric paths`, `check` and `tables` find, each as one JSON object
// (docs/operator/fabric.md). `tables` says which forwarding tables were followed: the name of the
// rule by which they were computed, or "dumped".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/site_routes.hpp"

namespace weir::report {

// Every rail of two nodes: its cables, or why the way ends.
std::string paths_json(const fabric::SiteView& view, const fabric::SiteRoutes& routes,
                       std::span<const NodeId, 2> ends, std::string_view tables);

// Every rail of a ring: its routes and its busiest cable between switches.
std::string ring_json(const fabric::SiteView& view, std::span<const NodeId> ranks,
                      std::span<const fabric::RingLoad> rails, std::string_view tables);

// Every plane: are its pairs joined, and its credit loop.
std::string check_json(const fabric::Snapshot& graph,
                       std::span<const fabric::SiteRoutes::PlaneCheck> planes,
                       std::string_view tables);

// A plane with the tables of its switches.
struct PlaneTables {
  fabric::Subnet subnet;
  fabric::ForwardingTables tables;
};
// Every switch of every plane with its port by LID. One line: the tables of a large site have
// millions of entries.
std::string tables_json(const fabric::Snapshot& graph, std::span<const PlaneTables> planes,
                        std::string_view tables);

}  // namespace weir::report
