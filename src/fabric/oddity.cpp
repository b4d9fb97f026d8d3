#include "fabric/oddity.hpp"

namespace weir::fabric {

std::string_view to_text(OddityKind kind) {
  constexpr std::string_view kNames[kOddityKinds] = {
      "factory_name", "placeholder_host", "duplicate_name",   "missing_hca",    "extra_hca",
      "unlinked_hca", "off_plane",        "miswired",         "foreign_leaf",   "stray_cable",
      "slow_link",    "duplicate_lid",    "duplicate_switch", "other_hca_count"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace weir::fabric
