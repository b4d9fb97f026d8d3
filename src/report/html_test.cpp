#include "report/html.hpp"

#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page_style.hpp"
#include "report/test_sample.hpp"

namespace weir::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::sample;
using testing::without_topology;

// The first thing that is not well-formed: tags that do not match, "<" or "&" that begin nothing.
std::optional<std::string> fault(std::string_view page) {
  std::vector<std::string> open;
  page.remove_prefix(page.find('>') + 1);  // the document type
  for (std::size_t at = page.find_first_of("<&"); at != std::string_view::npos;
       at = page.find_first_of("<&", at + 1)) {
    const std::string near(page.substr(at, 60));
    if (page[at] == '&') {
      if (page.substr(at, 8).find(';') == std::string_view::npos) return "entity: " + near;
      continue;
    }
    const std::size_t end = page.find('>', at);
    if (end == std::string_view::npos) return "no end: " + near;
    const std::string_view tag = page.substr(at + 1, end - at - 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closes nothing: " + near;
      open.pop_back();
    } else if (tag.empty() || std::isalpha(static_cast<unsigned char>(tag[0])) == 0) {
      return "no tag: " + near;
    } else if (!tag.ends_with('/')) {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
  }
  if (!open.empty()) return "left open: " + open.back();
  return std::nullopt;
}

TEST(Html, IsWellFormed) {
  EXPECT_EQ(fault(comparison_html(sample())), std::nullopt);
  EXPECT_EQ(fault(comparison_html(without_topology(sample()))), std::nullopt);
  EXPECT_EQ(fault(comparison_html({})), std::nullopt);
  EXPECT_NE(fault("<!DOCTYPE html><p><b></p></b>"), std::nullopt);
  EXPECT_NE(fault("<!DOCTYPE html><p>a < b</p>"), std::nullopt);
}

TEST(Html, HasEveryChart) {
  const std::string page = comparison_html(sample());
  for (const char* part : {"sjf finishes jobs", "Results", "GPUs busy, % of the pool",
                           "Jobs waiting", "Wait by job size", "Jobs over several units and pods",
                           "GPUs by unit over time", "Journal hashes"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(Html, WithoutTopologyHasNoUnitChart) {
  const std::string page = comparison_html(without_topology(sample()));
  EXPECT_THAT(page, Not(HasSubstr("GPUs by unit")));
  EXPECT_THAT(page, Not(HasSubstr("several units")));
  EXPECT_THAT(page, Not(HasSubstr("class=\"cells")));
  EXPECT_THAT(page, HasSubstr("Wait by job size"));
}

TEST(Html, NamesCannotBecomeMarkup) {
  auto comparison = sample();
  const std::string evil = "<script>alert('x')</script>\"&";
  comparison.pool = comparison.trace = evil;
  comparison.units[0] = {evil, evil, 8};
  for (auto& run : comparison.runs) {
    run.order += evil;
    run.placement += evil;
    run.backfill = run.journal_hash = evil;
    run.refused = 1;
    run.outcomes.push_back(testing::outcome(4, 0, 0, 1));
    run.outcomes.back().refused = true;
    run.outcomes.back().refusal = evil;
  }
  const std::string page = comparison_html(comparison);
  EXPECT_EQ(fault(page), std::nullopt);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&#39;x&#39;)"));
  EXPECT_THAT(page, HasSubstr("Refused jobs"));
}

TEST(Html, LoadsNothing) {
  const std::string page = comparison_html(sample());
  for (const char* way : {"http:", "https:", "src=", "url(", "@import", "<link", "href="})
    EXPECT_THAT(page, Not(HasSubstr(way)));
  EXPECT_THAT(page, HasSubstr("default-src &#39;none&#39;"));
}

TEST(Html, StaysSmallForLongRuns) {
  auto comparison = sample();
  comparison.units.clear();
  for (int unit = 0; unit < 820; ++unit)
    comparison.units.push_back(
        {"unit " + std::to_string(unit), "pod " + std::to_string(unit / 90), 160});
  comparison.runs.clear();
  for (const char* order : {"fifo", "sjf", "gputime"})
    for (const char* placement : {"weir", "firstfit", "random"}) {
      auto run = testing::run(order, placement, 1000, 0.1);
      run.series.busy_gpus.clear();
      run.series.queued_jobs.clear();
      for (std::size_t i = 0; i < 5000; ++i) {
        run.series.busy_gpus.push_back(static_cast<double>(i * 7919 % 16));
        run.series.queued_jobs.push_back(static_cast<double>(i * 104729 % 5000));
      }
      run.series.busy_gpus_by_unit.assign(comparison.units.size(), {});
      for (std::size_t unit = 0; unit < comparison.units.size(); ++unit)
        for (std::size_t i = 0; i < 200; ++i)
          run.series.busy_gpus_by_unit[unit].push_back(
              static_cast<double>((i * 7919 + unit / 13 * 31337) % 161));
      comparison.runs.push_back(std::move(run));
    }
  EXPECT_LT(comparison_html(comparison).size(), 600'000U);
}

TEST(Html, NothingWaited) {
  auto comparison = sample();
  for (auto& run : comparison.runs) {
    run.series.queued_jobs.assign(3, 0);
    for (auto& job : run.outcomes) job.start = job.submit;
  }
  const std::string page = comparison_html(comparison);
  EXPECT_THAT(page, HasSubstr("No job waited."));
  EXPECT_THAT(page, HasSubstr("start within a second"));
}

TEST(Script, IsFreeOfMarkup) {
  EXPECT_EQ(kScript.find_first_of("<&"), std::string_view::npos);
  EXPECT_EQ(style_sheet().find_first_of("<&"), std::string::npos);
}

}  // namespace
}  // namespace weir::report
