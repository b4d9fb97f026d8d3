#include "report/jobs_csv.hpp"

#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace weir::report {
namespace {

constexpr std::int64_t kMicro = 1'000'000;

// ".25" for 250,000 microseconds, nothing for 0.
std::string fraction(std::int64_t micro) {
  if (micro == 0) return "";
  std::string digits = fmt::format(".{:06}", micro);
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

std::string iso(Instant at) {
  std::string text = format_instant(at);
  text[text.size() - 9] = 'T';
  const std::int64_t rest = at.microseconds() % kMicro;
  return text + fraction(rest < 0 ? rest + kMicro : rest);
}

std::string exact_seconds(Duration duration) {
  const std::int64_t micro = duration.count();
  const std::uint64_t size =
      micro < 0 ? 0 - static_cast<std::uint64_t>(micro) : static_cast<std::uint64_t>(micro);
  return fmt::format("{}{}{}", micro < 0 ? "-" : "", size / kMicro,
                     fraction(static_cast<std::int64_t>(size % kMicro)));
}

void write_times(std::string& out, const sim::JobOutcome& job) {
  if (job.refused) {
    fmt::format_to(std::back_inserter(out), "{},,,,,", iso(job.submit));
    return;
  }
  fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}", iso(job.submit), iso(job.start),
                 iso(job.end), exact_seconds(job.start - job.submit),
                 exact_seconds(job.end - job.start), exact_seconds(job.end - job.submit));
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string jobs_csv(const sim::RunResult& run) {
  std::string out =
      "row,job,submit,start,end,wait_s,runtime_s,completion_s,gpus,nodes,units,pods,refused,"
      "reason\n";
  const bool has_units = run.multi_unit_jobs.has_value();
  for (std::size_t row = 0; row < run.outcomes.size(); ++row) {
    const sim::JobOutcome& job = run.outcomes[row];
    const auto end = std::back_inserter(out);
    fmt::format_to(end, "{},{},", row + 1, job.job.value());
    write_times(out, job);
    fmt::format_to(end, ",{},{},", job.gpus, job.nodes);
    if (has_units)
      fmt::format_to(end, "{},{}", job.units, job.pods);
    else
      out += ',';
    fmt::format_to(end, ",{},{}\n", job.refused ? "true" : "false", csv_field(job.refusal));
  }
  return out;
}

}  // namespace weir::report
