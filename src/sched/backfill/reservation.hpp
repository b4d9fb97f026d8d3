// Reservation: where and when the first in line will start, and what others must leave it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "pool/pool.hpp"
#include "sched/placement/domain_counts.hpp"
#include "sched/placement/placer.hpp"

namespace weir::sched {

struct Reservation {
  Instant at;
  Placement placement;
};

struct ReservationFor {
  const Request& request;
  std::span<const NodeId> avoid;  // nodes that do not serve
};

class Reserver {
 public:
  // The earliest start of a gang that does not fit now, if all leases end as expected and nothing
  // new starts; nothing when the offered nodes can never hold it.
  std::optional<Reservation> reserve(const pool::Pool& pool, const ReservationFor& gang_of,
                                     Placer& placer, Rng& rng, Instant now);

 private:
  // Kept for their memory: a reservation is sought in every turn.
  pool::FreeCapacityIndex later_;
  DomainCounts counts_;
};

// What jobs that outlast the reservation may take of its nodes: that which is free both now and
// then. Raised inside a trial, it lowers what the pool's index offers; lowered, the index tells the
// plain truth again.
class ReservedNodes {
 public:
  ReservedNodes(pool::Pool& pool, const Request& request, const Reservation& reservation,
                Instant now);

  void raise();
  void lower();
  // A job that outlasts the reservation has started: what it holds is gone then, too.
  // REQUIRES: lowered, the lease is granted.
  void take(const Lease& lease);

 private:
  struct Reserved {
    NodeId node;
    Capacity asked;
    // The GPU of which a share is reserved, if it is a shared one then; a wholly free one else.
    std::optional<std::uint8_t> shared_gpu;
    pool::Room spare;  // free at the reserved instant beyond what is reserved
  };
  [[nodiscard]] pool::Room spare_of(const Reserved& reserved) const;

  pool::Pool& pool_;
  Instant at_;
  Instant now_;
  bool closes_ = false;  // the gang has whole domains for itself: nothing is spared
  bool raised_ = false;
  std::vector<Reserved> nodes_;  // by NodeId
};

}  // namespace weir::sched
