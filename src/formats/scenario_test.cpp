#include "formats/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<ScenarioCase> cases(std::string_view text) {
  auto result = parse_scenarios(text, "x.scenario");
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result.value_or(std::vector<ScenarioCase>{});
}

// The message for one statement in line 3, after a node.
std::string complaint(std::string_view statement) {
  const std::string text = "case c\nnode n1 gpus = 8\n" + std::string(statement);
  const auto result = parse_scenarios(text, "x.scenario");
  return result ? "" : result.error().message;
}

TEST(Scenario, ReadsEveryStatement) {
  const auto all = cases(R"(# a comment
case one  of them
from a#1   # the report
set order = "sjf", placement = "random", backfill = "easy", seed = 4, refuse_impossible = true
node n[1-2] gpus = 8, cpus = 64, memory = "1TiB", gpu_model = "H100", partition = "p", unit = "u", pod = "q"
node n3 gpus = 4, features = ["b", "a"], grade = "watch", block = "k", fabric = "f"
switch s1 hosts = "n[1-2],n3", hca = 2
switch s2 switches = "s1"
submit train nodes = 2, gpus = 8, priority = 3
and submit count total_gpus = 12
use n3 gpus = 1
finish train
cancel count
drain n1
resume n1
down n[2-3]
grade n1 poor
tick 90s
restart
expect train ended
expect n1 free_gpus = 8
expect train running, on = "n[1-2]", per_unit = [2], crossings = 0, spans = "pod", inside = "u"
expect count pending, reason = "free", promised = "1h", among = "n1,n2"
expect fabric planes = 1, units = 1, pods = 1, fabrics = 1
)");
  ASSERT_EQ(all.size(), 1U);
  const ScenarioCase& one = all[0];
  EXPECT_EQ(one.name, "one  of them");
  EXPECT_EQ(one.source, "a#1");
  EXPECT_EQ(one.settings.order, "sjf");
  EXPECT_TRUE(one.settings.refuse_impossible);
  ASSERT_EQ(one.nodes.size(), 2U);
  EXPECT_THAT(one.nodes[0].names, ElementsAre("n1", "n2"));
  EXPECT_EQ(one.nodes[0].kind.total.memory_mib, 1U << 20);
  EXPECT_THAT(one.nodes[1].kind.features, ElementsAre("a", "b"));
  EXPECT_EQ(one.nodes[1].place[static_cast<std::size_t>(Level::kBlock)], "k");
  ASSERT_EQ(one.switches.size(), 2U);
  EXPECT_THAT(one.switches[0].hosts, ElementsAre("n1", "n2", "n3"));
  EXPECT_EQ(one.switches[0].hca, 2U);
  ASSERT_EQ(one.steps.size(), 16U);
  EXPECT_EQ(one.steps[0].job.gang.nodes, 2U);
  EXPECT_EQ(one.steps[0].job.estimate, Duration(std::chrono::hours(1)));
  EXPECT_TRUE(one.steps[1].with_last);
  EXPECT_EQ(one.steps[1].total_gpus, 12U);
  EXPECT_EQ(one.steps[8].grade, Grade::kPoor);
  EXPECT_EQ(one.steps[9].time, Duration(std::chrono::seconds(90)));
  EXPECT_EQ(one.steps[11].expectation.phase, "ended");
  EXPECT_EQ(one.steps[12].expectation.free_gpus, 8U);
  EXPECT_EQ(one.steps[13].expectation.spans, Level::kPod);
  EXPECT_EQ(one.steps[13].line, 22U);
  EXPECT_EQ(one.steps[15].expectation.fabrics, 1U);
}

TEST(Scenario, SaysLineAndWhatIsWrong) {
  EXPECT_THAT(complaint("submitt a gpus = 1"),
              HasSubstr("x.scenario:3: unknown statement \"submitt\": did you mean submit?"));
  EXPECT_THAT(complaint("submit a gpu = 1"), StartsWith("x.scenario:3: unknown key \"gpu\""));
  EXPECT_THAT(complaint("submit a gpus = "), StartsWith("x.scenario:3: "));
  EXPECT_THAT(complaint("submit a gpus = 1 }, { gpus = 2"), HasSubstr("more than 1 jobs"));
  EXPECT_THAT(complaint("submit gpus = 1"), HasSubstr("expected one name"));
  EXPECT_THAT(complaint("submit a/b gpus = 1"), HasSubstr("is no name of a job"));
  EXPECT_THAT(complaint("use n1 nodes = 2, gpus = 1"), HasSubstr("used of each node"));
  EXPECT_THAT(complaint("expect a"), HasSubstr("expected what must be true"));
  EXPECT_THAT(complaint("expect a runing"), HasSubstr("is no state of a job"));
  EXPECT_THAT(complaint("expect a on = 3"), HasSubstr("on: expected a text"));
  EXPECT_THAT(complaint("expect a onn = \"n1\""), HasSubstr("unknown field \"onn\""));
  EXPECT_THAT(complaint("expect a per_unit = [1, -1]"), HasSubstr("per_unit: expected"));
  EXPECT_THAT(complaint("grade n1 superb"), HasSubstr("is no grade"));
  EXPECT_THAT(complaint("and tick 5s"), HasSubstr("joins events"));
  EXPECT_THAT(complaint("tick soon"), StartsWith("x.scenario:3: "));
  EXPECT_THAT(complaint("drain n[2-1]"), StartsWith("x.scenario:3: "));
  EXPECT_THAT(complaint("drain n1\nnode n2 gpus = 8"),
              HasSubstr("x.scenario:4: nodes stand before"));
  EXPECT_THAT(complaint("case c"), HasSubstr("stands above already"));
  EXPECT_THAT(complaint("drain n1\r"), HasSubstr("CR LF"));
}

TEST(Scenario, NeedsACaseFirst) {
  EXPECT_EQ(parse_scenarios("node n1 gpus = 1\n", "x").error().message,
            "x:1: expected a line \"case NAME\" before anything else");
  EXPECT_THAT(parse_scenarios("# nothing\n", "x").error().message, HasSubstr("x: no case"));
}

}  // namespace
}  // namespace weir
