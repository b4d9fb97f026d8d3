// ClassTable: nodes that placement need not tell apart, but for what they have free.
//
// A class is a node kind at one grade with one set of linked rails. There are few of them, so the
// free-capacity index counts per class, and a job's requirement becomes a list of classes once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/ids.hpp"
#include "model/job.hpp"
#include "model/node.hpp"

namespace weir::pool {

using ClassId = Id<struct NodeClassTag>;

struct NodeClass {
  KindId kind;
  Grade grade = Grade::kGood;
  RailMask rails = 0;

  friend auto operator<=>(const NodeClass&, const NodeClass&) = default;
};

// One eligible class, for one demand.
struct EligibleClass {
  ClassId id;
  // The demand takes at most its proportional share of CPUs and memory, hence a node that still has
  // its share for every free GPU serves it without a further look.
  bool proportional = false;

  friend bool operator==(const EligibleClass&, const EligibleClass&) = default;
};

class ClassTable {
 public:
  KindId intern(const NodeKind& kind);
  ClassId intern(const NodeClass& node_class);

  // Whether nodes of this kind, grade and set of rails have a class already.
  [[nodiscard]] bool knows(const NodeKind& kind, Grade grade, RailMask rails) const;

  [[nodiscard]] const NodeKind& kind(KindId id) const { return kinds_[id.index()]; }
  [[nodiscard]] const NodeClass& node_class(ClassId id) const { return classes_[id.index()]; }
  [[nodiscard]] const NodeKind& kind_of(ClassId id) const { return kind(node_class(id).kind); }
  [[nodiscard]] std::size_t kinds() const { return kinds_.size(); }
  [[nodiscard]] std::size_t classes() const { return classes_.size(); }

  // Whether nodes of this kind may serve, by what never changes: partition, features, GPU model.
  [[nodiscard]] static bool admits(const Requirement& requirement, const NodeKind& kind);

  // The classes whose nodes could serve `demand` when idle, in order of ClassId. `several_nodes`
  // says that the gang needs the rails; `any_grade` leaves the grade out.
  [[nodiscard]] std::vector<EligibleClass> eligible(const Requirement& requirement,
                                                    const Capacity& demand, bool several_nodes,
                                                    bool any_grade) const;

 private:
  std::vector<NodeKind> kinds_;
  std::vector<NodeClass> classes_;
  std::map<NodeKind, KindId> kind_ids_;
  std::map<NodeClass, ClassId> class_ids_;
};

// Whether `demand` asks no more CPUs and memory per GPU than a node of `total` has per GPU. Never
// of a share: which nodes have the room for it, the counts of whole GPUs do not tell.
bool is_proportional(const Capacity& demand, const Capacity& total);

// Whether a node of `total` with `free` left still has its share of CPUs and memory for each
// GPU that is wholly free.
bool is_balanced(const Capacity& free, const Capacity& total);

}  // namespace weir::pool
