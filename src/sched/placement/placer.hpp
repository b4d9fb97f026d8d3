// Placer: the policy that chooses nodes for one gang. Registered by name in one table.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "model/ids.hpp"
#include "pool/free_index.hpp"
#include "sched/placement/request.hpp"
#include "sched/placement/typical_demand.hpp"

namespace weir::sched {

// Different nodes in rank order: the whole parts by slot, so that neighbours in rank are neighbours
// on the fabric, then the tail.
struct Placement {
  std::vector<NodeId> nodes;
  Level spans = Level::kUnit;  // of the smallest domain that holds all of them
  std::optional<std::uint8_t>
      gpu;  // for a share: this one, or kFreshGpu; none: the usual (room.hpp)
};

class Placer {
 public:
  virtual ~Placer() = default;
  // What is typically asked for here, for policies that weigh by it. Told anew when the classes of
  // nodes change.
  virtual void expect(const TypicalDemand& /*demand*/, const pool::ClassTable& /*classes*/) {}
  // Nothing when the gang does not fit; every placer gives the same answer to whether it fits.
  // Equal arguments, the state of `rng` included, give equal placements.
  virtual std::optional<Placement> place(const pool::FreeCapacityIndex& index,
                                         const Request& request, Rng& rng) = 0;
};

struct PlacerEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Placer> (*make)();
};
std::span<const PlacerEntry> placers();

// Turns chosen slots into a placement: sorts the whole parts, names the smallest domain.
Placement finish_placement(const pool::FreeCapacityIndex& index, std::vector<pool::Slot>& whole,
                           std::optional<pool::Slot> tail);

}  // namespace weir::sched
