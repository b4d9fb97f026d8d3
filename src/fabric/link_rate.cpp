#include "fabric/link_rate.hpp"

#include <array>

#include <fmt/format.h>

namespace weir::fabric {
namespace {

struct SpeedRow {
  LinkSpeed speed;
  std::string_view name;
  std::uint64_t lane_bits_per_second;
};

constexpr std::array<SpeedRow, 10> kSpeeds = {{
    {LinkSpeed::kUnknown, "???", 0},
    {LinkSpeed::kSdr, "SDR", 2'000'000'000},
    {LinkSpeed::kDdr, "DDR", 4'000'000'000},
    {LinkSpeed::kQdr, "QDR", 8'000'000'000},
    {LinkSpeed::kFdr10, "FDR10", 10'000'000'000},
    {LinkSpeed::kFdr, "FDR", 13'636'363'636},
    {LinkSpeed::kEdr, "EDR", 25'000'000'000},
    {LinkSpeed::kHdr, "HDR", 50'000'000'000},
    {LinkSpeed::kNdr, "NDR", 100'000'000'000},
    {LinkSpeed::kXdr, "XDR", 200'000'000'000},
}};

struct WidthRow {
  LinkWidth width;
  std::string_view name;
};

constexpr std::array<WidthRow, 6> kWidths = {{
    {LinkWidth::kUnknown, "??"},
    {LinkWidth::k1x, "1x"},
    {LinkWidth::k2x, "2x"},
    {LinkWidth::k4x, "4x"},
    {LinkWidth::k8x, "8x"},
    {LinkWidth::k12x, "12x"},
}};

}  // namespace

Bandwidth bandwidth(LinkRate rate) {
  const SpeedRow& row = kSpeeds[static_cast<std::size_t>(rate.speed)];
  return Bandwidth(row.lane_bits_per_second * static_cast<std::uint64_t>(rate.width));
}

std::optional<LinkRate> parse_link_rate(std::string_view text) {
  for (const WidthRow& width : kWidths) {
    if (!text.starts_with(width.name)) continue;
    for (const SpeedRow& speed : kSpeeds)
      if (text.substr(width.name.size()) == speed.name) return LinkRate{width.width, speed.speed};
  }
  return std::nullopt;
}

std::string to_text(LinkRate rate) {
  std::string_view width = kWidths[0].name;
  for (const WidthRow& row : kWidths)
    if (row.width == rate.width) width = row.name;
  return fmt::format("{}{}", width, kSpeeds[static_cast<std::size_t>(rate.speed)].name);
}

}  // namespace weir::fabric
