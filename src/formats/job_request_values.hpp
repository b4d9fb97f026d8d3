// The texts inside a job request, each as its value. Errors say what was expected and what was
// found; the place is put in front by the caller.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "formats/job_request.hpp"

namespace weir::job_request {

// How long a job may run. One rule: with a unit as parse_duration() ("90s", "2h", "1.5d"), else as
// Slurm: "MINUTES", "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS". More than 0.
Result<Duration> time_limit(std::string_view text);

// A size in MiB: "64G", "64GiB" (M, G, T, powers of two) or a bare number of MiB.
Result<std::uint32_t> memory_mib(std::string_view text);

struct SignalRule {
  std::uint32_t number = 15;
  std::optional<Duration> grace;
};
// "TERM", "SIGUSR1", "10", each also with the grace behind it: "TERM@30s".
Result<SignalRule> signal(std::string_view text);
// "TERM", or the number of one that has no name here.
std::string signal_name(std::uint32_t number);

// "afterok:12", "afterany:13:14", "afternotok:7".
Result<std::vector<Dependency>> dependencies(std::string_view text);
std::string_view to_text(DependencyKind kind);

// A date in UTC ("2026-01-05T09:00:00", a Z may follow), "now", "now+10m".
Result<BeginTime> begin(std::string_view text);

// Octal digits: "022".
Result<std::uint32_t> umask(std::string_view text);

Result<OnPartition> on_partition(std::string_view text);
std::string_view to_text(OnPartition rule);

// "30s", "1.000001s": parse_duration() reads it back the same.
std::string duration_text(Duration duration);

}  // namespace weir::job_request
