// For tests of the core: an engine whose journal is kept as bytes, and short runs of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "core/engine.hpp"
#include "support/site.hpp"

namespace weir::core::testing {

using weir::testing::at_second;
using weir::testing::even_site;
using weir::testing::gang_job;
using weir::testing::seconds_long;
using weir::testing::units_of;

using Bytes = std::vector<std::uint8_t>;

inline Bytes state_bytes(const state::State& state) {
  ByteWriter out;
  state.encode(out);
  return {out.bytes().begin(), out.bytes().end()};
}

class Recorder {
 public:
  explicit Recorder(const sched::Settings& settings = {})
      : engine(*Engine::make(settings, [this](ByteSpan frame) -> Status {
          frame_ends.push_back(bytes.size() + frame.size());
          bytes.insert(bytes.end(), frame.begin(), frame.end());
          return {};
        })) {}
  // The sink writes into this object.
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  TurnResult turn(std::int64_t second, std::vector<Event> events) {
    auto result = engine.turn(at_second(second), std::move(events));
    EXPECT_TRUE(result);
    return std::move(*result);
  }

  Bytes bytes;                          // the journal
  std::vector<std::size_t> frame_ends;  // where each record ends in it
  Engine engine;
};

// Four nodes; a job that runs, one that waits, one cancelled, one refused: every kind of event and
// decision in five turns.
inline void small_run(Recorder& recorder) {
  recorder.turn(0, weir::testing::events_of(units_of({2, 2})));
  Job wishes = gang_job(2, 4, seconds_long(50));
  wishes.name = "train";
  wishes.user = "ada";
  wishes.priority = -3;
  wishes.wish.prefer = Level::kUnit;
  recorder.turn(1, {JobSubmitted{gang_job(3, 8, seconds_long(100))},
                    JobSubmitted{gang_job(4, 8, seconds_long(10))}, JobSubmitted{wishes},
                    JobSubmitted{gang_job(9, 8)}});
  recorder.turn(2, {NodeGraded{NodeId(3), Grade::kWatch},
                    NodeAvailabilityChanged{NodeId(3), Availability::kDrained}});
  recorder.turn(3, {JobCancelled{JobId(3)}, NodeAvailabilityChanged{NodeId(3), Availability::kUp}});
  recorder.turn(101, {JobEnded{JobId(1)}});
}

// A busy site for some hundred turns, at random: submissions, ends, cancellations, grades, drains.
inline void busy_run(Recorder& recorder, std::uint64_t seed, int turns = 150) {
  Rng rng(seed);
  const auto draw = [&](std::uint64_t bound) {
    return static_cast<std::uint32_t>(rng.below(bound));
  };
  recorder.turn(0, weir::testing::events_of(even_site(1, 2, 2, 3)));
  std::vector<JobId> running;
  for (int second = 1; second <= turns; ++second) {
    std::vector<Event> events;
    if (!running.empty() && draw(2) == 0) {
      const std::uint32_t which = draw(running.size());
      events.emplace_back(JobEnded{running[which]});
      running.erase(running.begin() + which);
    }
    for (std::uint32_t i = draw(3); i > 0; --i) {
      Job job = gang_job(1 + draw(5), 1 + draw(8), seconds_long(1 + draw(30)));
      if (draw(6) == 0) job.wish.exclusive = Level::kUnit;
      if (draw(6) == 0) job.wish.require = Level::kPod;
      if (draw(6) == 0) job.gang.tail.gpus = 1;
      job.priority = draw(3);
      events.emplace_back(JobSubmitted{std::move(job)});
    }
    if (draw(12) == 0) events.emplace_back(NodeGraded{NodeId(draw(12)), Grade(draw(4))});
    if (draw(12) == 0)
      events.emplace_back(NodeAvailabilityChanged{NodeId(draw(12)), Availability(draw(3))});
    const auto jobs = recorder.engine.state().jobs();
    if (!jobs.empty() && draw(10) == 0) {
      const JobId victim = jobs[draw(jobs.size())];
      events.emplace_back(JobCancelled{victim});
      std::erase(running, victim);
    }
    for (const Decision& decision : recorder.turn(second, std::move(events)).decisions)
      if (const auto* started = std::get_if<JobStarted>(&decision)) running.push_back(started->job);
    std::erase_if(running, [&](JobId job) { return recorder.engine.state().find(job) == nullptr; });
  }
}

}  // namespace weir::core::testing
