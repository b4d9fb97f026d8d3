// The commands that look at nodes, change them, and let new ones join.
#include "cli/test_controller.hpp"

namespace weir::cli {
namespace {

using testing::ControllerTest;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using weir::testing::refusal;

using NodeCommands = ControllerTest;

constexpr const char* kNodes =
    R"({"nodes":[{"id":0,"name":"n1","state":"MIXED","why":"","gpu_model":"H100",)"
    R"("total":{"gpus":8,"cpus":64,"memory_mib":65536},)"
    R"("free":{"gpus":6,"cpus":31.5,"memory_mib":33280},"leases":[{"job":12},{"job":13}]},)"
    R"({"id":1,"name":"n2","state":"DOWN","why":"its agent has not connected yet",)"
    R"("gpu_model":"","total":{"gpus":0,"cpus":4,"memory_mib":1024},)"
    R"("free":{"gpus":0,"cpus":4,"memory_mib":1024},"leases":[]}]})";

TEST_F(NodeCommands, NodesIsATable) {
  answer_json("GET /v1/nodes", kNodes);
  const auto shown = run({"nodes"});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_THAT(shown.out, StartsWith("NODE  STATE  FREE GPUS  FREE CPUS  FREE GIB  MODEL  JOBS"));
  EXPECT_THAT(shown.out, HasSubstr("n1    MIXED        6/8    31.5/64   32.5/64  H100   12,13"));
  EXPECT_THAT(shown.out, HasSubstr("its agent has not connected yet\n"));
  EXPECT_EQ(run({"nodes", "--json"}).out, std::string(kNodes) + "\n");
}

TEST_F(NodeCommands, DrainsAndUndrains) {
  answer_json("POST /v1/nodes/n1/drain", "{}");
  answer_json("POST /v1/nodes/n%2F2/drain", "{}");
  answer_json("POST /v1/nodes/n1/undrain", "{}");
  EXPECT_EQ(run({"drain", "n1", "n/2"}).out, "Node n1 drained\nNode n/2 drained\n");
  EXPECT_EQ(run({"undrain", "n1"}).out, "Node n1 undrained\n");
  answer("POST /v1/nodes/n9/drain", net::error_response(404, "there is no node n9"));
  const auto missing = run({"drain", "n9", "n1"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.out, "Node n1 drained\n");
  EXPECT_EQ(missing.errors, "weir: there is no node n9\n");
}

TEST_F(NodeCommands, ATokenSaysHowToJoin) {
  answer_json("POST /v1/tokens?life_s=1800&node=n7",
              R"({"token":"weir-abc","joining":"head:6818"})");
  const auto made = run({"token", "create", "--node", "n7", "--life", "30m"}, 2);
  EXPECT_EQ(made.exit_code, 0) << made.errors;
  EXPECT_EQ(made.out,
            "Token:  weir-abc\n"
            "Once, within 30m 00s:  weir agent --join head:6818 --token weir-abc\n");
  answer_json("POST /v1/tokens?life_s=3600", R"({"token":"weir-any","joining":"head:6818"})");
  EXPECT_EQ(run({"token", "create", "--json"}, 2).out,
            "{\"token\":\"weir-any\",\"joining\":\"head:6818\"}\n");
}

TEST_F(NodeCommands, ATokenHasALife) {
  EXPECT_THAT(refusal({"token", "create", "--life", "0"}), HasSubstr("--life: expected a time"));
  EXPECT_THAT(refusal({"token", "create", "--life", "soon"}), HasSubstr("--life: expected a time"));
  EXPECT_THAT(refusal({"token"}), HasSubstr("subcommand"));
}

TEST_F(NodeCommands, ARefusalWithoutAReasonIsAnErrorToo) {
  answer("GET /v1/nodes", {500, {}, ""});
  const auto shown = run({"nodes"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_EQ(shown.errors,
            "weir: the controller answered 500 Internal Server Error and no reason: look at its "
            "log\n");
}

}  // namespace
}  // namespace weir::cli
