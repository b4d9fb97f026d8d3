// HcaName: what a NodeDescription says about an HCA. Hosts set it to "HOST DEVICE" at boot
// (rdma-ndd, openibd); until then it is the adapter's factory text or the installer's host name.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::fabric {

// A device of one host. "mlx5_4" and "HCA-5" are both number 4: the driver counts from 0, openibd
// from 1. Names without such a number ("ibp12s0") are told apart by their text.
struct DeviceName {
  static constexpr std::uint32_t kUnnumbered = UINT32_MAX;

  std::uint32_t number = kUnnumbered;
  std::string text;  // as the description has it

  // Same device? Numbers decide where there are any.
  friend bool operator==(const DeviceName& a, const DeviceName& b) { return (a <=> b) == 0; }
  // Ascending numbers, then texts in natural order.
  friend std::strong_ordering operator<=>(const DeviceName& a, const DeviceName& b);
};

struct HcaName {
  std::string host;
  DeviceName device;
};

// Nothing when the description is no "HOST DEVICE"; blanks at its ends do not count.
std::optional<HcaName> parse_hca_name(std::string_view description);

// Host names that installers leave behind ("localhost", "ubuntu", "(none)"): they tell nothing
// about which HCAs sit in one machine.
bool is_placeholder_host(std::string_view host);

// The in-network reduction engine (SHARP) that switches show as one more HCA.
bool is_aggregation_node(std::uint32_t device_id, std::string_view description);

}  // namespace weir::fabric
