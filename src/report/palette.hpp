// The colours of the page, for light and dark, and which run gets which.
//
// Series: Okabe and Ito, "Color Universal Design" (2008), told apart with any common colour
// blindness; the dark set keeps each hue and is lightened until it stands out from the dark page.
// Shares: ColorBrewer "Blues" (Brewer, 2002), one hue that only grows darker; in the dark the ramp
// runs from the page's own tone to light blue.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/result.hpp"

namespace weir::report {

inline constexpr std::size_t kSeriesColours = 6;
inline constexpr std::size_t kShareLevels = 8;  // steps of 12.5 % above nothing
inline constexpr std::size_t kVariants = 4;     // dash patterns and marker shapes

struct Palette {
  std::string_view page;    // background
  std::string_view ink;     // text
  std::string_view muted;   // secondary text, axes
  std::string_view rule;    // hairlines
  std::string_view raised;  // tooltip, row under the pointer
  std::array<std::string_view, kSeriesColours> series;
  std::array<std::string_view, kShareLevels + 1> shares;  // [0]: nothing is busy
};

extern const Palette kLight;
extern const Palette kDark;

// How one run is drawn: colour by order and dash or marker by placement (and backfill); colour by
// placement where there is one order only.
struct RunStyle {
  std::string name;  // "sjf / weir"
  std::size_t colour = 0;
  std::size_t variant = 0;
};

struct Styles {
  std::vector<RunStyle> runs;  // as in the comparison
  std::vector<std::string> colours;
  std::vector<std::string> variants;  // empty where the colour says it all
};

Styles assign_styles(const sim::Comparison& comparison);

// Style sheet class of a style: "c0 v2". More orders than colours begin again.
std::string style_class(const RunStyle& style);

}  // namespace weir::report
