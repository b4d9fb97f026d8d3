#include "report/words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/figures.hpp"
#include "report/format.hpp"
#include "report/verdict.hpp"

namespace weir::report {
namespace {

constexpr std::size_t kMostReasons = 6;

struct Word {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Word, 4> kOrders{{
    {"fifo", "Jobs start in the order they were submitted."},
    {"sjf", "The job with the shortest run time goes first."},
    {"gputime", "The job with the least run time × GPUs goes first."},
    {"priority", "By priority, which grows with age."},
}};
constexpr std::array<Word, 1> kPlacedByDomain{{
    {"weir",
     "The smallest domain that holds the job (node, unit, pod), and the tightest fit in it."},
}};
constexpr std::array<Word, 2> kPlacements{{
    {"firstfit", "The first nodes with room."},
    {"random", "Any nodes with room, drawn from the seed."},
}};
constexpr std::array<Word, 1> kFlatPlacements{{
    {"weir", "Whole nodes first, the rest of a job where it fits tightest."},
}};
constexpr std::array<Word, 2> kBackfills{{
    {"none", "Strict head of line: while the first job does not fit, nothing behind it starts."},
    {"easy", "A later job may start early where it does not delay the first one in the queue."},
}};

template <std::size_t N>
void write_known(Markup& page, const std::array<Word, N>& words, const sim::Comparison& comparison,
                 std::string sim::RunResult::* field, std::string_view prefix = "") {
  for (const Word& word : words) {
    const auto uses = [&](const sim::RunResult& run) { return run.*field == word.name; };
    if (std::none_of(comparison.runs.begin(), comparison.runs.end(), uses)) continue;
    page.element("dt", {}, fmt::format("{}{}", prefix, word.name));
    page.element("dd", {}, word.meaning);
  }
}

void write_hashes(Markup& page, const sim::Comparison& comparison) {
  page.open("details");
  page.element("summary", {}, "Journal hashes: the same input gives the same hash");
  page.open("dl", {{"class", "words"}});
  for (const sim::RunResult& run : comparison.runs) {
    page.element("dt", {}, run_name(comparison, run));
    page.open("dd");
    page.element("code", {}, run.journal_hash);
    page.close();
  }
  page.close();
  page.close();
}

}  // namespace

void write_refusals(Markup& page, const sim::Comparison& comparison) {
  const sim::RunResult& run = leading_run(comparison);
  std::map<std::string, std::size_t> counts;
  for (const sim::JobOutcome& job : run.outcomes)
    if (job.refused) ++counts[clean_text(job.refusal)];
  if (counts.empty()) return;
  std::vector<std::pair<std::string, std::size_t>> reasons(counts.begin(), counts.end());
  std::sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });

  page.open("section");
  page.element("h2", {}, "Refused jobs");
  page.element("p", {{"class", "note"}},
               fmt::format("Jobs that could never start on this pool under {}, by reason.",
                           run_name(comparison, run)));
  page.open("ul", {{"class", "reasons"}});
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i >= kMostReasons) {
      hidden += reasons[i].second;
      continue;
    }
    page.open("li");
    page.element("b", {}, with_thousands(reasons[i].second));
    page.element("span", {}, reasons[i].first);
    page.close();
  }
  if (hidden > 0) {
    page.open("li");
    page.element("b", {}, with_thousands(hidden));
    page.element("span", {}, "for other reasons: see the CSV of jobs");
    page.close();
  }
  page.close();
  page.close();
}

void write_words(Markup& page, const sim::Comparison& comparison) {
  page.open("section");
  page.element("h2", {}, "Terms");
  page.open("dl", {{"class", "words"}});
  write_known(page, kOrders, comparison, &sim::RunResult::order);
  write_known(page, has_topology(comparison) ? kPlacedByDomain : kFlatPlacements, comparison,
              &sim::RunResult::placement);
  write_known(page, kPlacements, comparison, &sim::RunResult::placement);
  write_known(page, kBackfills, comparison, &sim::RunResult::backfill, "backfill ");
  page.element("dt", {}, "GPUs busy");
  page.element("dd", {}, "GPU time in use between the first submission and the last end.");
  if (has_topology(comparison)) {
    page.element("dt", {}, "unit, pod");
    page.element("dd", {},
                 "A unit is nodes under the same leaf switches, a pod units under the "
                 "same spines.");
  }
  page.close();
  write_hashes(page, comparison);
  page.close();
}

}  // namespace weir::report
