#include "model/locality.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

// Three units in two pods in one fabric.
Locality small_tree() {
  Locality tree;
  tree.known = true;
  tree.levels = {
      {Level::kUnit, {{DomainId(0), "u0"}, {DomainId(0), "u1"}, {DomainId(1), "u2"}}},
      {Level::kPod, {{DomainId(0), "p0"}, {DomainId(0), "p1"}}},
      {Level::kFabric, {{DomainId::none(), "f"}}},
  };
  return tree;
}

std::string error_of(const Locality& tree) {
  const Status status = check(tree);
  return status ? "no error" : status.error().message;
}

TEST(FlatLocality, IsAValidTreeThatSaysNothing) {
  EXPECT_EQ(error_of(flat_locality()), "no error");
  EXPECT_FALSE(flat_locality().known);
}

TEST(CheckLocality, TakesATreeInOrder) { EXPECT_EQ(error_of(small_tree()), "no error"); }

TEST(CheckLocality, NamesWhatIsBroken) {
  EXPECT_EQ(error_of({}), "locality has no level: expected at least one");

  Locality tree = small_tree();
  std::swap(tree.levels[0].level, tree.levels[1].level);
  EXPECT_EQ(error_of(tree), "locality level unit stands above pod");

  tree = small_tree();
  tree.levels[1].domains.clear();
  EXPECT_EQ(error_of(tree), "unit u0 has no valid parent");

  tree = small_tree();
  tree.levels[2].domains.clear();
  tree.levels.resize(3);
  EXPECT_EQ(error_of(tree), "pod p0 has no valid parent");

  tree = small_tree();
  tree.levels[0].domains[1].parent = DomainId(7);
  EXPECT_EQ(error_of(tree), "unit u1 has no valid parent");

  tree = small_tree();
  tree.levels[2].domains[0].parent = DomainId(0);
  EXPECT_EQ(error_of(tree), "fabric f has no valid parent");

  tree = small_tree();
  tree.levels[0].domains[0].parent = DomainId(1);
  EXPECT_EQ(error_of(tree), "unit u1 stands apart from its siblings");
}

TEST(CheckLocality, ALevelWithoutDomainsIsNoLevel) {
  Locality tree = small_tree();
  tree.levels[0].domains.clear();
  EXPECT_EQ(error_of(tree), "locality level unit has no domain");
}

TEST(CheckLocality, BoundsTheDomainsOfALevelAndTheirNames) {
  Locality tree = small_tree();
  tree.levels[0].domains[0].name = std::string(limits::kNameBytes + 1, 'x');
  EXPECT_EQ(error_of(tree), "the name of a unit has 257 bytes: expected at most 256");
  tree = small_tree();
  tree.levels[0].domains.resize(limits::kDomainsPerLevel + 1, tree.levels[0].domains.back());
  EXPECT_EQ(error_of(tree), "locality level unit has 32769 domains: expected at most 32768");
  tree.levels[0].domains.pop_back();
  EXPECT_EQ(error_of(tree), "no error");
}

TEST(Level, EachHasAName) {
  EXPECT_EQ(to_text(Level::kBlock), "block");
  EXPECT_EQ(to_text(Level::kSite), "site");
}

}  // namespace
}  // namespace weir
