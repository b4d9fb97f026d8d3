// LinkRate: how wide and how fast a link runs, as ibnetdiscover writes it ("4xHDR").
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace weir::fabric {

// Lanes of a link. kUnknown is what the tools print as "??".
enum class LinkWidth : std::uint8_t { kUnknown = 0, k1x = 1, k2x = 2, k4x = 4, k8x = 8, k12x = 12 };

// Generations in ascending order. kUnknown is "???": also what tools older than the link print.
enum class LinkSpeed : std::uint8_t {
  kUnknown,
  kSdr,
  kDdr,
  kQdr,
  kFdr10,
  kFdr,
  kEdr,
  kHdr,
  kNdr,
  kXdr
};

struct LinkRate {
  LinkWidth width = LinkWidth::kUnknown;
  LinkSpeed speed = LinkSpeed::kUnknown;

  [[nodiscard]] bool is_known() const {
    return width != LinkWidth::kUnknown && speed != LinkSpeed::kUnknown;
  }
  friend constexpr auto operator<=>(const LinkRate&, const LinkRate&) = default;
};

// Data rate of one direction after line coding (IBTA vol. 1, table "link rates": 8b/10b up to QDR,
// 64b/66b for FDR; from EDR on the nominal rate). Zero where width or speed is unknown.
Bandwidth bandwidth(LinkRate rate);

// "4xHDR"; "??" and "???" stand for what is unknown. Nothing when the text is no rate.
std::optional<LinkRate> parse_link_rate(std::string_view text);
std::string to_text(LinkRate rate);

}  // namespace weir::fabric
