// The figures that other programs computed from the same files (shared/notes/traces-and-papers.md
// 1.1 and 2.2), so that a reader that drops or bends a row shows.
#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "formats/philly.hpp"
#include "formats/venus.hpp"
#include "os/lines.hpp"
#include "support/data.hpp"

namespace weir {
namespace {

template <typename Reader>
Trace read(const std::filesystem::path& path, const TraceFilter& filter) {
  Reader reader(filter);
  const Status status = os::for_each_line(
      path, [&](std::string_view line, std::size_t number) { return reader.line(line, number); });
  EXPECT_TRUE(status) << status.error().message;
  auto trace = reader.finish();
  EXPECT_TRUE(trace) << trace.error().message;
  return *std::move(trace);
}

class PhillyLog : public ::testing::Test {
 protected:
  void SetUp() override { WEIR_REQUIRE_DATA(path_); }
  std::filesystem::path path_ = weir::testing::data_file("traces/philly-2017/philly_jobs.csv.gz");
};

class VenusLog : public ::testing::Test {
 protected:
  void SetUp() override { WEIR_REQUIRE_DATA(path_); }
  std::filesystem::path path_ =
      weir::testing::data_file("traces/helios-2020/venus_2vc_sept_jobs.csv");
};

TEST_F(PhillyLog, HasTheJobsGpuHoursAndVcsOfItsReadme) {
  const Trace jobs = read<PhillyReader>(path_, {});
  ASSERT_EQ(jobs.size(), 82'247U);
  std::int64_t gpu_microseconds = 0;
  std::map<std::string, int> vcs;
  std::uint64_t most = 0;
  for (const TraceJob& job : jobs) {
    gpu_microseconds += job.runtime.count() * static_cast<std::int64_t>(job.gpus);
    ++vcs[job.vc];
    most = std::max(most, job.gpus);
  }
  EXPECT_EQ(gpu_microseconds / 3'600'000'000, 978'078);
  EXPECT_EQ(vcs.size(), 15U);
  EXPECT_EQ(most, 128U);
  EXPECT_EQ(jobs.front().submit, *parse_instant("2017-10-09 07:01:55"));
  EXPECT_EQ(jobs[2].runtime, Duration(860'662'000'000));
}

TEST_F(PhillyLog, OctoberAndNovemberAre68510Jobs) {
  TraceFilter filter;
  filter.from = *parse_instant("2017-10-01");
  filter.to = *parse_instant("2017-12-01");
  EXPECT_EQ(read<PhillyReader>(path_, filter).size(), 68'510U);
}

TEST_F(VenusLog, HasTheJobsOfItsTwoVcs) {
  EXPECT_EQ(read<VenusReader>(path_, {}).size(), 1'867U);
  TraceFilter filter;
  filter.vc = "vcvGl";
  EXPECT_EQ(read<VenusReader>(path_, filter).size(), 1'452U);
  filter.vc = "vcvlY";
  EXPECT_EQ(read<VenusReader>(path_, filter).size(), 415U);
}

}  // namespace
}  // namespace weir
