#include "report/host_list.hpp"

#include <gtest/gtest.h>

namespace weir::report {
namespace {

TEST(HostList, PutsNumbersAtTheEndIntoBrackets) {
  EXPECT_EQ(host_list({"luna-0061", "luna-0062", "luna-0097", "luna-0100"}),
            "luna-[0061-0062,0097,0100]");
}

TEST(HostList, WritesSingleNamesPlain) {
  EXPECT_EQ(host_list({"login"}), "login");
  EXPECT_EQ(host_list({"a1", "b1"}), "a1, b1");
  EXPECT_EQ(host_list({}), "");
}

TEST(HostList, KeepsWidthsApart) { EXPECT_EQ(host_list({"n9", "n10", "n11"}), "n9, n[10-11]"); }

TEST(HostList, CountsWhatItLeavesOut) {
  EXPECT_EQ(host_list({"n1", "n3", "n5", "n7", "n8"}, 2), "n[1,3] and 3 more");
}

TEST(HostList, TakesNumbersTooLongToCountAsText) {
  EXPECT_EQ(host_list({"n99999999999999999999999"}), "n99999999999999999999999");
}

}  // namespace
}  // namespace weir::report
