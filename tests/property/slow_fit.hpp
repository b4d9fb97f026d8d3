// Fit: the slow, obvious placer. For one gang in one world it marks the nodes that serve, counts
// them domain by domain over the locality tree, and answers whether, where and how tightly the gang
// fits. No index, no memory from one question to the next.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/job.hpp"
#include "property/slow_cluster.hpp"

namespace weir::slow {

// What a job asks of the site.
struct Ask {
  Gang gang;
  Requirement requirement;
  TopologyWish wish;

  friend auto operator<=>(const Ask&, const Ask&) = default;
};

inline Ask ask_of(const Job& job) { return {job.gang, job.requirement, job.wish}; }

// A vertex of the locality tree.
struct Place {
  std::size_t depth = 0;
  DomainId domain;
};

class Fit {
 public:
  // REQUIRES: the world's cluster outlives this.
  Fit(World world, Ask ask);

  [[nodiscard]] const World& world() const { return world_; }
  [[nodiscard]] const Cluster& cluster() const { return *world_.cluster; }
  [[nodiscard]] const Ask& ask() const { return ask_; }

  // A level that the wish names and the tree lacks.
  [[nodiscard]] std::optional<Level> missing_level() const;
  // Position of the largest domains in which the gang may lie. REQUIRES: no level is missing.
  [[nodiscard]] std::size_t widest() const;
  // Position of the segments' level. REQUIRES: segments are asked, no level is missing.
  [[nodiscard]] std::size_t segment_depth() const;

  // By what never changes and by grade, whether the node may serve this demand when idle.
  [[nodiscard]] bool eligible(NodeId node, const Capacity& demand) const;
  [[nodiscard]] bool serves(NodeId node, const Capacity& demand) const;
  // Nodes of a domain that serve a whole part, or the tail; by cell, then by NodeId.
  [[nodiscard]] std::vector<NodeId> whole_in(Place place) const;
  [[nodiscard]] std::vector<NodeId> tail_in(Place place) const;
  // Segments that fit into a domain. REQUIRES: it stands at or above the segments' level.
  [[nodiscard]] std::uint32_t segments_in(Place place) const;

  [[nodiscard]] bool holds(Place place) const;
  [[nodiscard]] std::size_t domains(std::size_t depth) const;
  [[nodiscard]] std::vector<DomainId> children(Place place) const;
  // Position of the smallest domains of which one holds the gang; nothing where none does.
  [[nodiscard]] std::optional<std::size_t> smallest() const;
  [[nodiscard]] bool fits() const { return smallest().has_value(); }

 private:
  [[nodiscard]] std::vector<NodeId> marked_in(Place place, const std::vector<bool>& marks) const;
  [[nodiscard]] bool domain_is_idle(NodeId node, std::size_t depth) const;
  [[nodiscard]] bool tail_fits_beside(const std::vector<NodeId>& whole, Place place) const;

  World world_;
  Ask ask_;
  std::vector<NodeId> in_order_;  // all nodes by cell, then by NodeId
  std::vector<bool> whole_;       // [node] serves a whole part
  std::vector<bool> tail_;
};

// Whether the gang could ever start here: nothing leased, all nodes up and good.
bool possible(const Cluster& cluster, const Ask& ask);

// The first instant after `now` at which the gang fits if all leases end as expected and nothing
// new starts; far_future if there is none. REQUIRES: it does not fit now.
Instant earliest_start(const Cluster& cluster, const Ask& ask, Instant now);

}  // namespace weir::slow
