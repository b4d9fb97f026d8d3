// Reserve: what the first in line keeps for itself from jobs that outlast its promised start
// (src/sched/backfill/reservation.hpp). Only for placers whose choice can be foretold.
#pragma once

#include <map>
#include <string>

#include "property/slow_fit.hpp"

namespace weir::slow {

class Reserve {
 public:
  // REQUIRES: `promise` is the head's earliest start.
  Reserve(const Cluster& cluster, const Ask& head, const std::string& placement, Instant promise,
          Instant now);

  // False where the head has no promise or its nodes cannot be foretold.
  [[nodiscard]] bool known() const { return known_; }
  // The site as a job sees it that outlasts the promise.
  [[nodiscard]] Cluster seen_beside(const Cluster& cluster) const;
  // Such a job has started.
  void take(const Lease& lease);

 private:
  bool known_ = false;
  std::map<NodeId, Spare> spare_;  // of each reserved node, free then beyond what is reserved
};

}  // namespace weir::slow
