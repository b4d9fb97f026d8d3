#include "lab/scenario_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::lab {
namespace {

using ::testing::HasSubstr;

ScenarioCase parse(const std::string& text) {
  auto cases = parse_scenarios(text, "x.scenario");
  EXPECT_TRUE(cases) << (cases ? "" : cases.error().message);
  return std::move(cases->at(0));
}

// Two units of two nodes each.
ScenarioResult run_in_site(const std::string& steps) {
  return run(parse(
      "case c\nnode a[1-2] gpus = 8, unit = \"A\"\nnode b[1-2] gpus = 8, unit = \"B\"\n" + steps));
}

// The one thing that is wrong.
ScenarioFailure failure(const std::string& steps) {
  const ScenarioResult result = run_in_site(steps);
  EXPECT_EQ(result.failures.size(), 1U);
  return result.failures.empty() ? ScenarioFailure{} : result.failures[0];
}

TEST(ScenarioRun, PassesWhatIsTrue) {
  const ScenarioResult result = run_in_site(R"(submit t nodes = 2, gpus = 8
expect t running, on = "a[1-2]", spans = "unit", crossings = 0, per_unit = [2], inside = "A"
submit u nodes = 3, gpus = 8
expect u pending, reason = "2"
restart
expect t running
finish t
expect t ended
expect u running, among = "a[1-2],b[1-2]", crossings = 2
expect b2 free_gpus = 8
cancel u
expect u cancelled
drain a1
submit v nodes = 4, gpus = 8
expect v pending
resume a1
expect v running)");
  EXPECT_TRUE(result.failures.empty()) << result.failures[0].what;
  EXPECT_EQ(result.expectations, 9U);
  EXPECT_EQ(result.restarts, 1U);
}

TEST(ScenarioRun, TellsWhatDiffers) {
  const ScenarioFailure on = failure("submit t nodes = 2, gpus = 8\nexpect t on = \"a1,b1\"");
  EXPECT_EQ(on.line, 5U);
  EXPECT_EQ(on.what, "on");
  EXPECT_EQ(on.expected, "a1,b1");
  EXPECT_EQ(on.found, "a1,a2");
  EXPECT_EQ(failure("submit t gpus = 8\nexpect t pending").found, "running");
  EXPECT_EQ(failure("submit t nodes = 3, gpus = 8\nexpect t per_unit = [3]").found, "[2, 1]");
  EXPECT_EQ(failure("submit t nodes = 3, gpus = 8\nexpect t crossings = 0").found, "2");
  EXPECT_EQ(failure("submit t nodes = 3, gpus = 8\nexpect t inside = \"A\"").found, "a1,a2,b1");
  EXPECT_EQ(failure("submit t nodes = 5, gpus = 8\nexpect t on = \"a1\"").found, "pending");
  EXPECT_THAT(failure("submit t nodes = 5, gpus = 8\nexpect t reason = \"moon\"").found,
              HasSubstr("5 nodes"));
  EXPECT_EQ(failure("expect a1 free_gpus = 7").found, "8");
}

TEST(ScenarioRun, TellsWhatCannotBeDone) {
  EXPECT_EQ(failure("finish t").what, "no job \"t\" was submitted above");
  EXPECT_EQ(failure("drain c1").what, "the case has no node \"c1\"");
  EXPECT_EQ(failure("expect t running").what, "there is no job and no node \"t\"");
  EXPECT_THAT(failure("submit t gpus = 1\nsubmit t gpus = 1").what, HasSubstr("already"));
  EXPECT_THAT(failure("use a1 gpus = 9").what, HasSubstr("not that much free"));
  EXPECT_THAT(failure("expect fabric units = 2").what, HasSubstr("no switches"));
  EXPECT_THAT(failure("submit t gpus = 1\nexpect t inside = \"C\"").what,
              HasSubstr("no domain is named"));
  EXPECT_THAT(failure("submit t gpus = 1\nexpect t per_block = [1]").what,
              HasSubstr("no domains of level block"));
}

TEST(ScenarioRun, RefusesASiteThatCannotBe) {
  const auto what = [](const std::string& text) { return run(parse(text)).failures.at(0).what; };
  EXPECT_THAT(what("case c\ntick 1s"), HasSubstr("line 1: the case has no node"));
  EXPECT_THAT(what("case c\nnode n1 gpus = 1\nnode n1 gpus = 1"), HasSubstr("line 3: a node"));
  EXPECT_THAT(what("case c\nnode n1 gpus = 1\nswitch s switches = \"t\""),
              HasSubstr("line 3: no switch \"t\" stands above"));
  EXPECT_THAT(what("case c\nnode n1 gpus = 1\nswitch s hosts = \"n2\""),
              HasSubstr("line 2: node \"n1\" is no compute node"));
  EXPECT_THAT(what("case c\nset order = \"lifo\"\nnode n1 gpus = 1"), HasSubstr("lifo"));
  EXPECT_THAT(what("case c\nset backfill = \"hard\"\nnode n1 gpus = 1"), HasSubstr("none or easy"));
}

TEST(ScenarioRun, BackfillKeepsItsPromise) {
  const ScenarioResult result = run(parse(R"(case c
set backfill = "easy"
node n[1-2] gpus = 8
submit long gpus = 8, estimate = "2h"
submit wide nodes = 2, gpus = 8
expect wide pending, promised = "2h"
submit short gpus = 8, estimate = "1h"
expect short running
submit late gpus = 8, estimate = "3h"
expect late pending
)"));
  EXPECT_TRUE(result.failures.empty()) << result.failures[0].what << result.failures[0].found;
}

}  // namespace
}  // namespace weir::lab
