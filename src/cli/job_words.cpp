#include "cli/job_words.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "cli/answer.hpp"

namespace weir::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::array kShortStates{
    std::pair{"PENDING"sv, "PD"sv},   std::pair{"CONFIGURING"sv, "CF"sv},
    std::pair{"RUNNING"sv, "R"sv},    std::pair{"COMPLETING"sv, "CG"sv},
    std::pair{"COMPLETED"sv, "CD"sv}, std::pair{"CANCELLED"sv, "CA"sv},
    std::pair{"FAILED"sv, "F"sv},     std::pair{"TIMEOUT"sv, "TO"sv},
    std::pair{"NODE_FAIL"sv, "NF"sv}, std::pair{"OUT_OF_MEMORY"sv, "OOM"sv},
    std::pair{"UNKNOWN"sv, "UN"sv}};

std::string because(const TomlTable& job) {
  const std::string why = text_of(job, "why");
  const std::string word = text_of(job, "reason");
  if (!why.empty()) return ": " + why;
  return word.empty() || word == "None" ? std::string() : ": " + word;
}

std::string waiting_text(const TomlTable& job, Instant now) {
  const std::string reason = because(job);
  std::string text = fmt::format("Job {} waits{}.", called(job),
                                 reason.empty() ? ": nothing has decided on it yet" : reason);
  if (const auto submitted = time_of(job, "submitted"))
    text += fmt::format("\nSubmitted {} ago.",
                        format_duration(std::max(Duration(0), now - *submitted)));
  if (const auto promised = time_of(job, "promised"))
    text += fmt::format("\nIt starts by {} at the latest.", utc_text(*promised));
  const std::vector<std::string> failures = words_of(job, "failures");
  for (const std::string& failure : failures) text += "\nA start failed on " + failure + ".";
  return text;
}

std::string running_text(const TomlTable& job, Instant now) {
  const std::string state = text_of(job, "state");
  const std::string_view does = state == "CONFIGURING"  ? "is being started"
                                : state == "COMPLETING" ? "is being ended"
                                                        : "runs";
  std::string text = fmt::format("Job {} {} on {}", called(job), does, text_of(job, "node_list"));
  if (const std::string spans = text_of(job, "spans"); !spans.empty())
    text += fmt::format(", within one {}", spans);
  if (const auto started = time_of(job, "started"))
    text += fmt::format(", for {}", format_duration(std::max(Duration(0), now - *started)));
  text += because(job) + ".";
  if (const auto end = time_of(job, "expected_end"))
    text += fmt::format("\nIts end is expected by {}.", utc_text(*end));
  return text;
}

std::string ended_text(const TomlTable& job) {
  std::string text =
      fmt::format("Job {} ended as {}{}.", called(job), text_of(job, "state"), because(job));
  const auto code = whole_of(job, "exit_code");
  const auto signal = whole_of(job, "signal");
  if (signal.value_or(0) > 0)
    text += fmt::format("\nSignal {}.", *signal);
  else if (code)
    text += fmt::format("\nExit code {}.", *code);
  const auto started = time_of(job, "started");
  const auto ended = time_of(job, "ended");
  if (started && ended)
    text += fmt::format("\nIt ran for {} on {}, until {}.", format_duration(*ended - *started),
                        text_of(job, "node_list"), utc_text(*ended));
  else if (ended)
    text += fmt::format("\nIt never started; it ended at {}.", utc_text(*ended));
  return text;
}

}  // namespace

std::string short_state(std::string_view state) {
  const auto* const found =
      std::ranges::find(kShortStates, state, &decltype(kShortStates)::value_type::first);
  return std::string(found == kShortStates.end() ? state : found->second);
}

std::string elapsed_text(Duration duration) {
  const auto all = std::max<std::int64_t>(0, duration.count() / 1'000'000);
  const auto days = all / 86'400;
  const auto hours = all / 3600 % 24;
  const auto minutes = all / 60 % 60;
  if (days > 0) return fmt::format("{}-{:02}:{:02}:{:02}", days, hours, minutes, all % 60);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, all % 60);
  return fmt::format("{}:{:02}", minutes, all % 60);
}

std::string utc_text(Instant at) { return format_instant(at) + " UTC"; }

Instant now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return Instant(std::chrono::duration_cast<std::chrono::microseconds>(since).count());
}

bool has_ended(const TomlTable& job) { return time_of(job, "ended").has_value(); }

int exit_code_of(const TomlTable& job) {
  const auto signal = whole_of(job, "signal").value_or(0);
  if (signal > 0 && signal < 128) return static_cast<int>(128 + signal);
  const auto code = whole_of(job, "exit_code").value_or(0);
  if (code > 0 && code < 256) return static_cast<int>(code);
  return text_of(job, "state") == "COMPLETED" ? 0 : 1;
}

std::string called(const TomlTable& job) {
  const auto id = whole_of(job, "id").value_or(0);
  const std::string name = text_of(job, "name");
  return name.empty() ? fmt::format("{}", id) : fmt::format("{} ({})", id, name);
}

std::string why_text(const TomlTable& job, Instant now) {
  if (has_ended(job)) return ended_text(job);
  if (text_of(job, "state") == "PENDING") return waiting_text(job, now);
  return running_text(job, now);
}

}  // namespace weir::cli
