#include "formats/job_request_fields.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/job_fields.hpp"
#include "formats/job_request_values.hpp"

namespace weir::job_request {
namespace {

// How the text of a flag becomes a value.
enum class FlagShape : std::uint8_t { kNone, kText, kNumber, kList, kSwitch };

struct Field {
  std::string_view key;
  Status (*set)(JobRequest& request, const TomlValue& value, const Place& place);
  FlagShape flag = FlagShape::kText;
};

// A field that goes as it is read to one place.
template <auto target, auto read>
Status set(JobRequest& request, const TomlValue& value, const Place& place) {
  auto result = read(value);
  if (!result) return place.error(value.line, result.error().message, result.error().code);
  auto& to = target(request);
  to = *std::move(result);
  return {};
}

template <std::uint64_t lowest, std::uint64_t highest>
Result<std::uint32_t> number(const TomlValue& value) {
  return static_cast<std::uint32_t>(WEIR_TRY(job_fields::number(value, lowest, highest)));
}

template <std::uint32_t lowest, std::uint32_t highest>
Result<std::uint32_t> thousandths(const TomlValue& value) {
  return job_fields::thousandths(value, lowest, highest);
}

template <std::size_t most>
Result<std::string> text(const TomlValue& value) {
  const auto* found = std::get_if<std::string>(&value.content);
  if (found == nullptr) return bad_input("expected a text in quotes, found " + describe(value));
  if (found->size() > most)
    return over_limit(fmt::format("expected at most {} bytes, found {}", most, found->size()));
  if (found->contains('\0')) return bad_input("expected a text without zero bytes, found one");
  return *found;
}

// A text that has a meaning of its own; a whole number stands for its digits.
template <auto parse>
auto meaning(const TomlValue& value) -> decltype(parse(std::string_view())) {
  if (const auto* number = std::get_if<std::int64_t>(&value.content))
    return parse(fmt::format("{}", *number));
  return parse(WEIR_TRY(text<limits::kNameBytes>(value)));
}

Result<std::optional<Level>> level(const TomlValue& value) {
  return std::optional(WEIR_TRY(job_fields::level(value)));
}

Result<std::optional<Duration>> time(const TomlValue& value) {
  return std::optional(WEIR_TRY(meaning<time_limit>(value)));
}

Result<bool> truth(const TomlValue& value) {
  const auto* found = std::get_if<bool>(&value.content);
  if (found == nullptr) return bad_input("expected true or false, found " + describe(value));
  return *found;
}

Result<std::int64_t> any_number(const TomlValue& value) {
  const auto* found = std::get_if<std::int64_t>(&value.content);
  if (found == nullptr) return bad_input("expected a whole number, found " + describe(value));
  return *found;
}

// An octal mask as a number would be read in base ten by some and in base eight by others.
Result<std::uint32_t> mask(const TomlValue& value) {
  if (!std::holds_alternative<std::string>(value.content))
    return bad_input("expected octal digits in quotes like \"022\", found " + describe(value));
  return meaning<umask>(value);
}

Result<std::string> one_of_classes(const TomlValue& value) {
  std::string name = WEIR_TRY(text<limits::kNameBytes>(value));
  if (std::ranges::find(job_classes(), name) == job_classes().end())
    return bad_input(
        fmt::format("expected one of {}, found {}", fmt::join(job_classes(), ", "), quoted(name)));
  return name;
}

Result<std::vector<std::string>> command(const TomlValue& value) {
  const auto* list = std::get_if<TomlArray>(&value.content);
  if (list == nullptr || list->empty())
    return bad_input(
        fmt::format("expected a list like [\"python\", \"train.py\"], found {}; a "
                    "shell line is [\"sh\", \"-c\", \"…\"]",
                    list != nullptr ? "an empty list" : describe(value)));
  std::vector<std::string> found;
  for (const TomlValue& item : *list) found.push_back(WEIR_TRY(text<limits::kArgumentBytes>(item)));
  if (found.front().empty()) return bad_input("expected a program first, found an empty text");
  return found;
}

Status set_environment(JobRequest& request, const TomlValue& value, const Place& place) {
  const auto* table = std::get_if<TomlTable>(&value.content);
  if (table == nullptr) return place.expected("a table of NAME = \"value\"", value);
  for (const TomlEntry& entry : table->entries) {
    const Place here = place.child(entry.key);
    if (entry.key.empty() ||
        entry.key.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
      return here.error(entry.value.line,
                        "expected the name of a variable, without = and zero bytes");
    auto found = text<limits::kArgumentBytes>(entry.value);
    if (!found) return here.error(entry.value.line, found.error().message, found.error().code);
    request.environment[entry.key] = *std::move(found);
  }
  return {};
}

Status set_gpus(JobRequest& request, const TomlValue& value, const Place& place) {
  WEIR_TRY((set<[](JobRequest& r) -> auto& { return r.gpus; }, number<0, limits::kGpusPerNode>>(
      request, value, place)));
  request.gpu_milli = 0;
  return {};
}

Status set_gpu_share(JobRequest& request, const TomlValue& value, const Place& place) {
  WEIR_TRY(
      (set<[](JobRequest& r) -> auto& { return r.gpu_milli; }, thousandths<1, kWholeMilli - 1>>(
          request, value, place)));
  request.gpus = 0;
  return {};
}

Status set_signal(JobRequest& request, const TomlValue& value, const Place& place) {
  const auto rule = meaning<signal>(value);
  if (!rule) return place.error(value.line, rule.error().message, rule.error().code);
  request.end_signal = rule->number;
  if (rule->grace) request.grace = *rule->grace;
  return {};
}

Status set_after(JobRequest& request, const TomlValue& value, const Place& place) {
  const auto* list = std::get_if<TomlArray>(&value.content);
  if (list == nullptr) return place.expected("a list like [\"afterok:12\"]", value);
  request.after.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    const TomlValue& item = (*list)[i];
    const Place here = place.child(fmt::format("{}", i));
    if (!std::holds_alternative<std::string>(item.content))
      return here.expected("a text like \"afterok:12\"", item);
    const auto found = meaning<dependencies>(item);
    if (!found) return here.error(item.line, found.error().message, found.error().code);
    request.after.insert(request.after.end(), found->begin(), found->end());
    if (request.after.size() > limits::kDependencies)
      return place.error(item.line,
                         fmt::format("expected at most {} jobs to wait for", limits::kDependencies),
                         Errc::kLimit);
  }
  return {};
}

Status set_retry_on(JobRequest& request, const TomlValue& value, const Place& place) {
  const auto* list = std::get_if<TomlArray>(&value.content);
  if (list == nullptr)
    return place.expected("a list of failure, node-failure and time-limit", value);
  RetryRule& rule = request.retries;
  rule.failure = rule.node_failure = rule.time_limit = false;
  for (const TomlValue& item : *list) {
    const auto* name = std::get_if<std::string>(&item.content);
    bool* place_of_name = name == nullptr           ? nullptr
                          : *name == "failure"      ? &rule.failure
                          : *name == "node-failure" ? &rule.node_failure
                          : *name == "time-limit"   ? &rule.time_limit
                                                    : nullptr;
    if (place_of_name == nullptr)
      return place.expected("one of failure, node-failure, time-limit", item);
    *place_of_name = true;
  }
  return {};
}

Status unknown_field(const Place& place, std::size_t line, std::string_view key,
                     std::span<const Field> fields) {
  std::vector<std::string_view> known;
  for (const Field& field : fields) known.push_back(field.key);
  const std::string_view near = closest(key, known);
  return place.error(line, fmt::format("unknown field{}; known: {}",
                                       near.empty() ? "" : fmt::format(": did you mean {}?", near),
                                       fmt::join(known, ", ")));
}

Status read_table(JobRequest& request, const TomlTable& table, const Place& place,
                  std::span<const Field> fields) {
  for (const TomlEntry& entry : table.entries)
    if (std::ranges::find(fields, entry.key, &Field::key) == fields.end())
      return unknown_field(place.child(entry.key), std::max(entry.line, entry.value.line),
                           entry.key, fields);
  // In the order of the fields, so that what a text says does not depend on its own order.
  for (const Field& field : fields)
    if (const TomlValue* value = table.find(field.key))
      WEIR_TRY(field.set(request, *value, place.child(field.key)));
  return {};
}

constexpr std::array kSegmentFields{
    Field{"nodes", set<[](JobRequest& r) -> auto& { return r.topology.segment_nodes; },
                       number<1, limits::kNodes>>},
    Field{"level",
          set<[](JobRequest& r) -> auto& { return r.topology.segment_level; }, job_fields::level>},
};

Status set_segment(JobRequest& request, const TomlValue& value, const Place& place) {
  const auto* table = std::get_if<TomlTable>(&value.content);
  if (table == nullptr || table->find("nodes") == nullptr)
    return place.expected("a table with nodes and level, like 4 and \"unit\"", value);
  request.topology.segment_level = TopologyWish{}.segment_level;
  return read_table(request, *table, place, kSegmentFields);
}

constexpr std::array kTopologyFields{
    Field{"require", set<[](JobRequest& r) -> auto& { return r.topology.require; }, level>},
    Field{"prefer", set<[](JobRequest& r) -> auto& { return r.topology.prefer; }, level>},
    Field{"segment", set_segment, FlagShape::kNone},
    Field{"exclusive", set<[](JobRequest& r) -> auto& { return r.topology.exclusive; }, level>},
};

constexpr std::uint64_t kMostRetries = 1'000'000;

constexpr std::array kRetryFields{
    Field{"count",
          set<[](JobRequest& r) -> auto& { return r.retries.count; }, number<0, kMostRetries>>},
    Field{"on", set_retry_on},
};

template <const auto& fields>
Status set_table(JobRequest& request, const TomlValue& value, const Place& place) {
  const auto* table = std::get_if<TomlTable>(&value.content);
  if (table == nullptr) {
    std::vector<std::string_view> known;
    for (const Field& field : fields) known.push_back(field.key);
    return place.expected(fmt::format("a table with {}", fmt::join(known, ", ")), value);
  }
  return read_table(request, *table, place, fields);
}

Status set_retries(JobRequest& request, const TomlValue& value, const Place& place) {
  if (std::holds_alternative<std::int64_t>(value.content))
    return kRetryFields[0].set(request, value, place);
  return set_table<kRetryFields>(request, value, place);
}

using enum FlagShape;

// clang-format off
constexpr std::array kFields{
    Field{"name", set<[](JobRequest& r) -> auto& { return r.name; }, text<limits::kNameBytes>>},
    Field{"command", set<[](JobRequest& r) -> auto& { return r.command; }, command>, kNone},
    Field{"environment", set_environment, kNone},
    Field{"directory", set<[](JobRequest& r) -> auto& { return r.directory; }, text<limits::kPathBytes>>},
    Field{"output", set<[](JobRequest& r) -> auto& { return r.output; }, text<limits::kPathBytes>>},
    Field{"error", set<[](JobRequest& r) -> auto& { return r.error; }, text<limits::kPathBytes>>},
    Field{"nodes", set<[](JobRequest& r) -> auto& { return r.nodes; }, number<1, limits::kNodes>>, kNumber},
    Field{"gpus", set_gpus, kNumber},
    Field{"gpu_share", set_gpu_share, kNumber},
    Field{"cpus", set<[](JobRequest& r) -> auto& { return r.cpu_milli; }, thousandths<0, UINT32_MAX>>, kNumber},
    Field{"memory", set<[](JobRequest& r) -> auto& { return r.memory_mib; }, meaning<memory_mib>>},
    Field{"tasks_per_node", set<[](JobRequest& r) -> auto& { return r.tasks_per_node; }, number<1, limits::kTasksPerNode>>, kNumber},
    Field{"time", set<[](JobRequest& r) -> auto& { return r.time; }, time>},
    Field{"class", set<[](JobRequest& r) -> auto& { return r.job_class; }, one_of_classes>},
    Field{"partition", set<[](JobRequest& r) -> auto& { return r.partition; }, text<limits::kNameBytes>>},
    Field{"gpu_model", set<[](JobRequest& r) -> auto& { return r.gpu_models; }, job_fields::text_or_texts>, kList},
    Field{"features", set<[](JobRequest& r) -> auto& { return r.features; }, job_fields::texts>, kList},
    Field{"priority", set<[](JobRequest& r) -> auto& { return r.priority; }, any_number>, kNumber},
    Field{"topology", set_table<kTopologyFields>, kNone},
    Field{"signal", set_signal},
    Field{"grace", set<[](JobRequest& r) -> auto& { return r.grace; }, meaning<parse_duration>>},
    Field{"retries", set_retries, kNumber},
    Field{"hold", set<[](JobRequest& r) -> auto& { return r.hold; }, truth>, kSwitch},
    Field{"begin", set<[](JobRequest& r) -> auto& { return r.begin; }, meaning<begin>>},
    Field{"after", set_after, kList},
    Field{"umask", set<[](JobRequest& r) -> auto& { return r.umask; }, mask>},
    Field{"on_partition", set<[](JobRequest& r) -> auto& { return r.on_partition; }, meaning<on_partition>>},
};
// clang-format on

// Two fields of one table that say the same thing.
Status check_exclusions(const TomlTable& table, const Place& place) {
  const TomlValue* gpus = table.find("gpus");
  const TomlValue* share = table.find("gpu_share");
  if (gpus != nullptr && share != nullptr)
    return place.child("gpu_share")
        .error(share->line, "it excludes gpus, which is there too: keep one");
  const TomlValue* signal_value = table.find("signal");
  const TomlValue* grace = table.find("grace");
  const auto* text_found =
      signal_value != nullptr ? std::get_if<std::string>(&signal_value->content) : nullptr;
  if (grace != nullptr && text_found != nullptr && text_found->contains('@'))
    return place.child("grace").error(
        grace->line, fmt::format("signal says a grace too, {}: keep one", quoted(*text_found)));
  return {};
}

TomlValue flag_value(FlagShape shape, std::string_view text) {
  TomlValue value;
  value.content = std::string(text);
  if (shape == kSwitch && (text.empty() || text == "true")) value.content = true;
  if (shape == kList) {
    TomlArray list;
    for (const std::string_view item : split(text, ','))
      list.push_back(TomlValue{0, std::string(item)});
    value.content = std::move(list);
  }
  if (shape == kNumber) {
    const bool negative = text.starts_with('-');
    const auto whole = parse_unsigned(text.substr(negative ? 1 : 0));
    if (whole && *whole <= static_cast<std::uint64_t>(INT64_MAX))
      value.content =
          negative ? -static_cast<std::int64_t>(*whole) : static_cast<std::int64_t>(*whole);
    else if (const auto real = parse_double(text))
      value.content = *real;
  }
  return value;
}

// "4" or "4@unit".
Status set_segment_flag(JobRequest& request, std::string_view text, const Place& place) {
  const std::size_t at = text.find('@');
  TomlTable table;
  table.entries.push_back({"nodes", 0, flag_value(kNumber, text.substr(0, at))});
  if (at != std::string_view::npos)
    table.entries.push_back({"level", 0, flag_value(kText, text.substr(at + 1))});
  for (const Field& field : kSegmentFields)
    if (const TomlValue* value = table.find(field.key)) WEIR_TRY(field.set(request, *value, place));
  return {};
}

Status set_variable_flag(JobRequest& request, std::string_view text, const Place& place) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos)
    return place.error(0, fmt::format("expected NAME=value, found {}", quoted(text)));
  TomlTable table;
  table.entries.push_back(
      {std::string(text.substr(0, equals)), 0, flag_value(kText, text.substr(equals + 1))});
  return set_environment(request, TomlValue{0, std::move(table)}, place);
}

}  // namespace

Status read_fields(JobRequest& request, const TomlTable& table, const Place& place) {
  WEIR_TRY(check_exclusions(table, place));
  return read_table(request, table, place, kFields);
}

Status read_flag(JobRequest& request, std::string_view flag, std::string_view text) {
  const Place place{Place::Style::kFlag, "", fmt::format("--{}", flag)};
  std::string key(flag);
  std::ranges::replace(key, '-', '_');
  if (key == "segment") return set_segment_flag(request, text, place);
  if (key == "environment") return set_variable_flag(request, text, place);
  if (key == "retry_on") return set_retry_on(request, flag_value(kList, text), place);
  for (const auto fields :
       {std::span<const Field>(kFields), std::span<const Field>(kTopologyFields)}) {
    const auto field = std::ranges::find(fields, key, &Field::key);
    if (field != fields.end() && field->flag != kNone)
      return field->set(request, flag_value(field->flag, text), place);
  }
  return unknown_field(place, 0, key, kFields);
}

}  // namespace weir::job_request
