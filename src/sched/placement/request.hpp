// Request: a gang as placement sees it, with its requirement resolved to node classes.
#pragma once

#include <vector>

#include "model/job.hpp"
#include "pool/class_table.hpp"

namespace weir::sched {

// Nodes that cover `demand` and are of one of these classes serve.
struct NodeQuery {
  Capacity demand;
  std::vector<pool::EligibleClass> classes;

  // Whether any eligible node that has the GPUs also has the CPUs and memory, if it is not lean.
  [[nodiscard]] bool proportional() const;
};

struct Request {
  Gang gang;
  TopologyWish wish;
  NodeQuery whole;
  NodeQuery tail;  // meaningful where gang.has_tail(); every node that serves `whole` serves it

  [[nodiscard]] bool single_node() const { return gang.node_count() == 1; }
  [[nodiscard]] std::uint32_t group_nodes() const {
    return wish.segment_nodes > 0 ? wish.segment_nodes : 1;
  }
  [[nodiscard]] std::uint32_t groups() const { return gang.nodes / group_nodes(); }
};

// `any_grade` asks what the inventory could do if all its nodes were good.
Request resolve(const Gang& gang, const Requirement& requirement, const TopologyWish& wish,
                const pool::ClassTable& classes, bool any_grade);

}  // namespace weir::sched
