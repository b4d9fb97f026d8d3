// Backoff: how long to wait before the next attempt to connect. Twice as long each time, up to a
// limit, and by chance between half of it and all, so that the agents of a site whose controller
// comes back do not come all at once.
#pragma once

#include <algorithm>

#include "base/rng.hpp"
#include "base/time.hpp"

namespace weir::channel {

struct BackoffLimits {
  Duration first{200'000};
  Duration most{15'000'000};
};

class Backoff {
 public:
  Backoff(BackoffLimits limits, Rng rng) : limits_(limits), rng_(rng), next_(limits.first) {}

  Duration next() {
    const Duration longest = std::min(next_, limits_.most);
    next_ = std::min(limits_.most, longest * 2);
    const Duration shortest = longest / 2;
    const auto range = static_cast<std::uint64_t>((longest - shortest).count()) + 1;
    return shortest + Duration(static_cast<std::int64_t>(rng_.below(range)));
  }

  // The last attempt did what it should.
  void reset() { next_ = limits_.first; }

 private:
  BackoffLimits limits_;
  Rng rng_;
  Duration next_;
};

}  // namespace weir::channel
