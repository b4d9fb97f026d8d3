// Oddity: something in a fabric that a person should look at. Data; the sentences are in report/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::fabric {

enum class OddityKind : std::uint8_t {
  kFactoryName,      // an HCA whose description names no host: it joins none
  kPlaceholderHost,  // an HCA that calls its host localhost, ubuntu, ...: it joins none
  kDuplicateName,    // several HCAs with the same host and device: they join none
  kMissingHca,       // a compute node lacks HCAs that its like have
  kExtraHca,         // a compute node has an HCA that is no rail
  kUnlinkedHca,      // an HCA without a cable
  kOffPlane,         // an HCA on another plane than its rail: not counted as linked
  kMiswired,         // an HCA on a leaf that serves another rail
  kForeignLeaf,      // an HCA on a leaf of another unit
  kStrayCable,       // a leaf with a cable to another pod's spine
  kSlowLink,         // a link slower than its like
  kDuplicateLid,     // several ports of one plane with the same LID
  kDuplicateSwitch,  // several switches with one name
  kOtherCount,       // a fabric whose nodes have another number of HCAs than the site's usual one
};
inline constexpr std::uint32_t kOddityKinds = 14;

struct Oddity {
  OddityKind kind = OddityKind::kFactoryName;
  std::string subject;  // what: "gpu-017 mlx5_3"
  std::string detail;   // where and why it is odd; may be empty

  friend auto operator<=>(const Oddity&, const Oddity&) = default;
};

// A short word for machines: "miswired".
std::string_view to_text(OddityKind kind);

}  // namespace weir::fabric
