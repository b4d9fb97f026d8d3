#include "sched/placement/typical_demand.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/limits.hpp"

namespace weir::sched {

std::uint64_t TypicalDemand::total() const {
  std::uint64_t sum = 0;
  for (const TypicalShape& shape : shapes) sum += shape.count;
  return sum;
}

TypicalDemand typical_demand(std::span<const Job* const> jobs, std::uint32_t percent) {
  std::map<std::pair<Capacity, std::vector<std::string>>, std::uint64_t> counts;
  std::uint64_t all = 0;
  const auto count = [&](Capacity demand, const Requirement& requirement, std::uint64_t times) {
    demand.memory_mib = 0;
    counts[{demand, requirement.gpu_models}] += times;
    all += times;
  };
  for (const Job* job : jobs) {
    count(job->gang.per_node, job->requirement, job->gang.nodes);
    if (job->gang.has_tail()) count(job->gang.tail, job->requirement, 1);
  }
  TypicalDemand typical;
  for (const auto& [shape, times] : counts)
    typical.shapes.push_back({shape.first, shape.second, times});
  std::ranges::sort(typical.shapes, [](const TypicalShape& a, const TypicalShape& b) {
    if (a.count != b.count) return a.count > b.count;
    return std::tie(a.demand, a.gpu_models) < std::tie(b.demand, b.gpu_models);
  });
  std::size_t kept = 0;
  for (std::uint64_t sum = 0; kept < typical.shapes.size() && kept < limits::kTypicalShapes;
       ++kept) {
    if (sum * 100 >= all * percent) break;
    sum += typical.shapes[kept].count;
  }
  typical.shapes.resize(kept);
  return typical;
}

}  // namespace weir::sched
