#include "formats/topograph.hpp"

#include <gtest/gtest.h>

#include "support/fabric_text.hpp"

namespace weir {
namespace {

using testing::message_of;
using testing::read_text;

constexpr std::string_view kModel = R"(# a model
switches:
  core:
    labels: {topology.kubernetes.io/region: us-west}
    switches: [leaf1, leaf2]
blocks:
- switch: leaf1
  nodes: ["n[1-2]", n5]
  annotations:
    accelerator.topograph.run/domain: nvl1
- switch: leaf2
  nodes: n[3-4]
)";

TEST(Topograph, ReadsAModel) {
  const auto found = read_text<TopographReader>(kModel);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->switches.size(), 3U);
  EXPECT_EQ(found->switches[0].switches, (std::vector<std::string>{"leaf1", "leaf2"}));
  EXPECT_EQ(found->switches[1].nodes, (std::vector<std::string>{"n1", "n2", "n5"}));
  EXPECT_EQ(found->switches[1].line, 7U);
  ASSERT_EQ(found->blocks.size(), 1U);
  EXPECT_EQ(found->blocks[0].name, "nvl1");
}

TEST(Topograph, ReadsLabelsOfNodesOldAndNewAsYamlAndJson) {
  const auto yaml = read_text<TopographReader>(R"(apiVersion: v1
kind: List
items:
- metadata:
    name: n1
    labels:
      fabric.topograph.run/tier-0: leaf1
      fabric.topograph.run/tier-1: spine1
      accelerator.topograph.run/domain: nvl1
- metadata: {name: control}
)");
  ASSERT_TRUE(yaml) << yaml.error().message;
  ASSERT_EQ(yaml->remarks.size(), 1U);
  EXPECT_EQ(yaml->remarks[0],
            "1 of 2 nodes carry no label of a switch or NVLink domain and are left out, "
            "\"control\" for one");
  const auto json = read_text<TopographReader>(R"({
    "items": [{"metadata": {"name": "n1", "labels": {
      "network.topology.nvidia.com/leaf": "leaf1",
      "network.topology.nvidia.com/spine": "spine1",
      "network.topology.nvidia.com/accelerator": "nvl1"}}}]
})");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->switches, yaml->switches);
  EXPECT_EQ(json->blocks, yaml->blocks);
}

TEST(Topograph, ErrorsNameTheLineAndWhatWasExpected) {
  const auto error = [](std::string_view text) {
    return message_of(read_text<TopographReader>(text));
  };
  EXPECT_EQ(error("a: [1"), "2: expected YAML, found an error: end of sequence flow not found");
  EXPECT_EQ(error("- x"),
            "1: expected `switches:` and `blocks:`, or `items:` with nodes, found no map");
  EXPECT_EQ(error("other: 1"),
            "1: expected `switches:` and `blocks:`, or `items:` with nodes, found neither");
  EXPECT_EQ(error("switches: 7"), "1: expected switches by name, found no map");
  EXPECT_EQ(error("switches:\n  a: {switches: [b]}\n  b: {switches: [a]}"),
            "3: expected a tree, found a cycle: switch \"a\" stands above \"b\" and below it");
  EXPECT_EQ(error("switches:\n  a: {nodes: [n1]}\n  a: {nodes: [n2]}"),
            "3: expected each switch once, found \"a\" again");
  EXPECT_EQ(error("blocks:\n- switch: a"), "2: expected nodes in this block, found none");
  EXPECT_EQ(error("blocks:\n- nodes: [n1]"),
            "2: expected a switch or an NVLink domain of this block, found neither");
  EXPECT_EQ(error("blocks:\n- switch: a\n  nodes: [\"n[1-\"]"),
            "3: expected brackets in pairs, found \"n[1-\"");
  EXPECT_EQ(error("items:\n- metadata: {name: n1}"),
            "expected nodes with labels of topograph, such as fabric.topograph.run/tier-0, found "
            "none");
  EXPECT_EQ(error("switches: {}\n---\nswitches: {}"),
            "expected one YAML document, found none or more: split the file");
  EXPECT_EQ(error(",a"), "expected one YAML document, found none or more: split the file");
  EXPECT_EQ(error(std::string(3000, '[')).substr(0, 30), "2: expected YAML, found an err");
}

}  // namespace
}  // namespace weir
