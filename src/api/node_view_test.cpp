#include "api/node_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/live_state.hpp"

namespace weir::api {
namespace {

using ::testing::HasSubstr;
using weir::testing::even_site;
using weir::testing::gang_job;
using weir::testing::LiveState;

std::string node_json(const state::State& state, std::uint32_t node) {
  JsonWriter json(0);
  write_node(json, state, NodeId(node));
  return json.text();
}

TEST(NodeView, TellsWhatItHasAndWhoHoldsIt) {
  weir::testing::Site site = even_site(1, 1, 1, 1);
  site.nodes[0].kind.gpu_model = "H200";
  site.nodes[0].kind.partitions = {"main"};
  site.nodes[0].kind.features = {"ib"};
  site.nodes[0].grade = Grade::kWatch;
  LiveState live(site);
  const JobId job = live.submit(gang_job(1, 4));
  live.start(job, {0}, 0b0101, 1500, 1024);
  EXPECT_EQ(node_json(live.state, 0),
            R"({"id":0,"name":"n0","state":"MIXED","why":"","grade":"watch","gpu_model":"H200",)"
            R"("partitions":["main"],"features":["ib"],)"
            R"("place":{"site":"site","fabric":"f0","pod":"p0","unit":"u0"},)"
            R"("total":{"gpus":8,"cpus":64,"memory_mib":524288},)"
            R"("free":{"gpus":6,"cpus":62.5,"memory_mib":523264},)"
            R"("leases":[{"job":1,"gpus":[0,2],"gpu_share":null,"cpus":1.5,"memory_mib":1024,)"
            R"("expected_end":"1970-01-01T01:00:04.000000Z"}],)"
            R"("agent":{"known":false,"connected":false,"since":null,"boot":""}})");
}

TEST(NodeView, TellsOfItsAgent) {
  LiveState live(even_site(1, 1, 1, 2));
  live.apply(AgentConnected{NodeId(1), "boot-7", 1, {}});
  EXPECT_THAT(node_json(live.state, 1), HasSubstr(R"("agent":{"known":true,"connected":true,)"));
  live.apply(AgentLost{NodeId(1), 1});
  const std::string json = node_json(live.state, 1);
  EXPECT_THAT(json, HasSubstr(R"("state":"DOWN","why":"its agent has not been connected since)"));
  EXPECT_THAT(json, HasSubstr(R"("connected":false,"since":"1970-01-01T00:00:06.000000Z","boot":)"
                              R"("boot-7"})"));
}

TEST(NodeView, ListsAllNodesInTheOrderTheyJoined) {
  const LiveState live(even_site(1, 1, 1, 2));
  EXPECT_EQ(nodes_json(live.state),
            R"({"nodes":[)" + node_json(live.state, 0) + "," + node_json(live.state, 1) + "]}");
}

}  // namespace
}  // namespace weir::api
