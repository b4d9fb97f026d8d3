// For tests of the store: turns and finished jobs that differ in every field, by a number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "store/store.hpp"

namespace weir::store::testing {

inline Instant at_second(std::int64_t second) { return Instant(second * 1'000'000); }

// Ends at second `id`; every third never ran.
inline FinishedJob finished_job(std::uint64_t id) {
  const auto number = static_cast<std::int64_t>(id);
  FinishedJob job;
  job.job = JobId(id);
  job.attempts = static_cast<std::uint32_t>(id % 4);
  job.name = fmt::format("train {}", id % 5);
  job.user = id % 2 == 0 ? "ada" : "grace";
  job.queue = "gpu";
  job.state = id % 3 == 0 ? "CANCELLED" : "COMPLETED";
  job.reason = fmt::format("reason {}", id);
  job.submitted = at_second(number - 100);
  if (id % 3 != 0) job.started = at_second(number - 50);
  job.ended = at_second(number);
  job.nodes = static_cast<std::uint32_t>(id);
  job.gpus = static_cast<std::uint32_t>(8 * id);
  job.exit_code = static_cast<int>(id % 128);
  job.signal = static_cast<int>(id % 16);
  job.node_list = fmt::format("gpu{:04}", id);
  job.record = fmt::format(R"({{"job":{}}})", id);
  return job;
}

// `bytes` of a pattern that no other turn has.
inline std::vector<std::uint8_t> frame_of(std::uint64_t number, std::size_t bytes = 300) {
  std::vector<std::uint8_t> frame(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    frame[i] = static_cast<std::uint8_t>(((number + 1) * 0x9E3779B97F4A7C15 * (i + 1)) >> 24);
  return frame;
}

// The job of the same number ends in every turn but the header.
inline TurnWrite turn_of(std::uint64_t number, std::size_t bytes = 300) {
  TurnWrite turn{number, frame_of(number, bytes), {}};
  if (number > 0) turn.finished.push_back(finished_job(number));
  return turn;
}

}  // namespace weir::store::testing
