#include "report/palette.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "report/test_sample.hpp"

namespace weir::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Relative luminance and contrast: WCAG 2.1, "relative luminance", "contrast ratio".
double luminance(std::string_view colour) {
  const auto part = [&](std::size_t at) {
    const double value = static_cast<double>(*parse_unsigned(colour.substr(at, 2), 16)) / 255;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

double contrast(std::string_view a, std::string_view b) {
  const double one = luminance(a) + 0.05;
  const double other = luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

TEST(Palette, TextAndLinesStandOut) {
  for (const Palette* palette : {&kLight, &kDark}) {
    EXPECT_GE(contrast(palette->ink, palette->page), 7);
    EXPECT_GE(contrast(palette->muted, palette->page), 4.5);
    EXPECT_GE(contrast(palette->ink, palette->raised), 7);
    for (const std::string_view colour : palette->series)
      EXPECT_GE(contrast(colour, palette->page), 3) << colour;
  }
}

TEST(Palette, SharesOnlyGrowStronger) {
  for (const Palette* palette : {&kLight, &kDark})
    for (std::size_t i = 2; i < palette->shares.size(); ++i)
      EXPECT_GT(contrast(palette->shares.at(i), palette->page),
                contrast(palette->shares.at(i - 1), palette->page))
          << i;
}

TEST(Styles, ColourIsTheOrderAndDashThePlacement) {
  const Styles styles = assign_styles(testing::sample());
  EXPECT_THAT(styles.colours, ElementsAre("fifo", "sjf"));
  EXPECT_THAT(styles.variants, ElementsAre("weir", "firstfit"));
  EXPECT_EQ(styles.runs[3].name, "sjf / firstfit");
  EXPECT_EQ(style_class(styles.runs[3]), "c1 v1");
}

TEST(Styles, ColourIsThePlacementOfASingleOrder) {
  auto comparison = testing::sample();
  comparison.runs.resize(2);
  const Styles styles = assign_styles(comparison);
  EXPECT_THAT(styles.colours, ElementsAre("weir", "firstfit"));
  EXPECT_THAT(styles.variants, IsEmpty());
  EXPECT_EQ(style_class(styles.runs[1]), "c1 v0");
}

}  // namespace
}  // namespace weir::report
