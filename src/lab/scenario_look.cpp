#include "lab/scenario_look.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace weir::lab {
namespace {

class Look {
 public:
  Look(const ScenarioWorld& world, const Expectation& expectation)
      : world_(world), expected_(expectation) {}

  Result<std::vector<Difference>> all() {
    const std::string& subject = expected_.subject;
    if (subject == "fabric") {
      WEIR_TRY(look_at_fabric());
    } else if (const auto job = world_.jobs.find(subject); job != world_.jobs.end()) {
      WEIR_TRY(look_at_job(job->second));
    } else if (const auto node = world_.nodes.find(subject); node != world_.nodes.end()) {
      compare("free_gpus", expected_.free_gpus, world_.state.pool().node(node->second).free.gpus);
    } else {
      return bad_input(fmt::format("there is no job and no node {}", quoted(subject)));
    }
    return std::move(differences_);
  }

 private:
  template <typename T>
  void compare(std::string_view what, const std::optional<T>& expected, const T& found) {
    if (expected && *expected != found) differ(what, to_words(*expected), to_words(found));
  }
  void differ(std::string_view what, std::string expected, std::string found) {
    differences_.push_back({std::string(what), std::move(expected), std::move(found)});
  }

  static std::string to_words(std::uint32_t number) { return fmt::format("{}", number); }
  static std::string to_words(const std::string& text) { return text; }
  static std::string to_words(Level level) { return std::string(to_text(level)); }
  static std::string to_words(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ","));
  }
  static std::string to_words(const std::vector<std::uint32_t>& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
  }

  Status look_at_fabric() {
    if (world_.view == nullptr)
      return bad_input("the case has no switches, so there is no fabric to look at");
    const fabric::SiteView& view = *world_.view;
    compare("planes", expected_.planes, static_cast<std::uint32_t>(view.planes.size()));
    compare("units", expected_.units, static_cast<std::uint32_t>(view.units.size()));
    compare("pods", expected_.pods, static_cast<std::uint32_t>(view.pods.size()));
    compare("fabrics", expected_.fabrics, static_cast<std::uint32_t>(view.fabrics.size()));
    return {};
  }

  Status look_at_job(const ScenarioJob& job) {
    compare("phase", expected_.phase, job.phase);
    const state::JobRecord* record = world_.state.find(job.id);
    if (expected_.reason) look_at_reason(job);
    if (expected_.promised) look_at_promise(record);
    const bool asks_where =
        expected_.on || expected_.among || expected_.inside || expected_.spans ||
        expected_.crossings ||
        std::ranges::any_of(expected_.per, [](const auto& one) { return one.has_value(); });
    if (!asks_where) return {};
    if (record == nullptr || record->phase != state::JobPhase::kRunning) {
      differ("place", "a running job", job.phase);
      return {};
    }
    return look_at_place(record->lease);
  }

  void look_at_reason(const ScenarioJob& job) {
    const Reason reason =
        job.phase == "refused" ? job.refusal : world_.planner.explain(world_.state, job.id);
    const std::string words = sentence(reason);
    if (!words.contains(*expected_.reason))
      differ("reason", "… " + *expected_.reason + " …", words.empty() ? "none" : words);
  }

  void look_at_promise(const state::JobRecord* record) {
    const Instant at = record != nullptr ? record->promised : Instant::far_future();
    if (at == kScenarioBegin + *expected_.promised) return;
    differ("promised", format_duration(*expected_.promised),
           at == Instant::far_future() ? "no start" : format_duration(at - kScenarioBegin));
  }

  Status look_at_place(const Lease& lease) {
    const pool::Pool& pool = world_.state.pool();
    std::vector<std::string> on;
    for (const LeasePart& part : lease.parts) on.push_back(pool.node(part.node).name);
    compare("on", expected_.on, on);
    compare("spans", expected_.spans, lease.spans);
    if (expected_.among)
      for (const std::string& name : on)
        if (std::ranges::find(*expected_.among, name) == expected_.among->end()) {
          differ("among", to_words(*expected_.among), to_words(on));
          break;
        }
    for (std::uint32_t i = 0; i < kLevels; ++i)
      if (expected_.per[i]) WEIR_TRY(look_at_level(lease, static_cast<Level>(i)));
    if (expected_.inside) WEIR_TRY(look_inside(lease, on));
    compare("crossings", expected_.crossings, crossings(lease));
    return {};
  }

  // The domain of a node at `depth`, by the pool's own tree.
  [[nodiscard]] DomainId domain(NodeId node, std::size_t depth) const {
    const pool::FreeCapacityIndex& index = world_.state.pool().free();
    return index.ancestor(world_.state.pool().node(node).cell, depth);
  }

  Status look_at_level(const Lease& lease, Level level) {
    const pool::FreeCapacityIndex& index = world_.state.pool().free();
    const std::size_t depth = index.depth_of(level);
    if (depth == index.levels())
      return bad_input(fmt::format("the case has no domains of level {}", to_text(level)));
    std::vector<DomainId> met;
    std::vector<std::uint32_t> nodes;
    for (const LeasePart& part : lease.parts) {
      const DomainId one = domain(part.node, depth);
      const auto found = std::ranges::find(met, one);
      if (found == met.end()) {
        met.push_back(one);
        nodes.push_back(1);
      } else {
        ++nodes[static_cast<std::size_t>(found - met.begin())];
      }
    }
    compare(fmt::format("per_{}", to_text(level)), expected_.per[static_cast<std::size_t>(level)],
            nodes);
    return {};
  }

  Status look_inside(const Lease& lease, const std::vector<std::string>& on) {
    const std::vector<LevelTable>& levels = world_.state.pool().locality().levels;
    for (std::size_t depth = 0; depth < levels.size(); ++depth)
      for (std::uint32_t d = 0; d < levels[depth].domains.size(); ++d) {
        if (levels[depth].domains[d].name != *expected_.inside) continue;
        const bool all = std::ranges::all_of(lease.parts, [&](const LeasePart& part) {
          return domain(part.node, depth) == DomainId(d);
        });
        if (!all) differ("inside", *expected_.inside, to_words(on));
        return {};
      }
    return bad_input(fmt::format("no domain is named {}", quoted(*expected_.inside)));
  }

  // A ring in order of rank: how many of its steps go from one cell to another.
  [[nodiscard]] std::uint32_t crossings(const Lease& lease) const {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < lease.parts.size(); ++i) {
      const LeasePart& next = lease.parts[(i + 1) % lease.parts.size()];
      if (domain(lease.parts[i].node, 0) != domain(next.node, 0)) ++count;
    }
    return count;
  }

  const ScenarioWorld& world_;
  const Expectation& expected_;
  std::vector<Difference> differences_;
};

}  // namespace

Result<std::vector<Difference>> look(const ScenarioWorld& world, const Expectation& expectation) {
  return Look(world, expectation).all();
}

}  // namespace weir::lab
