#include "report/tree_text.hpp"

#include <gtest/gtest.h>

#include "report/difference_text.hpp"
#include "report/tree_json.hpp"

namespace weir::report {
namespace {

fabric::SiteTree sample() {
  fabric::NamedTopology site;
  site.switches = {{"leaf1", {}, {"n1", "n2", "n4"}}, {"spine", {"leaf1"}, {}}};
  site.blocks = {{"nvl1", {"n1", "n2"}}, {"nvl2", {"n4"}}};
  return fabric::tree_of(site).value();
}

TEST(TreeText, ShowsEveryDomainAndItsNodes) {
  EXPECT_EQ(tree_text(sample()),
            "3 nodes in 2 blocks, 1 unit, 1 pod, 1 fabric\n"
            "fabric spine             3 nodes\n"
            "  pod spine              3 nodes\n"
            "    unit leaf1           3 nodes\n"
            "      block nvl1           2 nodes: n[1-2]\n"
            "      block nvl2           1 node: n4\n");
  EXPECT_EQ(tree_text({flat_locality(), {}, {"a remark"}}), "0 nodes\nNote: a remark\n");
}

TEST(TreeJson, NamesTheDomainsOfEveryNode) {
  const std::string json = tree_json(sample());
  EXPECT_NE(json.find("\"name\": \"n4\",\n      \"block\": \"nvl2\",\n      \"unit\": \"leaf1\""),
            std::string::npos)
      << json;
}

TEST(DifferenceText, IsALineForEachDifference) {
  using fabric::DifferenceKind;
  const std::vector<fabric::Difference> found = {
      {DifferenceKind::kRate, "a port 1 to b port 2", "4xHDR", "4xSDR"},
      {DifferenceKind::kNodeNew, "n1", "", "unit u"}};
  EXPECT_EQ(difference_text(found, "x", "y"),
            "2 differences between x (first) and y (second)\n"
            "  a port 1 to b port 2 runs at another rate: 4xHDR -> 4xSDR\n"
            "  n1 is only in the second: unit u\n");
  EXPECT_EQ(difference_text({}, "x", "y"), "x and y describe the same fabric\n");
  EXPECT_NE(difference_json(found, "x", "y").find("\"what\": \"rate\""), std::string::npos);
}

}  // namespace
}  // namespace weir::report
