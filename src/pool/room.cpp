#include "pool/room.hpp"

#include <algorithm>
#include <bit>

#include "base/assert.hpp"

namespace weir::pool {
namespace {

GpuMask mask_of(std::uint32_t gpus) { return gpus >= 32 ? ~GpuMask{0} : (GpuMask{1} << gpus) - 1; }
GpuMask bit_of(const SharedGpu& shared) { return GpuMask{1} << shared.gpu; }

std::uint32_t most_left(const std::vector<SharedGpu>& shared) {
  std::uint32_t most = 0;
  for (const SharedGpu& one : shared) most = std::max<std::uint32_t>(most, one.left);
  return most;
}

// The place in `shared` of the one GPU in the mask, or where it would stand.
auto place_of(std::vector<SharedGpu>& shared, GpuMask gpu) {
  return std::ranges::lower_bound(shared, static_cast<std::uint8_t>(std::countr_zero(gpu)), {},
                                  &SharedGpu::gpu);
}

void take_share(Room& room, GpuMask gpu, std::uint32_t milli) {
  const auto place = place_of(room.shared, gpu);
  if ((room.free_gpus & gpu) != 0) {
    room.free_gpus &= ~gpu;
    --room.free.gpus;
    room.shared.insert(place, {static_cast<std::uint8_t>(std::countr_zero(gpu)),
                               static_cast<std::uint16_t>(kWholeMilli - milli)});
  } else {
    place->left = static_cast<std::uint16_t>(place->left - milli);
  }
  room.free.gpu_milli = most_left(room.shared);
}

void give_share_back(Room& room, GpuMask gpu, std::uint32_t milli) {
  const auto place = place_of(room.shared, gpu);
  WEIR_ASSERT(place != room.shared.end() && bit_of(*place) == gpu &&
              place->left + milli <= kWholeMilli);
  place->left = static_cast<std::uint16_t>(place->left + milli);
  if (place->left == kWholeMilli) {
    room.shared.erase(place);
    room.free_gpus |= gpu;
    ++room.free.gpus;
  }
  room.free.gpu_milli = most_left(room.shared);
}

}  // namespace

Room whole_room(const Capacity& total) { return {mask_of(total.gpus), total, {}}; }

Capacity held_by(const LeasePart& part) {
  if (part.gpu_milli > 0) return {0, part.cpu_milli, part.memory_mib, part.gpu_milli};
  return {static_cast<std::uint32_t>(std::popcount(part.gpus)), part.cpu_milli, part.memory_mib, 0};
}

bool can_take(const Room& room, GpuMask gpus, const Capacity& held) {
  if (held.cpu_milli > room.free.cpu_milli || held.memory_mib > room.free.memory_mib) return false;
  if (!held.asks_share()) return (gpus & ~room.free_gpus) == 0 && held.gpus <= room.free.gpus;
  if (!std::has_single_bit(gpus) || held.gpu_milli >= kWholeMilli) return false;
  if ((room.free_gpus & gpus) != 0) return true;
  return std::ranges::any_of(room.shared, [&](const SharedGpu& one) {
    return bit_of(one) == gpus && one.left >= held.gpu_milli;
  });
}

void take(Room& room, GpuMask gpus, const Capacity& held) {
  WEIR_ASSERT(can_take(room, gpus, held));
  room.free.cpu_milli -= held.cpu_milli;
  room.free.memory_mib -= held.memory_mib;
  if (held.asks_share()) return take_share(room, gpus, held.gpu_milli);
  room.free_gpus &= ~gpus;
  room.free.gpus -= held.gpus;
}

void give_back(Room& room, GpuMask gpus, const Capacity& held) {
  room.free.cpu_milli += held.cpu_milli;
  room.free.memory_mib += held.memory_mib;
  if (held.asks_share()) return give_share_back(room, gpus, held.gpu_milli);
  WEIR_ASSERT((gpus & room.free_gpus) == 0);
  room.free_gpus |= gpus;
  room.free.gpus += held.gpus;
}

GpuMask usual_gpus(const Room& room, const Capacity& demand) {
  if (!demand.asks_share()) {
    GpuMask left = room.free_gpus;
    for (std::uint32_t i = 0; i < demand.gpus; ++i) left &= left - 1;
    return room.free_gpus & ~left;
  }
  const SharedGpu* tightest = nullptr;
  for (const SharedGpu& one : room.shared)
    if (one.left >= demand.gpu_milli && (tightest == nullptr || one.left < tightest->left))
      tightest = &one;
  return tightest != nullptr ? bit_of(*tightest) : room.free_gpus & -room.free_gpus;
}

Room usable_now(const Room& now, const Room& then) {
  Room usable{now.free_gpus, lesser(now.free, then.free), {}};
  for (const SharedGpu& one : now.shared) {
    std::uint16_t left = 0;
    if ((then.free_gpus & bit_of(one)) != 0) {
      left = then.free.gpus > 0 ? one.left : std::uint16_t{0};
    } else {
      for (const SharedGpu& later : then.shared)
        if (later.gpu == one.gpu) left = std::min(one.left, later.left);
    }
    usable.shared.push_back({one.gpu, left});
  }
  usable.free.gpu_milli = most_left(usable.shared);
  return usable;
}

}  // namespace weir::pool
