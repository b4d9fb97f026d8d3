// The live pool as its users meet it.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "live/site_of_processes.hpp"

namespace weir::testing {
namespace {

using ::testing::HasSubstr;

TEST(Live, RanksOfAGangMeetAndExchangeNumbers) {
  SiteOfProcesses site(4);
  ASSERT_TRUE(site.wait_for_nodes(4));
  const std::uint64_t wide = site.submit(WEIR_MEET, R"("nodes":4,"gpus":8)");
  ASSERT_NE(wide, 0U);
  ASSERT_TRUE(site.wait_for_state(wide, "COMPLETED")) << site.field(wide, "why");
  EXPECT_EQ(site.field(wide, "node_list"), "n[1-4]");
  // The same, unchanged, on one node with four tasks.
  const std::uint64_t narrow = site.submit(WEIR_MEET, R"("nodes":1,"gpus":8,"tasks_per_node":4)");
  ASSERT_TRUE(site.wait_for_state(narrow, "COMPLETED")) << site.field(narrow, "why");
  const auto log = site.ask("GET", "/v1/jobs/" + std::to_string(wide) + "/logs?rank=3");
  ASSERT_TRUE(log);
  EXPECT_EQ(*log, "rank 3 of 4: sum 6\n");
}

TEST(Live, JobsEndAsTheirTasksDo) {
  SiteOfProcesses site(1);
  ASSERT_TRUE(site.wait_for_nodes(1));
  const std::uint64_t bad = site.submit("exit 3");
  const std::uint64_t slow = site.submit("sleep 100", R"("time":"1s","grace":"1s")");
  const std::uint64_t cancelled = site.submit("sleep 100");
  const std::uint64_t nowhere = site.submit("true", R"("output":"/no/such/folder/out")");
  EXPECT_TRUE(site.wait_for_state(bad, "FAILED"));
  EXPECT_EQ(site.field(bad, "why"), "task 0 exited with status 3");
  ASSERT_TRUE(site.wait_for_state(cancelled, "RUNNING"));
  EXPECT_TRUE(site.ask("POST", "/v1/jobs/" + std::to_string(cancelled) + "/cancel"));
  EXPECT_TRUE(site.wait_for_state(cancelled, "CANCELLED"));
  EXPECT_TRUE(site.wait_for_state(slow, "TIMEOUT"));
  EXPECT_TRUE(site.wait_for_state(nowhere, "FAILED"));
  EXPECT_THAT(site.field(nowhere, "why"), HasSubstr("could not be started anywhere"));
  EXPECT_TRUE(site.wait_for([&] { return site.stepds() == 0; })) << "no process is left";
}

TEST(Live, TasksOutliveControllerAndAgent) {
  SiteOfProcesses site(1);
  ASSERT_TRUE(site.wait_for_nodes(1));
  const std::uint64_t job = site.submit("sleep 3; echo done");
  ASSERT_TRUE(site.wait_for_state(job, "RUNNING"));
  site.kill_controller();
  site.kill_agent(1);
  EXPECT_EQ(site.stepds(), 1U);
  site.start_controller();
  site.start_agent(1);
  EXPECT_TRUE(site.wait_for_state(job, "COMPLETED")) << site.field(job, "why");
}

TEST(Live, AGangWhoseNodeIsLostRunsAgainElsewhere) {
  SiteOfProcesses site(4);
  ASSERT_TRUE(site.wait_for_nodes(4));
  const std::uint64_t job =
      site.submit("sleep 2", R"("nodes":2,"gpus":8,"on_partition":"end","retries":{"count":1})");
  ASSERT_TRUE(site.wait_for_state(job, "RUNNING"));
  ASSERT_EQ(site.field(job, "node_list"), "n[1-2]");
  site.kill_agent(1);
  site.kill_stepds(1);
  EXPECT_TRUE(site.wait_for([&] { return site.field(job, "node_list") == "n[2-3]"; }))
      << site.field(job, "why") << " on " << site.field(job, "node_list");
  EXPECT_TRUE(site.wait_for_state(job, "COMPLETED")) << site.field(job, "why");
}

}  // namespace
}  // namespace weir::testing
