// Published and twice-computed figures of replays of public logs, to the decimal.
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/philly.hpp"
#include "formats/venus.hpp"
#include "os/lines.hpp"
#include "sim/simulation.hpp"
#include "support/data.hpp"

namespace weir {
namespace {

struct Case {
  std::string_view vc;  // of Venus; empty: Philly, October and November 2017
  std::uint32_t nodes;
  std::string_view order;
  std::int64_t round_s;
  std::string_view completion;
  std::string_view wait;  // empty: not known
};

std::string one_decimal(double value) { return fmt::format("{:.1f}", value); }

template <typename Reader>
Result<Trace> read(const std::filesystem::path& path, TraceFilter filter) {
  Reader reader(std::move(filter));
  const Status read = os::for_each_line(
      path, [&](std::string_view line, std::size_t number) { return reader.line(line, number); });
  if (!read) return std::unexpected(read.error());
  return reader.finish();
}

Result<Trace> trace_of(std::string_view vc) {
  if (!vc.empty())
    return read<VenusReader>(testing::data_file("traces/helios-2020/venus_2vc_sept_jobs.csv"),
                             {std::string(vc), {}, {}});
  return read<PhillyReader>(testing::data_file("traces/philly-2017/philly_jobs.csv.gz"),
                            {"", *parse_instant("2017-10-01"), *parse_instant("2017-12-01")});
}

class ReplayFigures : public ::testing::TestWithParam<Case> {};

TEST_P(ReplayFigures, EqualTheGoldenVectors) {
  WEIR_REQUIRE_DATA(testing::data_file("traces"));
  const Case& expected = GetParam();
  const auto trace = trace_of(expected.vc);
  ASSERT_TRUE(trace) << trace.error().message;
  sim::SimulationOptions options;
  options.settings.order = expected.order;
  options.round = Duration(expected.round_s * 1'000'000);
  const auto result = sim::simulate(sim::flat_pool(expected.nodes, 8), *trace, options);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->jobs, trace->size());
  EXPECT_EQ(one_decimal(result->completion.mean), expected.completion);
  if (!expected.wait.empty()) {
    EXPECT_EQ(one_decimal(result->wait.mean), expected.wait);
  }
}

// Notes on traces, 2.2: computed there by two independent programs; the figures in rounds of 60 s
// equal fleetsim's.
INSTANTIATE_TEST_SUITE_P(Venus, ReplayFigures,
                         ::testing::Values(Case{"vcvGl", 20, "fifo", 0, "18497.0", "13891.1"},
                                           Case{"vcvGl", 20, "sjf", 0, "5302.7", "696.8"},
                                           Case{"vcvGl", 20, "gputime", 0, "4822.0", "216.1"},
                                           Case{"vcvGl", 20, "gpus", 0, "4818.0", "212.1"},
                                           Case{"vcvlY", 2, "fifo", 0, "9667.0", "360.4"},
                                           Case{"vcvlY", 2, "sjf", 0, "9667.0", "360.4"},
                                           Case{"vcvlY", 2, "gputime", 0, "9667.0", "360.4"},
                                           Case{"vcvGl", 20, "fifo", 1, "18497.0", "13891.1"},
                                           Case{"vcvGl", 20, "fifo", 10, "19493.3", ""},
                                           Case{"vcvGl", 20, "fifo", 30, "25115.2", ""},
                                           Case{"vcvGl", 20, "fifo", 60, "33945.2", ""},
                                           Case{"vcvGl", 20, "sjf", 10, "6312.4", ""},
                                           Case{"vcvGl", 20, "sjf", 30, "7401.8", ""},
                                           Case{"vcvGl", 20, "sjf", 60, "10563.8", ""}));

INSTANTIATE_TEST_SUITE_P(Philly, ReplayFigures,
                         ::testing::Values(Case{"", 48, "fifo", 0, "1093428.8", ""},
                                           Case{"", 48, "sjf", 0, "30581.3", ""},
                                           Case{"", 48, "gputime", 0, "24340.4", ""},
                                           Case{"", 64, "fifo", 0, "313915.2", ""},
                                           Case{"", 64, "sjf", 0, "18386.2", ""},
                                           Case{"", 64, "gputime", 0, "16535.4", ""},
                                           Case{"", 64, "gpus", 0, "24592.2", ""},
                                           Case{"", 96, "fifo", 0, "12439.4", ""},
                                           Case{"", 96, "sjf", 0, "11750.5", ""},
                                           Case{"", 96, "gputime", 0, "11714.6", ""}));

}  // namespace
}  // namespace weir
