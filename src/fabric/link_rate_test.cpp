#include "fabric/link_rate.hpp"

#include <gtest/gtest.h>

namespace weir::fabric {
namespace {

TEST(LinkRate, ReadsEveryWidthAndSpeedAndWritesItBack) {
  for (const char* width : {"??", "1x", "2x", "4x", "8x", "12x"})
    for (const char* speed :
         {"???", "SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"}) {
      const std::string text = std::string(width) + speed;
      const auto rate = parse_link_rate(text);
      ASSERT_TRUE(rate) << text;
      EXPECT_EQ(to_text(*rate), text);
    }
}

TEST(LinkRate, KnowsTheBandwidthsOnTheBoxes) {
  EXPECT_EQ(bandwidth(*parse_link_rate("4xSDR")), 8_Gbps);
  EXPECT_EQ(bandwidth(*parse_link_rate("4xQDR")), 32_Gbps);
  EXPECT_EQ(bandwidth(*parse_link_rate("4xEDR")), 100_Gbps);
  EXPECT_EQ(bandwidth(*parse_link_rate("4xHDR")), 200_Gbps);
  EXPECT_EQ(bandwidth(*parse_link_rate("4xNDR")), 400_Gbps);
  EXPECT_EQ(bandwidth(*parse_link_rate("4xXDR")), 800_Gbps);
  EXPECT_EQ(bandwidth(*parse_link_rate("2xNDR")), 200_Gbps);
  EXPECT_NEAR(bandwidth(*parse_link_rate("4xFDR")).gbps(), 54.5, 0.1);
}

TEST(LinkRate, CountsAnUnknownRateAsNoBandwidth) {
  EXPECT_EQ(bandwidth(*parse_link_rate("4x???")), Bandwidth());
  EXPECT_FALSE(parse_link_rate("4x???")->is_known());
  EXPECT_EQ(bandwidth(LinkRate{}), Bandwidth());
}

TEST(LinkRate, RefusesWhatIsNoRate) {
  for (const char* text : {"", "4x", "4xABC", "5xHDR", "HDR", "4xHDRx", "x4HDR", "4XHDR"})
    EXPECT_FALSE(parse_link_rate(text)) << text;
}

}  // namespace
}  // namespace weir::fabric
