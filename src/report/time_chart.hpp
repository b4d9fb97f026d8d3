// Curves over time, all runs in one frame: utilisation and queue length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/axis.hpp"
#include "report/markup.hpp"
#include "report/palette.hpp"
#include "sim/result.hpp"

namespace weir::report {

inline constexpr std::size_t kMostPoints = 400;  // of a curve; more cannot be seen at this width

// From the first submission of all runs to the last end of all runs.
Span span_of(const sim::Comparison& comparison);

// Share of the pool's GPUs that are busy, 0 to 100 %.
void draw_utilisation(Markup& page, const sim::Comparison& comparison, const Styles& styles);

// Logarithmic where one run's queue is ten times another's, so that both are seen.
enum class QueueScale : std::uint8_t { kEmpty, kLinear, kLog };
QueueScale queue_scale(const sim::Comparison& comparison);

// Jobs that wait.
void draw_queue(Markup& page, const sim::Comparison& comparison, const Styles& styles);

}  // namespace weir::report
