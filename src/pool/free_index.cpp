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

// A node that stood in the rows [0, before) of a table of counters comes to stand in [0, after).
struct RowChange {
  RowChange(std::uint32_t before, std::uint32_t after)
      : first(std::min(before, after)),
        last(std::max(before, after)),
        step(after > before ? 1 : -1) {}

  [[nodiscard]] bool none() const { return first == last; }
  // REQUIRES: `table` has a row of `domains` counters for each k.
  void apply(std::uint16_t* table, DomainId domain, std::size_t domains) const {
    for (std::uint32_t k = first; k < last; ++k) {
      std::uint16_t& count = table[k * domains + domain.index()];
      count = static_cast<std::uint16_t>(count + step);
    }
  }

  std::uint32_t first;
  std::uint32_t last;
  int step;
};

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
  shared_bits_.assign(words_, 0);
  shared_left_.assign(slots_.size() * max_gpus_, 0);
  add_classes(classes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Slot slot = slot_of_[i];
    slots_[slot.index()].node_class = nodes[i].node_class;
    class_bits_[nodes[i].node_class.index() * words_ + word_of(slot)] |= bit_of(slot);
    update(NodeId(static_cast<std::uint32_t>(i)), nodes[i].standing, nodes[i].shared);
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
    tier.lean.assign(table.domains.size() * (max_gpus_ + 1), 0);
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

  slots_.resize(std::size_t{words_} * kWordBits);
  std::vector<std::uint32_t> next;
  for (const std::uint32_t word : cell_words_) next.push_back(word * kWordBits);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const Slot slot(next[nodes[i].cell.index()]++);
    slot_of_.push_back(slot);
    slots_[slot.index()].node = NodeId(i);
    slots_[slot.index()].cell = nodes[i].cell;
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

void FreeCapacityIndex::update(NodeId node, const NodeStanding& standing,
                               std::span<const SharedGpu> shared) {
  set_shared(slot_of(node), shared);
  set_standing(slot_of(node), standing);
}

void FreeCapacityIndex::set_standing(Slot slot, const NodeStanding& standing) {
  SlotState& state = slots_[slot.index()];
  const std::uint32_t rows = standing.offered ? standing.free.gpus + 1 : 0;
  state.free = standing.free;
  set_rows(slot, rows);
  set_lean_rows(slot, is_balanced(standing.free, totals_[state.node_class.index()]) ? 0 : rows);
  set_busy(slot, standing.busy);
  assign_bit(shared_bits_[word_of(slot)], bit_of(slot),
             standing.offered && standing.free.gpu_milli > 0);
}

void FreeCapacityIndex::set_shared(Slot slot, std::span<const SharedGpu> shared) {
  SlotState& state = slots_[slot.index()];
  if (shared.empty() && !state.sharing) return;
  const auto row = std::span(shared_left_).subspan(slot.index() * max_gpus_, max_gpus_);
  std::ranges::fill(row, std::uint16_t{0});
  for (const SharedGpu& one : shared) row[one.gpu] = one.left;
  state.sharing = std::ranges::any_of(row, [](std::uint16_t left) { return left > 0; });
}

void FreeCapacityIndex::change_class(NodeId node, ClassId node_class, const ClassTable& classes) {
  add_classes(classes);
  const NodeStanding now = standing(node);
  const Slot slot = slot_of(node);
  set_standing(slot, {now.free, false, now.busy});
  SlotState& state = slots_[slot.index()];
  class_bits_[state.node_class.index() * words_ + word_of(slot)] &= ~bit_of(slot);
  state.node_class = node_class;
  class_bits_[node_class.index() * words_ + word_of(slot)] |= bit_of(slot);
  set_standing(slot, now);
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

FreeCapacityIndex::Range FreeCapacityIndex::cells_under(std::size_t depth, DomainId domain) const {
  Range range{domain.value(), domain.value() + 1};
  for (; depth > 0 && range.first < range.last; --depth)
    range = {children(depth, DomainId(range.first)).first,
             children(depth, DomainId(range.last - 1)).last};
  return range;
}

void FreeCapacityIndex::nodes_under(std::size_t depth, DomainId domain,
                                    std::vector<NodeId>& out) const {
  const Range cells = cells_under(depth, domain);
  if (cells.first == cells.last) return;
  const std::size_t last = std::size_t{cell_words_[cells.last]} * kWordBits;
  for (std::size_t i = std::size_t{cell_words_[cells.first]} * kWordBits; i < last; ++i)
    if (!slots_[i].node.is_none()) out.push_back(slots_[i].node);
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

std::span<const std::uint16_t> FreeCapacityIndex::lean_counts(std::size_t depth,
                                                              std::uint32_t gpus) const {
  return std::span(tree_[depth].lean).subspan(gpus * domains(depth), domains(depth));
}

std::uint32_t FreeCapacityIndex::lean_nodes(std::uint32_t gpus) const {
  std::uint32_t nodes = 0;
  for (const std::uint16_t count : lean_counts(levels() - 1, gpus)) nodes += count;
  return nodes;
}

NodeStanding FreeCapacityIndex::standing(NodeId node) const {
  const SlotState& state = slots_[slot_of(node).index()];
  return {state.free, state.rows > 0, state.busy};
}

void FreeCapacityIndex::set_rows(Slot slot, std::uint32_t rows) {
  SlotState& state = slots_[slot.index()];
  const RowChange change(state.rows, rows);
  if (change.none()) return;
  state.rows = static_cast<std::uint8_t>(rows);
  std::uint64_t* words = free_at_least_.data() + std::size_t{word_of(slot)} * (max_gpus_ + 2);
  for (std::uint32_t k = change.first; k < change.last; ++k)
    assign_bit(words[k], bit_of(slot), change.step > 0);
  DomainId domain = state.cell;
  for (std::size_t depth = 0; depth < tree_.size(); ++depth) {
    change.apply(tree_[depth].counts.data() + count_row(depth, state.node_class, 0), domain,
                 domains(depth));
    domain = parent(depth, domain);
  }
}

void FreeCapacityIndex::set_lean_rows(Slot slot, std::uint32_t rows) {
  SlotState& state = slots_[slot.index()];
  const RowChange change(state.lean_rows, rows);
  if (change.none()) return;
  state.lean_rows = static_cast<std::uint8_t>(rows);
  assign_bit(lean_bits_[word_of(slot)], bit_of(slot), rows > 0);
  DomainId domain = state.cell;
  for (std::size_t depth = 0; depth < tree_.size(); ++depth) {
    change.apply(tree_[depth].lean.data(), domain, domains(depth));
    domain = parent(depth, domain);
  }
}

void FreeCapacityIndex::set_busy(Slot slot, bool busy) {
  SlotState& state = slots_[slot.index()];
  if (state.busy == busy) return;
  state.busy = busy;
  DomainId domain = state.cell;
  for (Tier& tier : tree_) {
    tier.busy[domain.index()] += busy ? 1U : ~0U;
    domain = tier.parent[domain.index()];
  }
}

std::size_t FreeCapacityIndex::bytes() const {
  std::size_t total = sizeof(*this);
  for (const Tier& tier : tree_)
    total += (tier.counts.capacity() + tier.lean.capacity()) * sizeof(std::uint16_t) +
             (tier.busy.capacity() + tier.first_child.capacity()) * sizeof(std::uint32_t) +
             tier.parent.capacity() * sizeof(DomainId);
  total += (free_at_least_.capacity() + class_bits_.capacity() + lean_bits_.capacity() +
            shared_bits_.capacity()) *
           sizeof(std::uint64_t);
  total += shared_left_.capacity() * sizeof(std::uint16_t);
  total += slots_.capacity() * sizeof(SlotState) + slot_of_.capacity() * sizeof(Slot) +
           totals_.capacity() * sizeof(Capacity) + cell_words_.capacity() * sizeof(std::uint32_t);
  return total;
}

}  // namespace weir::pool
