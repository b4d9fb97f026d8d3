// TypicalDemand: what jobs ask for most, as a value that placement may weigh its choices by. Made
// from a log or from a queue by whoever has one; it is part of the planner's settings, hence in the
// journal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/job.hpp"

namespace weir::sched {

// What one node gives to one part of a gang. Memory is left out, as in the published measure.
struct TypicalShape {
  Capacity demand;                      // memory_mib is 0
  std::vector<std::string> gpu_models;  // any one of them; empty: any
  std::uint64_t count = 0;              // how often it is asked for

  friend bool operator==(const TypicalShape&, const TypicalShape&) = default;
};

struct TypicalDemand {
  std::vector<TypicalShape> shapes;  // most popular first

  [[nodiscard]] std::uint64_t total() const;
  friend bool operator==(const TypicalDemand&, const TypicalDemand&) = default;
};

// The most popular shapes that together make `percent` of all that the jobs ask, each part of a
// gang counted; limits::kTypicalShapes at most. Of equally popular ones the smaller demand first.
TypicalDemand typical_demand(std::span<const Job* const> jobs, std::uint32_t percent = 95);

}  // namespace weir::sched
