// Room: what is free of one node, GPU by GPU where GPUs are shared.
//
// A GPU is wholly free, leased whole to one job, or shared: then several jobs may hold parts of it
// and `left` is what nobody holds. A shared GPU whose last part comes back is wholly free again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/demand.hpp"
#include "model/lease.hpp"

namespace weir::pool {

// In place of a GPU's number: the lowest wholly free one.
inline constexpr std::uint8_t kFreshGpu = 255;

struct SharedGpu {
  std::uint8_t gpu = 0;    // in the node's own order
  std::uint16_t left = 0;  // thousandths, below 1000

  friend bool operator==(const SharedGpu&, const SharedGpu&) = default;
};

struct Room {
  GpuMask free_gpus = 0;  // wholly free ones
  // free.gpus counts the bits of free_gpus, free.gpu_milli is the most left on a shared GPU.
  Capacity free;
  std::vector<SharedGpu> shared;  // by GPU

  friend bool operator==(const Room&, const Room&) = default;
};

// An idle node's.
Room whole_room(const Capacity& total);

// What a lease's part holds of its node.
Capacity held_by(const LeasePart& part);

// Whether these GPUs (of a share exactly one) have what `held` says free, and CPUs and memory, too.
bool can_take(const Room& room, GpuMask gpus, const Capacity& held);
// REQUIRES: can_take().
void take(Room& room, GpuMask gpus, const Capacity& held);
// Takes back what take() did. REQUIRES: it is held.
void give_back(Room& room, GpuMask gpus, const Capacity& held);

// The GPUs that a demand gets unless a policy says otherwise: the lowest wholly free ones; for a
// share the shared GPU with the least left that suffices, the lowest among equals, else the lowest
// wholly free one. REQUIRES: room.free covers the demand.
GpuMask usual_gpus(const Room& room, const Capacity& demand);

// What of `now` may be used when no more than `then` may be taken in the end: `then` is the room at
// a later instant of which free.gpus wholly free GPUs, any of them, may be touched. A GPU shared
// now and wholly free then counts as one of those.
Room usable_now(const Room& now, const Room& then);

}  // namespace weir::pool
