#include "fabric/graph.hpp"

#include <gtest/gtest.h>

namespace weir::fabric {
namespace {

constexpr LinkRate kNdr{LinkWidth::k4x, LinkSpeed::kNdr};
constexpr LinkRate kHdr{LinkWidth::k4x, LinkSpeed::kHdr};

Vertex vertex(std::uint64_t guid, VertexKind kind, std::uint8_t ports) {
  Vertex made;
  made.guid = Guid(guid);
  made.kind = kind;
  made.port_count = ports;
  made.description = "v" + std::to_string(guid);
  return made;
}

CableEnd end(std::uint64_t from, std::uint8_t port, std::uint64_t to, std::uint8_t to_port,
             LinkRate rate = kNdr) {
  return {Guid(from), PortNumber(port), Guid(to), PortNumber(to_port), rate, {}};
}

FabricDraft two_hosts() {
  return {{vertex(9, VertexKind::kSwitch, 4), vertex(2, VertexKind::kHca, 1),
           vertex(1, VertexKind::kHca, 1)},
          {end(9, 2, 2, 1), end(9, 1, 1, 1), end(1, 1, 9, 1), end(2, 1, 9, 2)}};
}

TEST(Graph, SortsVerticesByGuidAndHopsByPort) {
  const Snapshot snapshot = assemble(two_hosts());
  ASSERT_EQ(snapshot.vertices.size(), 3U);
  EXPECT_EQ(snapshot.vertices[0].guid, Guid(1));
  EXPECT_TRUE(snapshot.complete());
  const VertexId at = *snapshot.find(Guid(9));
  ASSERT_EQ(snapshot.hops(at).size(), 2U);
  EXPECT_EQ(snapshot.hops(at)[0].port, PortNumber(1));
  EXPECT_EQ(snapshot.at(snapshot.hops(at)[1].peer).guid, Guid(2));
  EXPECT_EQ(snapshot.at(snapshot.hops(at)[1].link).rate, kNdr);
  EXPECT_FALSE(snapshot.find(Guid(3)));
}

TEST(Graph, ListsACableToAVertexNobodyDescribed) {
  FabricDraft draft = two_hosts();
  draft.ends.push_back(end(9, 3, 77, 1));
  const Snapshot snapshot = assemble(draft);
  EXPECT_FALSE(snapshot.complete());
  ASSERT_EQ(snapshot.gaps.size(), 1U);
  EXPECT_EQ(snapshot.gaps[0].kind, GapKind::kUndescribedPeer);
  EXPECT_EQ(snapshot.gaps[0].end.peer, Guid(77));
  EXPECT_EQ(snapshot.links.size(), 2U);
}

TEST(Graph, KeepsACableThatOnlyOneEndDescribesAndListsIt) {
  FabricDraft draft = two_hosts();
  draft.ends.pop_back();  // what HCA 2 says
  const Snapshot snapshot = assemble(draft);
  ASSERT_EQ(snapshot.gaps.size(), 1U);
  EXPECT_EQ(snapshot.gaps[0].kind, GapKind::kOneEnded);
  ASSERT_EQ(snapshot.links.size(), 2U);
  EXPECT_TRUE(snapshot.links[0].confirmed);
  EXPECT_FALSE(snapshot.links[1].confirmed);
}

TEST(Graph, LeavesOutACableWhoseEndsDisagreeAndListsIt) {
  FabricDraft draft = two_hosts();
  draft.ends.back() = end(2, 1, 9, 4);  // the switch says port 2
  const Snapshot snapshot = assemble(draft);
  ASSERT_EQ(snapshot.links.size(), 2U);
  ASSERT_EQ(snapshot.gaps.size(), 2U);
  EXPECT_EQ(snapshot.gaps[0].kind, GapKind::kOneEnded);  // HCA 2 to the silent port 4
  EXPECT_EQ(snapshot.gaps[1].kind, GapKind::kDisagreement);
}

TEST(Graph, GivesASilentPortToOneOfTwoClaimants) {
  FabricDraft draft = two_hosts();
  draft.ends = {end(1, 1, 9, 3), end(2, 1, 9, 3)};
  const Snapshot snapshot = assemble(draft);
  EXPECT_EQ(snapshot.links.size(), 1U);
  ASSERT_EQ(snapshot.gaps.size(), 2U);
  EXPECT_EQ(snapshot.gaps[1].kind, GapKind::kDisagreement);
}

TEST(Graph, TrustsTheLowerRateWhereTheEndsDiffer) {
  FabricDraft draft = two_hosts();
  draft.ends.back().rate = kHdr;
  draft.ends.front().rate = LinkRate{};
  const Snapshot snapshot = assemble(draft);
  EXPECT_EQ(snapshot.links[1].rate, kHdr);
}

TEST(Graph, MergesFilesThatDescribeTwoHalvesOfOneFabric) {
  FabricDraft switches = two_hosts();
  FabricDraft hosts = two_hosts();
  const Snapshot whole = assemble(two_hosts());
  std::erase_if(switches.vertices, [](const Vertex& v) { return v.kind == VertexKind::kHca; });
  std::erase_if(switches.ends, [](const CableEnd& e) { return e.vertex != Guid(9); });
  std::erase_if(hosts.vertices, [](const Vertex& v) { return v.kind == VertexKind::kSwitch; });
  std::erase_if(hosts.ends, [](const CableEnd& e) { return e.vertex == Guid(9); });
  std::vector<Snapshot> parts;
  parts.push_back(assemble(switches));
  parts.push_back(assemble(hosts));
  EXPECT_FALSE(parts[0].complete());
  EXPECT_EQ(merge(std::move(parts)).value(), whole);
}

TEST(Graph, MergesAnHcaWhosePortsJoinTwoPlanes) {
  Vertex first = vertex(1, VertexKind::kHca, 2);
  first.addresses = {{PortNumber(1), Guid(11), Lid(5), 0}};
  Vertex second = first;
  second.addresses = {{PortNumber(2), Guid(12), Lid(5), 0}};
  std::vector<Snapshot> planes;
  planes.push_back(
      assemble({{first, vertex(8, VertexKind::kSwitch, 4)}, {end(1, 1, 8, 1), end(8, 1, 1, 1)}}));
  planes.push_back(
      assemble({{second, vertex(9, VertexKind::kSwitch, 4)}, {end(1, 2, 9, 1), end(9, 1, 1, 2)}}));
  const Snapshot site = merge(std::move(planes)).value();
  EXPECT_EQ(site.vertices.size(), 3U);
  EXPECT_EQ(site.hops(*site.find(Guid(1))).size(), 2U);
  EXPECT_EQ(site.vertices[0].addresses.size(), 2U);
}

TEST(Graph, RefusesTheSameSwitchInTwoFiles) {
  std::vector<Snapshot> twice(2, assemble(two_hosts()));
  const auto merged = merge(std::move(twice));
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().message.find("described in two"), std::string::npos);
}

}  // namespace
}  // namespace weir::fabric
