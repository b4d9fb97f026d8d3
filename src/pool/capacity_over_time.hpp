// Capacity over time: when nodes become free, from the expected ends of what they hold. The second
// face of the free-capacity index; reservations and backfill ask it "when and where".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "pool/pool.hpp"

namespace weir::pool {

// When a lease that should be over by now is expected back: at any moment, but not yet.
constexpr Instant expected_end(Instant until, Instant now) {
  return until > now ? until : now + Duration(1);
}

// The earliest instant at which the node covers `demand`, if nothing new starts on it: `now` if it
// does already, far_future if it never will. The node's own size is taken as covering it.
Instant covers_at(const NodeState& node, const Capacity& demand, Instant now);

// What the node will have free at an instant, if nothing new starts on it; GPU by GPU.
Capacity free_at(const NodeState& node, Instant at, Instant now);
Room room_at(const NodeState& node, Instant at, Instant now);

// A point of a step function: from `at` on, this many nodes serve.
struct Step {
  Instant at;
  std::uint32_t nodes = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

class CapacityOverTime {
 public:
  // REQUIRES: the pool outlives this and does not change meanwhile.
  CapacityOverTime(const Pool& pool, Instant now) : pool_(pool), now_(now) {}

  // Per domain of `depth`: the instants at which its serving nodes become free, ascending. Nodes
  // that are not offered, but for a domain that a running job has for itself, do not count.
  [[nodiscard]] std::vector<std::vector<Instant>> free_instants(
      std::size_t depth, const Capacity& demand, std::span<const EligibleClass> classes) const;

  // The first instant at which some domain of `depth` has so many serving nodes free, counted as
  // above; far_future if none ever has. REQUIRES: nodes > 0.
  [[nodiscard]] Instant enough_at(std::size_t depth, const Capacity& demand,
                                  std::span<const EligibleClass> classes,
                                  std::uint32_t nodes) const;

  // The free instants of one domain as a step function.
  [[nodiscard]] std::vector<Step> steps(std::size_t depth, DomainId domain, const Capacity& demand,
                                        std::span<const EligibleClass> classes) const;

  // The free-capacity index as it will be at an instant, if nothing new starts.
  [[nodiscard]] FreeCapacityIndex index_at(Instant at) const;
  // The same into an index whose memory serves again.
  void index_at(Instant at, FreeCapacityIndex& index) const;

  // The first expected end after `at`, or far_future.
  [[nodiscard]] Instant next_end(Instant at) const;

 private:
  // Calls visit(node, its domain of `depth`) for the nodes that may serve.
  template <typename Visit>
  void for_each_serving(std::size_t depth, std::span<const EligibleClass> classes,
                        Visit visit) const;

  const Pool& pool_;
  Instant now_;
};

}  // namespace weir::pool
