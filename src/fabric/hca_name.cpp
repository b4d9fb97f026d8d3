#include "fabric/hca_name.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace weir::fabric {
namespace {

constexpr std::uint32_t kAggregationDevice = 0xcf09;
constexpr std::string_view kAggregationText = "Mellanox Technologies Aggregation Node";

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::uint32_t> small_number(std::string_view digits) {
  const auto number = parse_unsigned(digits);
  if (!number || *number > 9'999) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

// "mlx5_4", "mlx4_0", "hfi1_0": letters, digits, one underscore, the number.
std::optional<std::uint32_t> driver_number(std::string_view text) {
  const std::size_t cut = text.find('_');
  if (cut == std::string_view::npos || cut == 0) return std::nullopt;
  const std::string_view driver = text.substr(0, cut);
  if (!std::ranges::all_of(driver, [](char c) { return is_lower(c) || is_digit(c); }))
    return std::nullopt;
  return small_number(text.substr(cut + 1));
}

std::optional<DeviceName> parse_device(std::string_view text) {
  if (text.starts_with("HCA-")) {
    const auto number = small_number(text.substr(4));
    if (!number || *number == 0) return std::nullopt;
    return DeviceName{*number - 1, std::string(text)};
  }
  if (text.empty() || !is_lower(text.front())) return std::nullopt;
  if (const auto number = driver_number(text)) return DeviceName{*number, std::string(text)};
  // "ibp12s0f1", "mlx5_bond_0": any other kernel name has a digit and no capital.
  const auto in_device = [](char c) { return is_lower(c) || is_digit(c) || c == '_'; };
  if (!std::ranges::all_of(text, in_device) || !std::ranges::any_of(text, is_digit))
    return std::nullopt;
  return DeviceName{DeviceName::kUnnumbered, std::string(text)};
}

}  // namespace

std::strong_ordering operator<=>(const DeviceName& a, const DeviceName& b) {
  if (const auto order = a.number <=> b.number; order != 0) return order;
  if (a.number != DeviceName::kUnnumbered) return std::strong_ordering::equal;
  return natural_compare(a.text, b.text);
}

std::optional<HcaName> parse_hca_name(std::string_view description) {
  const std::string_view text = trim(description);
  const std::size_t cut = text.find_first_of(" \t");
  if (cut == std::string_view::npos) return std::nullopt;
  const auto device = parse_device(trim(text.substr(cut)));
  if (!device) return std::nullopt;
  return HcaName{std::string(text.substr(0, cut)), *device};
}

bool is_placeholder_host(std::string_view host) {
  constexpr std::array<std::string_view, 12> kPlaceholders = {
      "localhost", "(none)", "ubuntu", "debian", "centos",  "rocky",
      "rhel",      "linux",  "fedora", "alma",   "unknown", "host"};
  std::string name(host.substr(0, host.find('.')));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::ranges::find(kPlaceholders, name) != kPlaceholders.end();
}

bool is_aggregation_node(std::uint32_t device_id, std::string_view description) {
  return device_id == kAggregationDevice || trim(description) == kAggregationText;
}

}  // namespace weir::fabric
