// Cluster: a site as plain lists. The slow model of pool/: it keeps the nodes and the leases, and
// works out everything else anew each time it is asked. It shares nothing with pool/ and sched/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "model/ids.hpp"
#include "model/lease.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir::slow {

// What may be used of a node in the end, when more is free now than that.
struct Spare {
  Capacity free;                                  // of the GPUs only the count
  GpuMask whole = 0;                              // GPUs wholly free then: free.gpus of them, any
  std::map<std::uint32_t, std::uint32_t> shared;  // GPU -> thousandths left then
};

struct Cluster {
  Locality locality = flat_locality();
  std::vector<Node> nodes;  // index = NodeId
  std::map<JobId, Lease> leases;
  // The most that may be used of a node, leases aside; only inside a trial.
  std::map<NodeId, Spare> limits;
};

// Position of a level in the tree, or nothing where the tree has none.
std::optional<std::size_t> depth_of(const Locality& locality, Level level);
// The domain around a node at this position of the tree.
DomainId domain_at(const Cluster& cluster, NodeId node, std::size_t depth);

// How one node stands.
struct Standing {
  Capacity free;
  GpuMask free_gpus = 0;                          // wholly free
  std::map<std::uint32_t, std::uint32_t> shared;  // GPU -> thousandths left
  bool offered = true;                            // up, and in no domain that a job has for itself
  bool busy = false;                              // a job holds something of it
};

// How all nodes stand at one moment, real or thought of. It must not outlive its cluster.
struct World {
  const Cluster* cluster = nullptr;
  std::vector<Standing> nodes;  // index = NodeId
  bool any_grade = false;       // nodes of any grade serve
};

World world_now(const Cluster& cluster);
// What it will be `then`, if all leases end as expected and nothing new starts.
World world_at(const Cluster& cluster, Instant then, Instant now);
// Nothing leased, every node up.
World world_idle(const Cluster& cluster, bool any_grade);

// A lease that should be over by now ends at any moment, but not yet.
Instant expected_end(const Lease& lease, Instant now);

// The GPU that a share gets if nobody says otherwise: the fullest shared one with room, else the
// lowest wholly free one. REQUIRES: there is one.
std::uint32_t usual_gpu(const Standing& node, std::uint32_t milli);

// `demand` fits into `free`; compared by hand, not by Capacity::covers.
bool enough(const Capacity& free, const Capacity& demand);

}  // namespace weir::slow
