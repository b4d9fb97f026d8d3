// Nothing acknowledged is lost, nothing runs twice, nothing is left behind, whoever is killed when.
#include <cstdlib>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/rng.hpp"
#include "live/site_of_processes.hpp"

namespace weir::testing {
namespace {

int rounds() {
  const char* text = std::getenv("WEIR_KILL_ROUNDS");
  return text == nullptr ? 12 : std::atoi(text);
}

class Durability : public ::testing::Test {
 protected:
  Durability() : site(3) {
    marks = site.folder() / "marks";
    std::filesystem::create_directory(marks);
    ::chmod(marks.c_str(), 0777);
  }

  // Each run of a job adds a line to its mark; one that ends well adds another.
  void submit() {
    const std::string name = fmt::format("m{}", ++submissions);
    const std::string mark = (marks / name).string();
    const std::uint64_t job = site.submit(
        fmt::format("echo start >> {0}; sleep 0.{1}; echo end >> {0}", mark, submissions % 4),
        fmt::format(R"("name":"{}","gpus":1,"retries":{{"count":0}})", name));
    if (job != 0) acknowledged.emplace(job, name);
  }
  [[nodiscard]] std::pair<int, int> marks_of(const std::string& name) const {
    std::ifstream file(marks / name);
    std::pair<int, int> count;
    for (std::string line; std::getline(file, line);)
      ++(line == "start" ? count.first : count.second);
    return count;
  }
  void kill_somebody(Rng& rng) {
    const auto node = static_cast<std::uint32_t>(1 + rng.below(3));
    switch (rng.below(4)) {
      case 0:
      case 1:
        site.kill_controller();
        site.start_controller();
        return;
      case 2:
        site.kill_agent(node);
        site.start_agent(node);
        return;
      default: site.kill_stepds(node, false);
    }
  }
  void check() {
    std::map<std::string, int> by_state;
    for (const auto& [job, name] : acknowledged) {
      const std::string state = site.field(job, "state");
      EXPECT_EQ(site.field(job, "name"), name) << "job " << job;
      ++by_state[state];
      const auto [starts, ends] = marks_of(name);
      EXPECT_LE(starts, 1) << "job " << job << " was started more than once";
      if (state == "COMPLETED") {
        EXPECT_EQ(ends, 1) << "job " << job << " is told to have ended well";
      } else {
        EXPECT_TRUE(state == "UNKNOWN" || state == "FAILED")
            << "job " << job << " is " << state << ": " << site.field(job, "why");
        if (state == "FAILED") {
          EXPECT_EQ(starts, 0) << site.field(job, "why");
        }
      }
    }
    for (const auto& [state, count] : by_state) fmt::print("{:>6} {}\n", count, state);
  }

  SiteOfProcesses site;
  std::filesystem::path marks;
  int submissions = 0;
  std::map<std::uint64_t, std::string> acknowledged;
};

TEST_F(Durability, NothingAcknowledgedIsLostAndNothingRunsTwice) {
  ASSERT_TRUE(site.wait_for_nodes(3));
  Rng rng(1);
  for (int round = 0; round < rounds(); ++round) {
    for (std::uint64_t i = 5 + rng.below(15); i > 0; --i) submit();
    kill_somebody(rng);
  }
  EXPECT_GT(acknowledged.size(), static_cast<std::size_t>(rounds()) * 4);
  ASSERT_TRUE(site.wait_for(
      [&] {
        return site.ask("GET", "/v1/jobs").value_or("\"id\":").find("\"id\":") == std::string::npos;
      },
      120))
      << site.ask("GET", "/v1/jobs").value_or("no answer");
  check();
  EXPECT_TRUE(site.wait_for([&] { return site.stepds() == 0; })) << "processes are left";
  EXPECT_TRUE(site.wait_for([&] { return site.steps_kept() == 0; }))
      << site.steps_kept() << " folders are left";
}

}  // namespace
}  // namespace weir::testing
