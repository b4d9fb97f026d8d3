#include "pool/class_table.hpp"

#include <algorithm>

namespace weir::pool {
namespace {

// a / b <= c / d in whole numbers.
bool ratio_at_most(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  return a * d <= c * b;
}

template <typename Key, typename Value, typename IdType>
IdType intern_in(std::map<Key, IdType>& ids, std::vector<Value>& values, const Key& key) {
  const auto [place, is_new] =
      ids.try_emplace(key, IdType(static_cast<std::uint32_t>(values.size())));
  if (is_new) values.push_back(key);
  return place->second;
}

}  // namespace

KindId ClassTable::intern(const NodeKind& kind) { return intern_in(kind_ids_, kinds_, kind); }

ClassId ClassTable::intern(const NodeClass& node_class) {
  return intern_in(class_ids_, classes_, node_class);
}

bool ClassTable::knows(const NodeKind& kind, Grade grade, RailMask rails) const {
  const auto found = kind_ids_.find(kind);
  return found != kind_ids_.end() && class_ids_.contains(NodeClass{found->second, grade, rails});
}

bool ClassTable::admits(const Requirement& requirement, const NodeKind& kind) {
  if (!requirement.partition.empty() &&
      !std::ranges::binary_search(kind.partitions, requirement.partition))
    return false;
  if (!requirement.gpu_models.empty() &&
      !std::ranges::binary_search(requirement.gpu_models, kind.gpu_model))
    return false;
  return std::ranges::includes(kind.features, requirement.features);
}

std::vector<EligibleClass> ClassTable::eligible(const Requirement& requirement,
                                                const Capacity& demand, bool several_nodes,
                                                bool any_grade) const {
  std::vector<EligibleClass> found;
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    const NodeClass& candidate = classes_[i];
    const NodeKind& its_kind = kind(candidate.kind);
    if (!any_grade && candidate.grade > requirement.worst_grade) continue;
    if (several_nodes && (candidate.rails & requirement.rails) != requirement.rails) continue;
    if (!its_kind.total.covers(demand) || !admits(requirement, its_kind)) continue;
    found.push_back({ClassId(i), is_proportional(demand, its_kind.total)});
  }
  return found;
}

bool is_proportional(const Capacity& demand, const Capacity& total) {
  if (demand.asks_share()) return false;
  if (total.gpus == 0) return demand.cpu_milli == 0 && demand.memory_mib == 0;
  return ratio_at_most(demand.cpu_milli, demand.gpus, total.cpu_milli, total.gpus) &&
         ratio_at_most(demand.memory_mib, demand.gpus, total.memory_mib, total.gpus);
}

bool is_balanced(const Capacity& free, const Capacity& total) {
  return ratio_at_most(total.cpu_milli, total.gpus, free.cpu_milli, free.gpus) &&
         ratio_at_most(total.memory_mib, total.gpus, free.memory_mib, free.gpus);
}

}  // namespace weir::pool
