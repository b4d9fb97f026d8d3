#include <iterator>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/job_file.hpp"

namespace weir {
namespace {

using Out = std::back_insert_iterator<std::string>;

// A TOML basic string.
std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out + '"';
}

// Seconds, exact to the microsecond.
std::string toml_seconds(std::int64_t microseconds) {
  const std::int64_t fraction = microseconds % 1'000'000;
  if (fraction == 0) return fmt::format("{}", microseconds / 1'000'000);
  return fmt::format("{}.{:06}", microseconds / 1'000'000, fraction);
}

// An offset from 1970 as long as it is a duration, else a date.
std::string toml_instant(Instant at) {
  const std::int64_t since_1970 = at.microseconds();
  if (since_1970 >= 0 && since_1970 <= limits::kLongestDuration.count())
    return toml_seconds(since_1970);
  const std::int64_t fraction = (since_1970 % 1'000'000 + 1'000'000) % 1'000'000;
  if (fraction == 0) return fmt::format("\"{}\"", format_instant(at));
  return fmt::format("\"{}.{:06}\"", format_instant(at), fraction);
}

std::string toml_memory(std::uint32_t mib) {
  return mib % 1024 == 0 ? fmt::format("\"{}GiB\"", mib / 1024) : fmt::format("\"{}MiB\"", mib);
}

// Thousandths, exact.
std::string toml_milli(std::uint32_t milli) {
  if (milli % 1000 == 0) return fmt::format("{}", milli / 1000);
  return fmt::format("{}.{:03}", milli / 1000, milli % 1000);
}

void write_texts(Out out, std::string_view key, const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + toml_text(text);
  if (!list.empty()) fmt::format_to(out, "{} = [{}]\n", key, list);
}

void write_text(Out out, std::string_view key, std::string_view text) {
  if (!text.empty()) fmt::format_to(out, "{} = {}\n", key, toml_text(text));
}

void write_level(Out out, std::string_view key, const std::optional<Level>& level) {
  if (level) fmt::format_to(out, "{} = \"{}\"\n", key, to_text(*level));
}

void write_gang(Out out, const Gang& gang) {
  fmt::format_to(out, "nodes = {}\n", gang.nodes);
  if (gang.per_node.gpus > 0) fmt::format_to(out, "gpus = {}\n", gang.per_node.gpus);
  if (gang.per_node.gpu_milli > 0)
    fmt::format_to(out, "gpu_share = {}\n", toml_milli(gang.per_node.gpu_milli));
  if (gang.per_node.cpu_milli > 0)
    fmt::format_to(out, "cpus = {}\n", toml_milli(gang.per_node.cpu_milli));
  if (gang.per_node.memory_mib > 0)
    fmt::format_to(out, "memory = {}\n", toml_memory(gang.per_node.memory_mib));
  if (gang.has_tail())
    fmt::format_to(out, "tail = {{ gpus = {}, cpus = {}, memory = {} }}\n", gang.tail.gpus,
                   toml_milli(gang.tail.cpu_milli), toml_memory(gang.tail.memory_mib));
}

void write_requirement(Out out, const Requirement& requirement) {
  write_text(out, "partition", requirement.partition);
  if (requirement.gpu_models.size() == 1)
    write_text(out, "gpu_model", requirement.gpu_models.front());
  else
    write_texts(out, "gpu_model", requirement.gpu_models);
  write_texts(out, "features", requirement.features);
  if (requirement.worst_grade != Requirement{}.worst_grade)
    fmt::format_to(out, "worst_grade = \"{}\"\n", to_text(requirement.worst_grade));
  std::string list;
  for (std::uint32_t rail = 0; rail < limits::kRails; ++rail)
    if ((requirement.rails >> rail & 1) != 0)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", rail);
  if (!list.empty()) fmt::format_to(out, "rails = [{}]\n", list);
}

void write_wish(Out out, const TopologyWish& wish) {
  write_level(out, "require", wish.require);
  write_level(out, "prefer", wish.prefer);
  if (wish.segment_nodes > 0)
    fmt::format_to(out, "segment = {{ nodes = {}, level = \"{}\" }}\n", wish.segment_nodes,
                   to_text(wish.segment_level));
  write_level(out, "exclusive", wish.exclusive);
}

void write_job(Out out, const TraceJob& row) {
  const Job& job = row.job;
  fmt::format_to(out, "\n[[job]]\n");
  write_text(out, "name", job.name);
  write_text(out, "user", job.user);
  write_text(out, "vc", row.vc);
  fmt::format_to(out, "submit = {}\nruntime = {}\n", toml_instant(row.submit),
                 toml_seconds(row.runtime.count()));
  if (job.estimate != row.runtime)
    fmt::format_to(out, "estimate = {}\n", toml_seconds(job.estimate.count()));
  if (row.gpus > 0)
    fmt::format_to(out, "total_gpus = {}\n", row.gpus);
  else
    write_gang(out, job.gang);
  write_requirement(out, job.requirement);
  if (job.priority != 0) fmt::format_to(out, "priority = {}\n", job.priority);
  write_wish(out, job.wish);
}

}  // namespace

std::string job_file_text(const Trace& jobs) {
  std::string text = "# A Weir job file: docs/reference/job-file.md says what each field means.\n";
  for (const TraceJob& job : jobs) write_job(std::back_inserter(text), job);
  return text;
}

}  // namespace weir
