#include "model/node.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

Node good_node() {
  Node node;
  node.name = "n1";
  node.kind = {"H100", {8, 96, 2048}, {"infer", "train"}, {"ib", "nvlink"}};
  return node;
}

std::string error_of(const Node& node) {
  const Status status = check(node);
  return status ? "no error" : status.error().message;
}

TEST(CheckNode, TakesWhatIsInOrder) {
  EXPECT_EQ(error_of(good_node()), "no error");
  Node node = good_node();
  node.kind = {};  // a node that has nothing: useless, but no error
  EXPECT_EQ(error_of(node), "no error");
  node.kind.total = {limits::kGpusPerNode, UINT32_MAX, UINT32_MAX};
  EXPECT_EQ(error_of(node), "no error");
}

TEST(CheckNode, NamesNodeAndFieldThatIsWrong) {
  Node node = good_node();
  node.name.clear();
  EXPECT_EQ(error_of(node), "a node's name has 0 bytes: expected 1 to 256");
  node.name = std::string(limits::kNameBytes + 1, 'x');
  EXPECT_EQ(error_of(node), "a node's name has 257 bytes: expected 1 to 256");
  node = good_node();
  node.kind.total.gpus = limits::kGpusPerNode + 1;
  EXPECT_EQ(error_of(node), "node n1: gpus = 33, expected at most 32");
  node = good_node();
  node.kind.gpu_model = std::string(limits::kNameBytes + 1, 'x');
  EXPECT_EQ(error_of(node), "node n1: its GPU model has 257 bytes: expected at most 256");
}

TEST(CheckNode, PartitionsAndFeaturesAreSortedNamesEachOnce) {
  Node node = good_node();
  node.kind.partitions = {"b", "a"};
  EXPECT_EQ(error_of(node), "node n1: partitions: expected sorted names, each once");
  node = good_node();
  node.kind.features = {"a", "a"};
  EXPECT_EQ(error_of(node), "node n1: features: expected sorted names, each once");
  node.kind.features = {""};
  EXPECT_EQ(error_of(node), "node n1: features: expected names of 1 to 256 bytes");
  node.kind.features.clear();
  for (int i = 100; i < 165; ++i) node.kind.features.push_back(std::to_string(i));
  EXPECT_EQ(error_of(node), "node n1: features: 65 names, expected at most 64");
}

}  // namespace
}  // namespace weir
