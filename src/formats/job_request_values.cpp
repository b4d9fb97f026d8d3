#include "formats/job_request_values.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::job_request {
namespace {

std::unexpected<Error> expected(std::string_view what, std::string_view found) {
  return bad_input(fmt::format("expected {}, found {}", what, quoted(found)));
}

// Signals of Linux that people send by name.
constexpr std::array<std::pair<std::string_view, std::uint32_t>, 14> kSignals{{
    {"HUP", 1},
    {"INT", 2},
    {"QUIT", 3},
    {"ABRT", 6},
    {"KILL", 9},
    {"USR1", 10},
    {"USR2", 12},
    {"ALRM", 14},
    {"TERM", 15},
    {"CONT", 18},
    {"STOP", 19},
    {"TSTP", 20},
    {"XCPU", 24},
    {"WINCH", 28},
}};
constexpr std::uint32_t kLastSignal = 64;  // SIGRTMAX

constexpr std::array<std::string_view, kDependencyKinds> kDependencyNames{"afterok", "afterany",
                                                                          "afternotok"};
constexpr std::array<std::string_view, kOnPartitions> kOnPartitionNames{"continue", "end"};

constexpr std::string_view kTimeForm =
    "a time like \"2h\", \"90\" (minutes), \"30:00\", \"12:00:00\" or \"1-12:00:00\"";

// Slurm's forms, in seconds.
std::optional<std::uint64_t> slurm_seconds(std::string_view text) {
  constexpr std::uint64_t kMost = 1'000'000'000;  // of any part: keeps the sum in range
  std::uint64_t days = 0;
  const std::size_t dash = text.find('-');
  const bool with_days = dash != std::string_view::npos;
  if (with_days) {
    const auto parsed = parse_unsigned(text.substr(0, dash));
    if (!parsed || *parsed > kMost) return std::nullopt;
    days = *parsed;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::uint64_t> parts;
  for (const std::string_view part : split(text, ':')) {
    const auto parsed = parse_unsigned(part);
    if (!parsed || *parsed > kMost) return std::nullopt;
    parts.push_back(*parsed);
  }
  // What the first part counts: hours behind days or with two colons, else minutes.
  const bool hours_first = with_days || parts.size() == 3;
  constexpr std::array<std::uint64_t, 3> kFactors{3600, 60, 1};
  const std::size_t first = hours_first ? 0 : 1;
  if (first + parts.size() > kFactors.size()) return std::nullopt;
  std::uint64_t sum = days * 86'400;
  for (std::size_t i = 0; i < parts.size(); ++i) sum += parts[i] * kFactors[first + i];
  return sum;
}

}  // namespace

Result<Duration> time_limit(std::string_view text) {
  Duration found{0};
  if (const auto seconds_found = slurm_seconds(text)) {
    if (*seconds_found > static_cast<std::uint64_t>(seconds(limits::kLongestDuration)))
      return over_limit(
          fmt::format("expected at most 730 days, found {}; leave it out for no limit", text));
    found = std::chrono::seconds(*seconds_found);
  } else {
    const auto with_unit = parse_duration(text);
    if (!with_unit && with_unit.error().code == Errc::kLimit)
      return over_limit(with_unit.error().message + "; leave it out for no limit");
    if (!with_unit) return expected(kTimeForm, text);
    found = *with_unit;
  }
  if (found == Duration::zero()) return expected("more than 0; leave it out for no limit", text);
  return found;
}

Result<std::uint32_t> memory_mib(std::string_view text) {
  std::string_view digits = text;
  if (digits.ends_with("iB")) digits.remove_suffix(2);
  const bool has_unit_tail = digits.size() < text.size();
  unsigned shift = 0;
  bool has_unit = false;
  constexpr std::array<std::pair<char, unsigned>, 3> kUnits{{{'M', 0}, {'G', 10}, {'T', 20}}};
  for (const auto& [unit, bits] : kUnits) {
    if (!digits.ends_with(unit)) continue;
    shift = bits;
    has_unit = true;
    digits.remove_suffix(1);
    break;
  }
  const auto count = parse_unsigned(digits);
  if (!count || (has_unit_tail && !has_unit) || *count > (std::uint64_t{UINT32_MAX} >> shift))
    return expected(
        "a size like \"64G\" (M, G or T, powers of two, below 4096T) or a number of MiB", text);
  return static_cast<std::uint32_t>(*count << shift);
}

Result<SignalRule> signal(std::string_view text) {
  SignalRule rule;
  const std::size_t at = text.find('@');
  std::string_view name = text.substr(0, at);
  if (at != std::string_view::npos) {
    const auto grace = parse_duration(text.substr(at + 1));
    if (!grace) return std::unexpected(grace.error());
    rule.grace = *grace;
  }
  if (const auto number = parse_unsigned(name)) {
    if (*number < 1 || *number > kLastSignal) return expected("a signal from 1 to 64", name);
    rule.number = static_cast<std::uint32_t>(*number);
    return rule;
  }
  if (name.starts_with("SIG")) name.remove_prefix(3);
  const auto* const known =
      std::ranges::find(kSignals, name, &std::pair<std::string_view, std::uint32_t>::first);
  if (known == kSignals.end())
    return expected("a signal like TERM, USR1 or 10, with its grace TERM@30s", text);
  rule.number = known->second;
  return rule;
}

std::string signal_name(std::uint32_t number) {
  for (const auto& [name, known] : kSignals)
    if (known == number) return std::string(name);
  return fmt::format("{}", number);
}

Result<std::vector<Dependency>> dependencies(std::string_view text) {
  constexpr std::string_view kForm = "a dependency like afterok:12, afterany:12 or afternotok:12";
  const std::vector<std::string_view> parts = split(text, ':');
  const auto* const kind = std::ranges::find(kDependencyNames, parts.front());
  if (kind == kDependencyNames.end() || parts.size() < 2) return expected(kForm, text);
  std::vector<Dependency> found;
  for (const std::string_view id : std::span(parts).subspan(1)) {
    const auto number = parse_unsigned(id);
    if (!number || *number == 0 || JobId(*number).is_none()) return expected(kForm, text);
    found.push_back({JobId(*number), static_cast<DependencyKind>(kind - kDependencyNames.begin())});
  }
  return found;
}

std::string_view to_text(DependencyKind kind) {
  return kDependencyNames[static_cast<std::size_t>(kind)];
}

Result<BeginTime> begin(std::string_view text) {
  BeginTime found;
  if (text == "now") return found;
  if (text.starts_with("now+")) {
    const auto delay = parse_duration(text.substr(4));
    if (!delay) return std::unexpected(delay.error());
    found.delay = *delay;
    return found;
  }
  const bool zone = text.ends_with('Z');
  const auto at = parse_instant(text.substr(0, text.size() - (zone ? 1 : 0)));
  if (!at) return expected("a date in UTC like 2026-01-05T09:00:00, or now+10m", text);
  found.at = *at;
  return found;
}

Result<std::uint32_t> umask(std::string_view text) {
  const auto mask = parse_unsigned(text, 8);
  if (!mask || *mask > 0777) return expected("octal digits from 000 to 777", text);
  return static_cast<std::uint32_t>(*mask);
}

Result<OnPartition> on_partition(std::string_view text) {
  const auto* const found = std::ranges::find(kOnPartitionNames, text);
  if (found == kOnPartitionNames.end()) return expected("continue or end", text);
  return static_cast<OnPartition>(found - kOnPartitionNames.begin());
}

std::string_view to_text(OnPartition rule) {
  return kOnPartitionNames[static_cast<std::size_t>(rule)];
}

std::string duration_text(Duration duration) {
  const std::int64_t whole = duration.count() / 1'000'000;
  const std::int64_t rest = duration.count() % 1'000'000;
  return rest == 0 ? fmt::format("{}s", whole) : fmt::format("{}.{:06}s", whole, rest);
}

}  // namespace weir::job_request
