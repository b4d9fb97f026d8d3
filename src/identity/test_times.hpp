// For tests of identity: fixed times, since certificates are dated.
#pragma once

#include "base/time.hpp"

namespace weir::identity {

inline constexpr Instant kNow{std::int64_t{1'800'000'000} * 1'000'000};
inline constexpr Duration kHour{std::int64_t{3'600} * 1'000'000};
inline constexpr Duration kDay{24 * kHour};

}  // namespace weir::identity
