#include "sched/explain/explain.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sched/placement/domain_counts.hpp"
#include "sched/placement/request.hpp"

namespace weir::sched {
namespace {

using pool::ClassId;
using pool::FreeCapacityIndex;
using pool::Pool;
using state::Shape;

// Narrows the classes by one condition after the other; the first that leaves none is the reason.
class Sieve {
 public:
  using Condition = std::function<bool(const pool::NodeClass&, const NodeKind&)>;

  explicit Sieve(const pool::ClassTable& classes) : classes_(classes) {
    for (std::uint32_t i = 0; i < classes.classes(); ++i) left_.push_back(ClassId(i));
  }

  // Drops the classes that do not meet the condition; false when none is left.
  bool keep(const Condition& condition) {
    std::erase_if(left_, [&](ClassId id) {
      return !condition(classes_.node_class(id), classes_.kind_of(id));
    });
    return !left_.empty();
  }

  // The most of a resource that a class which is left has.
  [[nodiscard]] std::uint64_t best(std::uint32_t Capacity::* resource) const {
    std::uint64_t most = 0;
    for (const ClassId id : left_)
      most = std::max<std::uint64_t>(most, classes_.kind_of(id).total.*resource);
    return most;
  }

 private:
  const pool::ClassTable& classes_;
  std::vector<ClassId> left_;
};

// The condition that no node kind meets, or kNone.
Reason why_no_class(const pool::ClassTable& classes, const Shape& shape) {
  const Requirement& wanted = shape.requirement;
  Capacity demand = shape.gang.per_node;
  if (demand.asks_share()) demand.gpus = 1;
  Sieve sieve(classes);
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::binary_search(names, name);
  };
  if (!sieve.keep([&](const auto&, const NodeKind& kind) {
        return wanted.partition.empty() || has(kind.partitions, wanted.partition);
      }))
    return {ReasonCode::kNoPartition, Level::kSite, 0, 0, wanted.partition};
  if (!sieve.keep([&](const auto&, const NodeKind& kind) {
        return wanted.gpu_models.empty() || has(wanted.gpu_models, kind.gpu_model);
      }))
    return {ReasonCode::kNoGpuModel, Level::kSite, 0, 0,
            fmt::format("{}", fmt::join(wanted.gpu_models, "|"))};
  if (!sieve.keep([&](const auto&, const NodeKind& kind) {
        return std::ranges::includes(kind.features, wanted.features);
      }))
    return {ReasonCode::kNoFeatures, Level::kSite, 0, 0,
            fmt::format("{}", fmt::join(wanted.features, "+"))};
  struct Resource {
    ReasonCode code;
    std::uint32_t Capacity::* member;
  };
  for (const auto& [code, member] : {Resource{ReasonCode::kGpusPerNode, &Capacity::gpus},
                                     Resource{ReasonCode::kCpusPerNode, &Capacity::cpu_milli},
                                     Resource{ReasonCode::kMemoryPerNode, &Capacity::memory_mib}}) {
    const std::uint64_t best = sieve.best(member);
    if (!sieve.keep([&](const auto&, const NodeKind& kind) {
          return kind.total.*member >= demand.*member;
        }))
      return {code, Level::kSite, demand.*member, best, {}};
  }
  if (shape.gang.node_count() > 1 && !sieve.keep([&](const pool::NodeClass& node, const auto&) {
        return (node.rails & wanted.rails) == wanted.rails;
      }))
    return {ReasonCode::kRails, Level::kSite, wanted.rails, 0, {}};
  return {};
}

std::uint32_t most(std::span<const std::uint16_t> counts) {
  return counts.empty() ? 0 : *std::ranges::max_element(counts);
}

// The most that is free of one GPU of an offered node that may serve, in thousandths.
std::uint32_t most_of_one_gpu(const FreeCapacityIndex& index, const NodeQuery& query) {
  std::uint32_t most = 0;
  const std::uint32_t last =
      index.words(DomainId(static_cast<std::uint32_t>(index.domains(0) - 1))).last;
  for (std::uint32_t word = 0; word < last; ++word) {
    std::uint64_t members = 0;
    for (const pool::EligibleClass& eligible : query.classes)
      members |= index.class_word(eligible.id, word);
    if ((members & index.free_word(1, word)) != 0) return kWholeMilli;
    for (std::uint64_t bits = members & index.shared_word(word); bits != 0; bits &= bits - 1)
      most = std::max(
          most,
          index.free_at(pool::Slot(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))))
              .gpu_milli);
  }
  return most;
}

// What the domains of `index` lack for the gang, in terms of the widest level allowed.
Reason why_no_domain(const FreeCapacityIndex& index, const Request& request, bool ever) {
  DomainCounts counts;
  if (!counts.compute(index, request)) {
    Level missing = Level::kBlock;
    for (const std::optional<Level>& level :
         {request.wish.require, request.wish.exclusive,
          request.wish.segment_nodes > 0 ? std::optional(request.wish.segment_level)
                                         : std::nullopt})
      if (level && index.depth_of(*level) == index.levels()) missing = *level;
    return {ReasonCode::kLevelUnknown, missing, 0, 0, {}};
  }
  const std::size_t depth = counts.depths().widest;
  for (std::uint32_t d = 0; d < index.domains(depth); ++d)
    if (counts.holds_gang(depth, DomainId(d))) return {};
  const Level level = index.level(depth);
  const std::uint32_t nodes = most(counts.nodes(depth));
  if (const Capacity& demand = request.whole.demand;
      demand.asks_share() && !ever && !request.wish.exclusive)
    return {
        ReasonCode::kBusyShare, level, demand.gpu_milli, most_of_one_gpu(index, request.whole), {}};
  if (nodes < request.gang.nodes)
    return {
        ever ? ReasonCode::kNodeCount : ReasonCode::kBusy, level, request.gang.nodes, nodes, {}};
  if (request.gang.has_tail())
    return ever ? Reason{ReasonCode::kNodeCount, level, request.gang.node_count(), nodes, {}}
                : Reason{ReasonCode::kBusyTail, level, request.gang.tail.gpus, 0, {}};
  const std::uint32_t groups = depth >= counts.depths().segment ? most(counts.groups(depth)) : 0;
  return {ever ? ReasonCode::kSegments : ReasonCode::kBusySegments,
          level,
          request.groups(),
          groups,
          {}};
}

}  // namespace

Reason why_never(const Pool& pool, const Shape& shape) {
  const Request request =
      resolve(shape.gang, shape.requirement, shape.wish, pool.classes(), /*any_grade=*/true);
  if (request.whole.classes.empty()) {
    if (pool.nodes() == 0)
      return {ReasonCode::kNodeCount, Level::kSite, shape.gang.node_count(), 0, {}};
    return why_no_class(pool.classes(), shape);
  }
  return why_no_domain(pool.idle(), request, /*ever=*/true);
}

Reason why_not_now(const Pool& pool, const Shape& shape) {
  const Request request =
      resolve(shape.gang, shape.requirement, shape.wish, pool.classes(), /*any_grade=*/false);
  if (!request.whole.classes.empty()) {
    Reason reason = why_no_domain(pool.free(), request, /*ever=*/false);
    if (reason.code == ReasonCode::kNone) return reason;
    Reason when_idle = why_no_domain(pool.idle(), request, /*ever=*/true);
    if (when_idle.code == ReasonCode::kNone) return reason;
    // Told in nodes: of segments, the nodes in whole ones.
    const std::uint32_t unit = when_idle.code == ReasonCode::kSegments ? request.group_nodes() : 1;
    return {ReasonCode::kGrade, when_idle.level, when_idle.asked * unit, when_idle.best * unit,
            std::string(to_text(shape.requirement.worst_grade))};
  }
  return {ReasonCode::kGrade, Level::kSite, shape.gang.node_count(), 0,
          std::string(to_text(shape.requirement.worst_grade))};
}

}  // namespace weir::sched
