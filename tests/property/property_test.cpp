// Thousands of random clusters, constraints and job streams against the slow model (README.md).
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "property/stream.hpp"

namespace weir::property {
namespace {

constexpr std::uint64_t kDefaultRuns = 3000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string once_more(std::uint64_t seed) {
  return fmt::format("once more: WEIR_PROPERTY_SEED={} WEIR_PROPERTY_RUNS=1 {}\n", seed,
                     program_invocation_name);
}

// What to print if an assertion of the program aborts in the middle of a case.
char when_aborted[4096];

void print_seed(int /*signal*/) {
  std::size_t length = 0;
  while (when_aborted[length] != '\0') ++length;
  static_cast<void>(!::write(STDERR_FILENO, when_aborted, length));
}

void remember(const std::string& text) {
  const std::size_t length = text.copy(when_aborted, sizeof(when_aborted) - 1);
  when_aborted[length] = '\0';
}

std::string told(const Counts& counts) {
  const slow::Tally& tally = counts.tally;
  return fmt::format(
      "{} cases, {} nodes, {} turns, {} events rejected; {} starts ({} over several cells, {} in "
      "segments, {} exclusive, {} with a tail, {} of a share), {} refusals; {} promises, {} kept "
      "in view, {} jobs "
      "backfilled before one and {} beside; {} gangs put to every placer, {} steps in trials\n",
      counts.cases, counts.nodes, counts.turns, counts.rejected, tally.started,
      tally.several_domains, tally.segmented, tally.exclusive, tally.tails, tally.shares,
      tally.refused, tally.promised, tally.promises_kept_in_view, tally.backfilled_before,
      tally.backfilled_beside, counts.probes, counts.trial_steps);
}

TEST(Property, CoreAgreesWithTheSlowModel) {
  const std::uint64_t first = from_environment("WEIR_PROPERTY_SEED", 1);
  const std::uint64_t runs = from_environment("WEIR_PROPERTY_RUNS", kDefaultRuns);
  std::signal(SIGABRT, print_seed);
  Counts counts;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    remember(once_more(seed));
    const Status held = run_case(seed, counts);
    ASSERT_TRUE(held) << "property violated: " << held.error().message << "\n" << once_more(seed);
  }
  std::fputs(told(counts).c_str(), stdout);
  if (runs < 1000) return;
  // A test that never comes by its rare branches shows nothing.
  const slow::Tally& tally = counts.tally;
  for (const std::uint64_t count :
       {counts.rejected, tally.started, tally.refused, tally.promised, tally.promises_kept_in_view,
        tally.backfilled_before, tally.backfilled_beside, tally.several_domains, tally.segmented,
        tally.exclusive, tally.tails, tally.shares, counts.probes, counts.trial_steps})
    EXPECT_GE(count, 100U);
}

}  // namespace
}  // namespace weir::property
