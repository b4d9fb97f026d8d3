#include "engine_site.hpp"

#include <utility>
#include <variant>

#include "base/assert.hpp"

namespace weir::bench {
namespace {

sched::Settings settings_with(sched::Backfill backfill) {
  sched::Settings settings;
  settings.backfill = backfill;
  return settings;
}

}  // namespace

EngineSite::EngineSite(const Cluster& cluster, sched::Backfill backfill, std::uint64_t seed)
    : rng_(seed), engine_(std::move(core::Engine::make(settings_with(backfill))).value()) {
  std::vector<Event> events;
  events.emplace_back(LocalityLearned{cluster.locality});
  for (const Node& node : cluster.nodes) events.emplace_back(NodeJoined{node});
  turn(std::move(events));
}

void EngineSite::turn(std::vector<Event> events, Timings* timings) {
  now_ = now_ + std::chrono::seconds(1);
  const auto work = [&] { return engine_.turn(now_, std::move(events)); };
  const auto result = timings != nullptr ? timings->time(work) : work();
  WEIR_ASSERT(result && result->rejected.empty());
  for (const Decision& decision : result->decisions)
    if (const auto* started = std::get_if<JobStarted>(&decision)) running_.push_back(started->job);
}

void EngineSite::fill_to(double share) {
  while (load() < share && engine_.planner().pending() == 0) turn({submission()});
}

void EngineSite::queue_up(std::size_t pending, std::size_t batch) {
  while (engine_.planner().pending() < pending) turn(submissions(batch));
}

std::vector<Event> EngineSite::submissions(std::size_t jobs) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < jobs; ++i) events.push_back(submission());
  return events;
}

Event EngineSite::submission() {
  Job job = mix_.jobs()[mix_.draw(rng_)];
  job.estimate = std::chrono::seconds(300 + static_cast<std::int64_t>(rng_.below(86'100)));
  return JobSubmitted{std::move(job)};
}

Event EngineSite::end_of_any() {
  std::swap(running_[static_cast<std::size_t>(rng_.below(running_.size()))], running_.back());
  const JobId job = running_.back();
  running_.pop_back();
  return JobEnded{job};
}

double EngineSite::load() const {
  const pool::Ledger& ledger = engine_.state().pool().ledger();
  return static_cast<double>(ledger.leased_milli) / static_cast<double>(ledger.gpus * kWholeMilli);
}

}  // namespace weir::bench
