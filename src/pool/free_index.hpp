// FreeCapacityIndex: how many nodes of each class have at least k free GPUs, in every domain of
// every level, and which ones they are. The heart of placement speed.
//
// Nodes have slots: the nodes of one cell are neighbours, in order of NodeId, and each cell begins
// at a multiple of 64, so that a cell is a few whole words of every bitset. Per level stands one
// array count[class][k][domain], kept exact by every update: a change costs O(levels x change of
// k). CPUs and memory are not counted; nodes that lack their share of them ("lean") are marked and
// counted once more, and only lean nodes and demands beyond the share need a look at the node
// itself (see class_table.hpp). Counts are of wholly free GPUs; nodes with something left on a
// shared GPU are marked as bits, and of each such GPU stands there what is left.
//
// Thread: not safe; lives in the core thread. All counts are of *offered* nodes: up, not drained,
// not inside a domain that another job has for itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/id.hpp"
#include "model/demand.hpp"
#include "model/locality.hpp"
#include "pool/class_table.hpp"
#include "pool/room.hpp"

namespace weir::pool {

using Slot = Id<struct SlotTag>;

// How one node stands, as the index sees it.
struct NodeStanding {
  Capacity free;
  bool offered = false;
  bool busy = false;  // a job holds something of it

  friend bool operator==(const NodeStanding&, const NodeStanding&) = default;
};

// A node as the index is built from it; position in the list = NodeId.
struct IndexedNode {
  DomainId cell;
  ClassId node_class;
  NodeStanding standing;
  std::span<const SharedGpu> shared = {};
};

class FreeCapacityIndex {
 public:
  FreeCapacityIndex() = default;
  // REQUIRES: check(locality) passed; every cell exists; gpus of every class <= kGpusPerNode.
  FreeCapacityIndex(const Locality& locality, const ClassTable& classes,
                    std::span<const IndexedNode> nodes);

  // Bytes that grow with the number of classes, at most, for a tree and so many nodes.
  static std::uint64_t bytes_for(const Locality& locality, std::size_t nodes, std::size_t classes,
                                 std::uint32_t max_gpus);

  // `shared`: what may be used of its shared GPUs; standing.free.gpu_milli is the most of these.
  void update(NodeId node, const NodeStanding& standing, std::span<const SharedGpu> shared = {});
  void change_class(NodeId node, ClassId node_class, const ClassTable& classes);

  // Shape of the tree. Level 0 holds the cells.
  [[nodiscard]] std::size_t levels() const { return tree_.size(); }
  [[nodiscard]] Level level(std::size_t depth) const { return tree_[depth].level; }
  // Position of a level, or levels() if the tree has none.
  [[nodiscard]] std::size_t depth_of(Level level) const;
  [[nodiscard]] std::size_t domains(std::size_t depth) const { return tree_[depth].parent.size(); }
  [[nodiscard]] DomainId parent(std::size_t depth, DomainId domain) const {
    return tree_[depth].parent[domain.index()];
  }
  // Children of a domain of `depth` > 0: domains [first, last) of depth - 1.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  [[nodiscard]] Range children(std::size_t depth, DomainId domain) const;
  // The cells under a domain of any depth: [first, last).
  [[nodiscard]] Range cells_under(std::size_t depth, DomainId domain) const;
  // Appends the nodes under a domain, offered or not, by slot.
  void nodes_under(std::size_t depth, DomainId domain, std::vector<NodeId>& out) const;
  [[nodiscard]] DomainId cell_of(NodeId node) const { return slots_[slot_of(node).index()].cell; }
  // The ancestor of a cell at `depth`.
  [[nodiscard]] DomainId ancestor(DomainId cell, std::size_t depth) const;

  // count[domain] of offered nodes of the class with at least `gpus` free; one entry a domain.
  [[nodiscard]] std::span<const std::uint16_t> counts(std::size_t depth, ClassId node_class,
                                                      std::uint32_t gpus) const;
  [[nodiscard]] std::uint32_t max_gpus() const { return max_gpus_; }
  [[nodiscard]] std::size_t classes() const { return classes_; }
  // An idle node of the class.
  [[nodiscard]] const Capacity& total(ClassId node_class) const {
    return totals_[node_class.index()];
  }
  // GPUs of an idle node of the class.
  [[nodiscard]] std::uint32_t whole_node_gpus(ClassId node_class) const {
    return totals_[node_class.index()].gpus;
  }

  // Nodes of the domain, offered or not, that a job holds something of.
  [[nodiscard]] std::uint32_t busy_nodes(std::size_t depth, DomainId domain) const {
    return tree_[depth].busy[domain.index()];
  }
  // count[domain] of lean nodes of any class with at least `gpus` free.
  [[nodiscard]] std::span<const std::uint16_t> lean_counts(std::size_t depth,
                                                           std::uint32_t gpus) const;
  [[nodiscard]] std::uint32_t lean_nodes(std::size_t depth, DomainId domain) const {
    return lean_counts(depth, 0)[domain.index()];
  }
  // Of the whole tree.
  [[nodiscard]] std::uint32_t lean_nodes(std::uint32_t gpus = 0) const;

  // Words of a cell's bitsets: [first, last).
  [[nodiscard]] Range words(DomainId cell) const {
    return {cell_words_[cell.index()], cell_words_[cell.index() + 1]};
  }
  // Offered nodes with at least `gpus` free (gpus <= max_gpus() + 1: none beyond the largest node).
  [[nodiscard]] std::uint64_t free_word(std::uint32_t gpus, std::uint32_t word) const {
    return free_at_least_[word * (max_gpus_ + 2) + gpus];
  }
  [[nodiscard]] std::uint64_t class_word(ClassId node_class, std::uint32_t word) const {
    return class_bits_[node_class.index() * words_ + word];
  }
  [[nodiscard]] std::uint64_t lean_word(std::uint32_t word) const { return lean_bits_[word]; }
  // Offered nodes that have something left on a shared GPU.
  [[nodiscard]] std::uint64_t shared_word(std::uint32_t word) const { return shared_bits_[word]; }
  // What is left of each GPU that is shared, in thousandths; 0 of the others. max_gpus() entries.
  [[nodiscard]] std::span<const std::uint16_t> shared_left(Slot slot) const {
    return std::span(shared_left_).subspan(slot.index() * max_gpus_, max_gpus_);
  }

  [[nodiscard]] NodeId node_at(Slot slot) const { return slots_[slot.index()].node; }
  [[nodiscard]] Slot slot_of(NodeId node) const { return slot_of_[node.index()]; }
  [[nodiscard]] const Capacity& free_at(Slot slot) const { return slots_[slot.index()].free; }
  [[nodiscard]] ClassId class_at(Slot slot) const { return slots_[slot.index()].node_class; }
  // Slots are below this; some are holes.
  [[nodiscard]] std::size_t slots() const { return slots_.size(); }
  [[nodiscard]] NodeStanding standing(NodeId node) const;
  [[nodiscard]] std::size_t nodes() const { return slot_of_.size(); }

  // Bytes held, for the memory bar of the design.
  [[nodiscard]] std::size_t bytes() const;

  friend bool operator==(const FreeCapacityIndex&, const FreeCapacityIndex&) = default;

 private:
  struct Tier {
    Level level = Level::kUnit;
    std::vector<DomainId> parent;
    std::vector<std::uint32_t> first_child;  // one more than domains; empty at depth 0
    std::vector<std::uint16_t> counts;       // [class][k][domain]
    std::vector<std::uint16_t> lean;         // [k][domain]
    std::vector<std::uint32_t> busy;
    friend bool operator==(const Tier&, const Tier&) = default;
  };
  // A node stands in the rows of k = 0, 1, .. its free GPUs; in none when it is not offered.
  struct SlotState {
    NodeId node = NodeId::none();
    DomainId cell = DomainId::none();
    ClassId node_class = ClassId::none();
    Capacity free;
    std::uint8_t rows = 0;       // of counts and free_at_least_ in which it stands
    std::uint8_t lean_rows = 0;  // of lean in which it stands
    bool busy = false;
    bool sharing = false;  // its row of shared_left_ is not all zero
    friend bool operator==(const SlotState&, const SlotState&) = default;
  };

  void build_tree(const Locality& locality);
  void lay_out_slots(std::span<const IndexedNode> nodes);
  void add_classes(const ClassTable& classes);
  void set_rows(Slot slot, std::uint32_t rows);
  void set_lean_rows(Slot slot, std::uint32_t rows);
  void set_busy(Slot slot, bool busy);
  void set_standing(Slot slot, const NodeStanding& standing);
  void set_shared(Slot slot, std::span<const SharedGpu> shared);
  [[nodiscard]] std::size_t count_row(std::size_t depth, ClassId node_class,
                                      std::uint32_t gpus) const {
    return (node_class.index() * (max_gpus_ + 1) + gpus) * domains(depth);
  }

  std::vector<Tier> tree_;
  std::uint32_t max_gpus_ = 0;
  std::uint32_t words_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::uint32_t> cell_words_;     // one more than cells
  std::vector<std::uint64_t> free_at_least_;  // [word][k 0..max+1]
  std::vector<std::uint64_t> class_bits_;     // [class][word]
  std::vector<std::uint64_t> lean_bits_;      // offered and lean
  std::vector<std::uint64_t> shared_bits_;    // offered, with something left on a shared GPU
  std::vector<std::uint16_t> shared_left_;    // [slot][GPU]
  std::vector<Capacity> totals_;              // [class]
  std::vector<SlotState> slots_;              // 64 x words of them, holes between cells
  std::vector<Slot> slot_of_;                 // [node]
};

}  // namespace weir::pool
