#include "pool/free_index.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/limits.hpp"

namespace weir::pool {
namespace {

constexpr std::uint32_t kWordBits = 64;

std::uint64_t bit_of(Slot slot) { return std::uint64_t{1} << (slot.value() % kWordBits); }
std::uint32_t word_of(Slot slot) { return slot.value() / kWordBits; }

void assign_bit(std::uint64_t& word, std::uint64_t bit, bool on) {
  word = on ? word | bit : word & ~bit;
}

}  // namespace

FreeCapacityIndex::FreeCapacityIndex(const Locality& locality, const ClassTable& classes,
                                     std::span<const IndexedNode> nodes) {
  WEIR_ASSERT(nodes.size() <= limits::kNodes);
  for (std::uint32_t i = 0; i < classes.classes(); ++i)
    max_gpus_ = std::max(max_gpus_, classes.kind_of(ClassId(i)).total.gpus);
  build_tree(locality);
  lay_out_slots(nodes);
  free_at_least_.assign(std::size_t{max_gpus_ + 2} * words_, 0);
  lean_bits_.assign(words_, 0);
  add_classes(classes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Slot slot = slots_[i];
    slot_class_[slot.index()] = nodes[i].node_class;
    class_bits_[nodes[i].node_class.index() * words_ + word_of(slot)] |= bit_of(slot);
    update(NodeId(static_cast<std::uint32_t>(i)), nodes[i].standing);
  }
}

std::uint64_t FreeCapacityIndex::bytes_for(const Locality& locality, std::size_t nodes,
                                           std::size_t classes, std::uint32_t max_gpus) {
  std::uint64_t domains = 0;
  for (const LevelTable& table : locality.levels) domains += table.domains.size();
  // Every cell begins a word of its own.
  const std::uint64_t cells = std::min(locality.levels.front().domains.size(), nodes);
  const std::uint64_t words = cells + nodes / kWordBits;
  return classes * (domains * (max_gpus + 1) * sizeof(std::uint16_t) + words * kWordBits / 8);
}

void FreeCapacityIndex::build_tree(const Locality& locality) {
  for (const LevelTable& table : locality.levels) {
    Tier tier;
    tier.level = table.level;
    for (const Domain& domain : table.domains) tier.parent.push_back(domain.parent);
    tier.busy.assign(table.domains.size(), 0);
    tier.lean.assign(table.domains.size(), 0);
    tree_.push_back(std::move(tier));
  }
  for (std::size_t depth = 1; depth < tree_.size(); ++depth) {
    const std::vector<DomainId>& below = tree_[depth - 1].parent;
    std::vector<std::uint32_t>& first = tree_[depth].first_child;
    for (std::uint32_t domain = 0; domain <= domains(depth); ++domain)
      first.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(below, DomainId(domain)) -
                                                 below.begin()));
  }
}

void FreeCapacityIndex::lay_out_slots(std::span<const IndexedNode> nodes) {
  std::vector<std::uint32_t> population(domains(0), 0);
  for (const IndexedNode& node : nodes) ++population[node.cell.index()];
  cell_words_.push_back(0);
  for (const std::uint32_t count : population)
    cell_words_.push_back(cell_words_.back() + (count + kWordBits - 1) / kWordBits);
  words_ = cell_words_.back();

  const std::size_t slots = std::size_t{words_} * kWordBits;
  nodes_.assign(slots, NodeId::none());
  cells_.assign(slots, DomainId::none());
  slot_class_.assign(slots, ClassId::none());
  free_.assign(slots, Capacity{});
  offered_.assign(slots, 0);
  busy_.assign(slots, 0);
  std::vector<std::uint32_t> next(cell_words_.begin(), cell_words_.end() - 1);
  for (std::uint32_t& first : next) first *= kWordBits;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const Slot slot(next[nodes[i].cell.index()]++);
    slots_.push_back(slot);
    nodes_[slot.index()] = NodeId(i);
    cells_[slot.index()] = nodes[i].cell;
  }
}

void FreeCapacityIndex::add_classes(const ClassTable& classes) {
  for (; classes_ < classes.classes(); ++classes_) {
    const Capacity& total = classes.kind_of(ClassId(static_cast<std::uint32_t>(classes_))).total;
    WEIR_ASSERT(total.gpus <= max_gpus_);
    totals_.push_back(total);
  }
  class_bits_.resize(classes_ * words_, 0);
  for (std::size_t depth = 0; depth < tree_.size(); ++depth)
    tree_[depth].counts.resize(classes_ * (max_gpus_ + 1) * domains(depth), 0);
}

void FreeCapacityIndex::update(NodeId node, const NodeStanding& standing) {
  const Slot slot = slots_[node.index()];
  const std::size_t i = slot.index();
  const bool was_offered = offered_[i] != 0;
  const std::uint32_t before = free_[i].gpus;
  if (was_offered && standing.offered) {
    free_[i] = standing.free;
    if (standing.free.gpus > before) {
      count_range(slot, before, standing.free.gpus, +1);
    } else if (standing.free.gpus < before) {
      count_range(slot, standing.free.gpus, before, -1);
    }
    set_lean(slot, !is_balanced(standing.free, totals_[slot_class_[i].index()]));
  } else {
    if (was_offered) leave(slot);
    free_[i] = standing.free;
    offered_[i] = standing.offered ? 1 : 0;
    if (standing.offered) enter(slot);
  }
  set_busy(slot, standing.busy);
}

void FreeCapacityIndex::change_class(NodeId node, ClassId node_class, const ClassTable& classes) {
  add_classes(classes);
  const Slot slot = slots_[node.index()];
  const bool offered = offered_[slot.index()] != 0;
  if (offered) leave(slot);
  class_bits_[slot_class_[slot.index()].index() * words_ + word_of(slot)] &= ~bit_of(slot);
  slot_class_[slot.index()] = node_class;
  class_bits_[node_class.index() * words_ + word_of(slot)] |= bit_of(slot);
  if (offered) enter(slot);
}

std::size_t FreeCapacityIndex::depth_of(Level level) const {
  std::size_t depth = 0;
  while (depth < tree_.size() && tree_[depth].level != level) ++depth;
  return depth;
}

FreeCapacityIndex::Range FreeCapacityIndex::children(std::size_t depth, DomainId domain) const {
  const std::vector<std::uint32_t>& first = tree_[depth].first_child;
  return {first[domain.index()], first[domain.index() + 1]};
}

DomainId FreeCapacityIndex::ancestor(DomainId cell, std::size_t depth) const {
  DomainId domain = cell;
  for (std::size_t d = 0; d < depth; ++d) domain = tree_[d].parent[domain.index()];
  return domain;
}

std::span<const std::uint16_t> FreeCapacityIndex::counts(std::size_t depth, ClassId node_class,
                                                         std::uint32_t gpus) const {
  return std::span(tree_[depth].counts).subspan(count_row(depth, node_class, gpus), domains(depth));
}

NodeStanding FreeCapacityIndex::standing(NodeId node) const {
  const std::size_t i = slots_[node.index()].index();
  return {free_[i], offered_[i] != 0, busy_[i] != 0};
}

void FreeCapacityIndex::enter(Slot slot) {
  const std::size_t i = slot.index();
  free_at_least_[word_of(slot)] |= bit_of(slot);
  DomainId domain = cells_[i];
  for (std::size_t depth = 0; depth < tree_.size(); ++depth) {
    ++tree_[depth].counts[count_row(depth, slot_class_[i], 0) + domain.index()];
    domain = tree_[depth].parent[domain.index()];
  }
  count_range(slot, 0, free_[i].gpus, +1);
  set_lean(slot, !is_balanced(free_[i], totals_[slot_class_[i].index()]));
}

void FreeCapacityIndex::leave(Slot slot) {
  const std::size_t i = slot.index();
  free_at_least_[word_of(slot)] &= ~bit_of(slot);
  DomainId domain = cells_[i];
  for (std::size_t depth = 0; depth < tree_.size(); ++depth) {
    --tree_[depth].counts[count_row(depth, slot_class_[i], 0) + domain.index()];
    domain = tree_[depth].parent[domain.index()];
  }
  count_range(slot, 0, free_[i].gpus, -1);
  set_lean(slot, false);
}

// The node now counts (+1) or no longer counts (-1) among those with k free GPUs for every k in
// (above, up_to].
void FreeCapacityIndex::count_range(Slot slot, std::uint32_t above, std::uint32_t up_to, int sign) {
  const std::size_t i = slot.index();
  for (std::uint32_t k = above + 1; k <= up_to; ++k)
    assign_bit(free_at_least_[std::size_t{k} * words_ + word_of(slot)], bit_of(slot), sign > 0);
  DomainId domain = cells_[i];
  for (std::size_t depth = 0; depth < tree_.size(); ++depth) {
    Tier& tier = tree_[depth];
    const std::size_t stride = tier.parent.size();
    std::uint16_t* count =
        tier.counts.data() + count_row(depth, slot_class_[i], above + 1) + domain.index();
    for (std::uint32_t k = above; k < up_to; ++k, count += stride)
      *count = static_cast<std::uint16_t>(*count + sign);
    domain = tier.parent[domain.index()];
  }
}

void FreeCapacityIndex::set_lean(Slot slot, bool lean) {
  std::uint64_t& word = lean_bits_[word_of(slot)];
  if (((word & bit_of(slot)) != 0) == lean) return;
  assign_bit(word, bit_of(slot), lean);
  lean_total_ += lean ? 1U : ~0U;
  DomainId domain = cells_[slot.index()];
  for (Tier& tier : tree_) {
    tier.lean[domain.index()] += lean ? 1U : ~0U;
    domain = tier.parent[domain.index()];
  }
}

void FreeCapacityIndex::set_busy(Slot slot, bool busy) {
  if ((busy_[slot.index()] != 0) == busy) return;
  busy_[slot.index()] = busy ? 1 : 0;
  DomainId domain = cells_[slot.index()];
  for (Tier& tier : tree_) {
    tier.busy[domain.index()] += busy ? 1U : ~0U;
    domain = tier.parent[domain.index()];
  }
}

std::size_t FreeCapacityIndex::bytes() const {
  std::size_t total = sizeof(*this);
  for (const Tier& tier : tree_)
    total += tier.counts.capacity() * 2 + (tier.busy.capacity() + tier.lean.capacity()) * 4 +
             tier.parent.capacity() * sizeof(DomainId) + tier.first_child.capacity() * 4;
  total += (free_at_least_.capacity() + class_bits_.capacity() + lean_bits_.capacity()) * 8;
  total += nodes_.capacity() *
               (sizeof(NodeId) + sizeof(DomainId) + sizeof(ClassId) + sizeof(Capacity) + 2) +
           slots_.capacity() * sizeof(Slot);
  return total;
}

}  // namespace weir::pool
