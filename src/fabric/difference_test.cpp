#include "fabric/difference.hpp"

#include <gtest/gtest.h>

#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::PlantedFabric;

std::vector<DifferenceKind> kinds(const std::vector<Difference>& found) {
  std::vector<DifferenceKind> result;
  for (const Difference& one : found) result.push_back(one.kind);
  return result;
}

TEST(Difference, OfAFabricWithItselfThereIsNone) {
  const Snapshot snapshot = PlantedFabric(testing::small_tree()).snapshot();
  EXPECT_TRUE(differences(snapshot, snapshot).empty());
}

TEST(Difference, EachPlantedFaultIsNamedOnce) {
  PlantedFabric planted(testing::small_tree());
  const Snapshot before = planted.snapshot();
  Vertex& leaf = planted.switch_called("leaf-u1-r0");
  const std::string leaf_text = leaf.description + " (" + to_text(leaf.guid) + ")";
  leaf.description = "renamed";
  for (PortAddress& address : leaf.addresses) address.lid = Lid(4'000);
  const auto found = differences(before, planted.snapshot());
  ASSERT_EQ(kinds(found).front(), DifferenceKind::kDescription);
  EXPECT_EQ(found[0].after, "renamed");
  for (const Difference& one : found)
    if (one.kind == DifferenceKind::kLid) {
      EXPECT_EQ(one.subject, leaf_text + " port 0");
      EXPECT_EQ(one.after, "4000");
    }
}

TEST(Difference, CablesGoneNewMovedAndSlower) {
  PlantedFabric planted(testing::small_tree());
  const Snapshot before = planted.snapshot();
  planted.cut(
      planted.switch_called("leaf-u1-r0").guid,
      before.at(before.hops(*before.find(planted.switch_called("leaf-u1-r0").guid)).back().peer)
          .guid);
  const Snapshot cut = planted.snapshot();
  EXPECT_EQ(kinds(differences(before, cut)),
            (std::vector<DifferenceKind>{DifferenceKind::kCableGone}));
  EXPECT_EQ(kinds(differences(cut, before)),
            (std::vector<DifferenceKind>{DifferenceKind::kCableNew}));

  PlantedFabric slower(testing::small_tree());
  const Guid guid = slower.switch_called("leaf-u1-r0").guid;
  for (CableEnd& end : slower.draft().ends)
    if ((end.vertex == guid && end.port == PortNumber(1)) ||
        (end.peer == guid && end.peer_port == PortNumber(1)))
      end.rate = {LinkWidth::k4x, LinkSpeed::kSdr};
  const auto found = differences(before, slower.snapshot());
  ASSERT_EQ(kinds(found), (std::vector<DifferenceKind>{DifferenceKind::kRate}));
  EXPECT_EQ(found[0].after, "4xSDR");
}

TEST(Difference, ALostHcaTakesItsCableWithIt) {
  PlantedFabric planted(testing::small_tree());
  const Snapshot before = planted.snapshot();
  const std::string name = [&] {
    for (const Vertex& vertex : before.vertices)
      if (vertex.kind == VertexKind::kHca) return vertex.description;
    return std::string();
  }();
  planted.lose(name);
  const auto found = differences(before, planted.snapshot());
  EXPECT_EQ(kinds(found), (std::vector<DifferenceKind>{DifferenceKind::kVertexGone}));
  EXPECT_EQ(found.at(0).before, "HCA with 1 cable");
}

TEST(Difference, ForwardingTables) {
  const ForwardingTables a{{{Guid(1), {kNoRoute, 0, 5, 6}}, {Guid(2), {kNoRoute, 1}}}};
  const ForwardingTables b{{{Guid(1), {kNoRoute, 0, 7}}, {Guid(3), {kNoRoute, 1}}}};
  const auto found = differences(a, b);
  ASSERT_EQ(kinds(found),
            (std::vector<DifferenceKind>{DifferenceKind::kTableGone, DifferenceKind::kTableNew,
                                         DifferenceKind::kRoute}));
  EXPECT_EQ(found[2].subject, "0x0000000000000001 LID 2 (and 1 more LIDs)");
  EXPECT_EQ(found[2].before, "port 5");
  EXPECT_TRUE(differences(a, a).empty());
}

TEST(Difference, NodesOfATree) {
  NamedTopology site;
  site.switches = {{"l1", {}, {"n1", "n2"}}, {"l2", {}, {"n3"}}};
  const SiteTree before = tree_of(site).value();
  site.switches = {{"l1", {}, {"n1"}}, {"l2", {}, {"n2", "n4"}}};
  const auto found = differences(before, tree_of(site).value());
  ASSERT_EQ(kinds(found),
            (std::vector<DifferenceKind>{DifferenceKind::kNodeGone, DifferenceKind::kNodeNew,
                                         DifferenceKind::kNodeMoved}));
  EXPECT_EQ(found[2].subject, "n2");
  EXPECT_EQ(found[2].before, "unit l1 in pod l1 in fabric l1");
}

}  // namespace
}  // namespace weir::fabric
