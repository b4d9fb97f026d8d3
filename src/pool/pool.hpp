// Pool: the nodes of a site, what each has free, and who holds the rest.
//
// Grants and releases go through here only, so the ledger (integers, checked at every step) cannot
// be wrong about who has what: a GPU is free, whole in exactly one lease, or shared by leases whose
// parts of it make no more than the whole. Two free-capacity indexes
// follow every change: of what is free now, and of the whole inventory as if idle, which answers
// "could it ever".
//
// A Trial is the planner's what-if: grants and limits made while it lives are taken back, exactly,
// when it ends. Thread: core thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/ids.hpp"
#include "model/lease.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"
#include "pool/class_table.hpp"
#include "pool/free_index.hpp"
#include "pool/room.hpp"

namespace weir::pool {

// What one job holds of one node.
struct Holding {
  JobId job;
  Instant until;
  Capacity held;
  GpuMask gpus = 0;

  friend bool operator==(const Holding&, const Holding&) = default;
};

// Of a trial: the index offers no more of the node than usable_now(its room, this).
struct Limit {
  std::optional<Room> usable;
  int set_in = 0;  // how many trials were open when it changed last

  friend bool operator==(const Limit&, const Limit&) = default;
};

struct NodeState : Room {
  std::string name;
  ClassId node_class;
  DomainId cell;
  Availability availability = Availability::kUp;
  std::uint32_t closed_by = 0;    // jobs that have a domain around it for themselves
  std::vector<Holding> holdings;  // in order of granting
  Limit limit;
};

// The nodes around a job that has its domains for itself; nothing else starts on them.
struct ClosedNodes {
  Instant until;
  Level level = Level::kUnit;
  std::vector<DomainId> domains;  // of this level, ascending
  std::vector<NodeId> nodes;      // ascending
};

struct Ledger {
  std::uint64_t gpus = 0;          // of all nodes
  std::uint64_t leased_milli = 0;  // thousandths of GPUs
  std::uint64_t leases = 0;
  std::uint64_t lease_parts = 0;

  friend bool operator==(const Ledger&, const Ledger&) = default;
};

class Pool {
 public:
  Pool();

  // The tree in which nodes stand. Error when nodes are there already or the tree is not sound.
  Status learn(const Locality& locality);
  // Error when its cell does not exist, its name is taken or a limit is exceeded.
  Result<NodeId> join(const Node& node);
  // Error when the site would have too many classes of nodes.
  Status grade(NodeId node, Grade grade);
  void set_availability(NodeId node, Availability availability);

  // What a grant of `demand` on this node would take: the usual GPUs (room.hpp) of those that a
  // trial offers, or the one that the policy chose for a share.
  // REQUIRES: the node covers the demand now, and the chosen GPU has room for the share.
  [[nodiscard]] LeasePart part_on(NodeId node, const Capacity& demand,
                                  std::optional<std::uint8_t> gpu = {}) const;

  // REQUIRES: every part is free now, the job holds nothing, parts name different nodes.
  void grant(JobId job, const Lease& lease);
  // REQUIRES: exactly this lease was granted to the job and no trial is open.
  void release(JobId job, const Lease& lease);

  class Trial {
   public:
    explicit Trial(Pool& pool);
    ~Trial() { pool_.roll_back(mark_); }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

   private:
    Pool& pool_;
    std::size_t mark_;
  };
  // Lowers what the index offers of a node, without a lease, until the limit is lifted or the trial
  // ends; a further limit takes the place of the first. REQUIRES of both: a trial is open.
  void limit_to(NodeId node, const Room& usable) { set_limit(node, usable); }
  // The same to any of its GPUs, shared ones too, but no more of them than usable.gpus.
  void limit(NodeId node, const Capacity& usable) {
    set_limit(node, Room{~GpuMask{0}, usable, {}});
  }
  void lift_limit(NodeId node) { set_limit(node, std::nullopt); }

  // False when no sum of a ledger and no index entry disagrees with the leases; for tests and for
  // the invariant check of a turn. Costs the size of the pool.
  [[nodiscard]] Status audit() const;

  [[nodiscard]] const Locality& locality() const { return locality_; }
  [[nodiscard]] const ClassTable& classes() const { return classes_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] const NodeState& node(NodeId id) const { return nodes_[id.index()]; }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  [[nodiscard]] const std::map<JobId, ClosedNodes>& closed() const { return closed_; }
  // Counts changes of nodes, grades and tree: what was impossible before may be possible after.
  [[nodiscard]] std::uint64_t inventory_version() const { return inventory_version_; }

  // What is free now. The reference stays valid until the next change of inventory.
  [[nodiscard]] const FreeCapacityIndex& free() const;
  // The same pool with nothing leased, closed or drained.
  [[nodiscard]] const FreeCapacityIndex& idle() const;

 private:
  // What a trial takes back: a grant, or (job none) its first change of a node's limit.
  struct Step {
    JobId job;
    std::size_t first_part = 0;  // the grant's parts end where the next step's begin
    NodeId node;
    Limit limit_before;
  };

  void hold(JobId job, const LeasePart& part, Instant until);
  void unhold(JobId job, const LeasePart& part);
  // The domain of a level around a cell. REQUIRES: the tree has the level.
  [[nodiscard]] DomainId domain_around(DomainId cell, Level level) const;
  void close_domains(JobId job, const Lease& lease);
  void reopen_domains(JobId job);
  void set_limit(NodeId node, const std::optional<Room>& usable);
  [[nodiscard]] Status check_index_size(const NodeKind& kind, Grade grade, RailMask rails,
                                        std::size_t nodes) const;
  void refresh(NodeId node);
  void roll_back(std::size_t mark);
  void rebuild() const;
  // The nodes as an index is built from them; `limited` keeps the rooms of those under a limit.
  std::vector<IndexedNode> standing_now(std::vector<Room>& limited) const;

  Locality locality_;
  ClassTable classes_;
  std::vector<NodeState> nodes_;
  std::map<std::string, NodeId, std::less<>> names_;
  std::map<JobId, ClosedNodes> closed_;
  Ledger ledger_;
  std::uint32_t max_gpus_ = 0;  // of one node
  std::uint64_t inventory_version_ = 0;
  std::vector<Step> steps_;
  std::vector<LeasePart> step_parts_;
  int open_trials_ = 0;
  // Built on first use after the inventory changed: thousands of nodes join one after another.
  mutable bool stale_ = true;
  mutable FreeCapacityIndex free_;
  mutable FreeCapacityIndex idle_;
};

}  // namespace weir::pool
