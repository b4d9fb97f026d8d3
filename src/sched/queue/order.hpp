// Queue orders: which pending job comes first. Each is one small function of a job that never
// changes while it waits, so that the queue is sorted once, at submission.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/time.hpp"
#include "model/ids.hpp"
#include "state/state.hpp"

namespace weir::sched {

// Ascending: lower goes first; equal ranks by time of submission, then by id.
struct OrderKey {
  std::int64_t rank = 0;
  Instant submitted;
  JobId job;

  friend auto operator<=>(const OrderKey&, const OrderKey&) = default;
};

struct OrderSettings {
  // Order `priority`: one point of priority weighs as much as this much waiting. All jobs age at
  // the same speed, so who leads does not change with time.
  Duration age_per_point{std::int64_t{60} * 1'000'000};

  friend bool operator==(const OrderSettings&, const OrderSettings&) = default;
};

struct OrderEntry {
  std::string_view name;
  std::string_view summary;
  std::int64_t (*rank)(const state::JobRecord& job, const OrderSettings& settings);
};
// fifo, sjf, gputime, gpus, priority.
std::span<const OrderEntry> orders();

}  // namespace weir::sched
