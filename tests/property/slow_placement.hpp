// The documented rules by which `weir` and `firstfit` choose nodes, written down plainly
// (src/sched/placement/weir_placer.hpp, in_order_placer.hpp), and what every lease must obey
// whoever chose its nodes.
#pragma once

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "property/slow_fit.hpp"

namespace weir::slow {

// The nodes in rank order, the tail last; nothing when the gang does not fit.
using Choice = std::optional<std::vector<NodeId>>;

// weir: the smallest domain, the tightest among equal ones; inside it the fewest and tightest
// smaller domains; inside a cell the nodes with the fewest free GPUs. A gang of one node without
// segments and exclusive domain: the tightest node, into the cell with the fewest idle nodes; a
// share first of all where its GPU has least left.
Choice choose_weir(const Fit& fit);
// firstfit: the lowest domain of the widest level that holds the gang, the lowest nodes in it.
Choice choose_first_fit(const Fit& fit);

// Whether a choice of nodes obeys every hard rule: all of the gang or nothing, different nodes that
// serve, one domain of the level asked for, whole segments, ranks along the tree, the tail last.
Status check_nodes(const Fit& fit, const std::vector<NodeId>& nodes);
// What `weir` promises beyond that, told apart from choose_weir() for a better message: the
// smallest level, and inside the domain the fewest smaller ones.
Status check_tightness(const Fit& fit, const std::vector<NodeId>& nodes);
// The GPU of a share: the usual one of those that this world offers.
Status check_usual_gpu(const Fit& fit, const Lease& lease);
// The smallest level of which one domain holds all these nodes.
Level spanned_level(const Cluster& cluster, const std::vector<NodeId>& nodes);
// Nodes, GPUs by their bits, CPUs and memory, times and level of a lease that starts now.
Status check_lease(const Fit& fit, const Lease& lease, Instant now, Duration estimate);

}  // namespace weir::slow
