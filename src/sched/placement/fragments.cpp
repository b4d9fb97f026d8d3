#include "sched/placement/fragments.hpp"

#include <algorithm>

namespace weir::sched {
namespace {

// A journal may say anything: with this, limits::kTypicalShapes counts times all GPUs of a node
// stay far inside 63 bits.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 35;

// Of all that wants GPUs. Sums in doubles, since counts times CPUs can pass 64 bits.
std::int64_t mean_cpu_milli_per_gpu(const TypicalDemand& demand) {
  double cpus = 0;
  double gpus = 0;
  for (const TypicalShape& shape : demand.shapes) {
    const auto milli = static_cast<double>(shape.demand.milli_gpus());
    if (milli == 0) continue;
    cpus += static_cast<double>(shape.count) * shape.demand.cpu_milli;
    gpus += static_cast<double>(shape.count) * milli / kWholeMilli;
  }
  return gpus == 0 ? 0 : static_cast<std::int64_t>(cpus / gpus);
}

}  // namespace

std::uint64_t IdleGpus::milli() const {
  std::uint64_t sum = std::uint64_t{whole} * kWholeMilli;
  for (const std::uint16_t left : shared_left) sum += left;
  return sum;
}

IdleGpus idle_gpus(const pool::FreeCapacityIndex& index, pool::Slot slot) {
  const Capacity& free = index.free_at(slot);
  return {index.class_at(slot), free.gpus, free.cpu_milli, index.shared_left(slot)};
}

FragmentMeasure::FragmentMeasure(const TypicalDemand& demand, const pool::ClassTable& classes,
                                 Looks looks)
    : by_class_(classes.classes()) {
  if (looks == kAhead) cpu_milli_per_gpu_ = mean_cpu_milli_per_gpu(demand);
  // Shapes by their CPUs, so that each group's steps ascend.
  std::vector<TypicalShape> shapes = demand.shapes;
  std::ranges::sort(shapes, {}, [](const TypicalShape& s) { return s.demand.cpu_milli; });
  for (TypicalShape& shape : shapes) {
    shape.count = std::min(shape.count, kMostCount);
    total_ += static_cast<std::int64_t>(shape.count);
  }
  for (std::uint32_t c = 0; c < by_class_.size(); ++c) {
    const NodeKind& kind = classes.kind_of(pool::ClassId(c));
    for (const TypicalShape& shape : shapes) {
      Requirement wanted;
      wanted.gpu_models = shape.gpu_models;
      if (shape.demand.milli_gpus() == 0 || !pool::ClassTable::admits(wanted, kind))
        by_class_[c].useless += static_cast<std::int64_t>(shape.count);
      else
        add(by_class_[c], shape);
    }
  }
}

void FragmentMeasure::add(ByClass& to, const TypicalShape& shape) {
  const auto count = static_cast<std::int64_t>(shape.count);
  auto group = std::ranges::find_if(to.groups, [&](const Group& one) {
    return one.gpus == shape.demand.gpus && one.gpu_milli == shape.demand.gpu_milli;
  });
  if (group == to.groups.end())
    group = to.groups.insert(group, {shape.demand.gpus, shape.demand.gpu_milli, 0, {}});
  group->count += count;
  group->steps.push_back({shape.demand.cpu_milli, group->count});
}

std::int64_t FragmentMeasure::of(const IdleGpus& node) const {
  const auto idle = static_cast<std::int64_t>(node.milli());
  if (idle == 0 || node.node_class.index() >= by_class_.size()) return 0;
  const ByClass& shapes = by_class_[node.node_class.index()];
  std::int64_t fragment = shapes.useless * idle;
  for (const Group& group : shapes.groups) {
    // What the group cannot use where its CPUs suffice.
    std::int64_t stranded = 0;
    const std::uint32_t least = group.gpu_milli > 0 ? group.gpu_milli : kWholeMilli;
    bool fits = group.gpu_milli > 0 ? node.whole > 0 : node.whole >= group.gpus;
    for (const std::uint16_t left : node.shared_left) {
      if (left < least) stranded += left;
      fits = fits || (left >= least);
    }
    if (!fits) stranded = idle;
    const auto beyond = std::ranges::upper_bound(group.steps, node.cpu_milli, {}, &Step::cpu_milli);
    const std::int64_t by_cpus = beyond == group.steps.begin() ? 0 : std::prev(beyond)->count;
    fragment += group.count * idle - by_cpus * (idle - stranded);
  }
  if (cpu_milli_per_gpu_ == 0) return fragment;
  const std::int64_t usable = std::int64_t{node.cpu_milli} * kWholeMilli / cpu_milli_per_gpu_;
  return fragment + total_ * std::max<std::int64_t>(0, idle - usable);
}

std::int64_t FragmentMeasure::of_all(const pool::FreeCapacityIndex& index) const {
  std::int64_t sum = 0;
  for (std::uint32_t node = 0; node < index.nodes(); ++node)
    sum += of(idle_gpus(index, index.slot_of(NodeId(node))));
  return sum;
}

}  // namespace weir::sched
