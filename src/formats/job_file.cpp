#include "formats/job_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/job_fields.hpp"
#include "formats/toml.hpp"

namespace weir {
namespace {

// One [[job]] while its fields are read.
struct Draft {
  TraceJob job;
  std::uint64_t count = 1;
  Duration every{0};
  RailMask site_rails = 0;
};

// A field: its key and what its value does to the draft.
struct Field {
  std::string_view key;
  Status (*set)(Draft& draft, const TomlValue& value);
};

// Puts the value of a Result into its place.
template <typename T, typename Place>
Status assign(Place& place, Result<T> value) {
  if (!value) return std::unexpected(std::move(value).error());
  place = static_cast<Place>(*std::move(value));
  return {};
}

template <typename T>
Status assign(std::optional<T>& place, Result<T> value) {
  return assign<T, std::optional<T>>(place, std::move(value));
}

Status check_key(const TomlEntry& entry, std::span<const std::string_view> known) {
  if (std::ranges::find(known, entry.key) != known.end()) return {};
  const std::string_view near = closest(entry.key, known);
  return bad_input(fmt::format("unknown key {}{}", quoted(entry.key),
                               near.empty() ? "" : fmt::format(": did you mean {}?", near)));
}

Status check_keys(const TomlTable& table, std::span<const std::string_view> known) {
  for (const TomlEntry& entry : table.entries) WEIR_TRY(check_key(entry, known));
  return {};
}

template <std::uint32_t lowest, std::uint32_t highest>
Result<std::uint32_t> thousandths(const TomlValue& value) {
  return job_fields::thousandths(value, lowest, highest);
}

Status set_capacity(Capacity& capacity, const TomlTable& table) {
  if (const auto* value = table.find("gpus"))
    WEIR_TRY(assign(capacity.gpus, job_fields::number(*value, 0, limits::kGpusPerNode)));
  if (const auto* value = table.find("cpus"))
    WEIR_TRY(assign(capacity.cpu_milli, thousandths<0, UINT32_MAX>(*value)));
  if (const auto* value = table.find("memory"))
    WEIR_TRY(assign(capacity.memory_mib, job_fields::memory_mib(*value)));
  return {};
}

Status set_tail(Draft& draft, const TomlValue& value) {
  constexpr std::array<std::string_view, 3> kKeys{"gpus", "cpus", "memory"};
  const auto* table = std::get_if<TomlTable>(&value.content);
  if (table == nullptr)
    return bad_input("expected a table like { gpus = 4 }, found " + describe(value));
  WEIR_TRY(check_keys(*table, kKeys));
  return set_capacity(draft.job.job.gang.tail, *table);
}

Status set_segment(Draft& draft, const TomlValue& value) {
  constexpr std::array<std::string_view, 2> kKeys{"nodes", "level"};
  const auto* table = std::get_if<TomlTable>(&value.content);
  const TomlValue* nodes = table != nullptr ? table->find("nodes") : nullptr;
  if (nodes == nullptr)
    return bad_input("expected a table like { nodes = 4, level = \"unit\" }, found " +
                     describe(value));
  WEIR_TRY(check_keys(*table, kKeys));
  TopologyWish& wish = draft.job.job.wish;
  WEIR_TRY(assign(wish.segment_nodes, job_fields::number(*nodes, 1, limits::kNodes)));
  if (const auto* level = table->find("level"))
    return assign(wish.segment_level, job_fields::level(*level));
  return {};
}

Status set_rails(Draft& draft, const TomlValue& value) {
  RailMask& rails = draft.job.job.requirement.rails;
  const auto* word = std::get_if<std::string>(&value.content);
  const auto* list = std::get_if<TomlArray>(&value.content);
  if (word != nullptr && *word == "all") {
    rails = draft.site_rails;
    return {};
  }
  if (list == nullptr)
    return bad_input("expected \"all\" or a list like [0, 1], found " + describe(value));
  rails = 0;
  for (const TomlValue& item : *list) {
    const std::uint64_t rail = WEIR_TRY(job_fields::number(item, 0, limits::kRails - 1));
    rails = static_cast<RailMask>(rails | (1U << rail));
  }
  return {};
}

Status set_priority(Draft& draft, const TomlValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value.content);
  if (number == nullptr) return bad_input("expected a whole number, found " + describe(value));
  draft.job.job.priority = *number;
  return {};
}

Status set_runtime(Draft& draft, const TomlValue& value) {
  WEIR_TRY(assign(draft.job.runtime, job_fields::duration(value)));
  // Unless `estimate` or `time_limit`, which are read later, say otherwise.
  draft.job.job.estimate = draft.job.runtime;
  return {};
}

// A field that goes as it is read to one place.
template <auto place, auto read>
Status set(Draft& draft, const TomlValue& value) {
  return assign(place(draft), read(value));
}

template <std::uint64_t lowest, std::uint64_t highest>
Result<std::uint64_t> number(const TomlValue& value) {
  return job_fields::number(value, lowest, highest);
}

Gang& gang(Draft& draft) { return draft.job.job.gang; }
Requirement& requirement(Draft& draft) { return draft.job.job.requirement; }
TopologyWish& wish(Draft& draft) { return draft.job.job.wish; }

// clang-format off
constexpr auto kEstimate = set<[](Draft& d) -> auto& { return d.job.job.estimate; }, job_fields::duration>;

// Every field of a job, in the order they are read.
constexpr std::array kFields{
    Field{"name", set<[](Draft& d) -> auto& { return d.job.job.name; }, job_fields::text>},
    Field{"user", set<[](Draft& d) -> auto& { return d.job.job.user; }, job_fields::text>},
    Field{"vc", set<[](Draft& d) -> auto& { return d.job.vc; }, job_fields::text>},
    Field{"submit", set<[](Draft& d) -> auto& { return d.job.submit; }, job_fields::instant>},
    Field{"runtime", set_runtime},
    Field{"estimate", kEstimate},
    Field{"time_limit", kEstimate},
    Field{"total_gpus", set<[](Draft& d) -> auto& { return d.job.gpus; }, number<1, limits::kGpus>>},
    Field{"nodes", set<[](Draft& d) -> auto& { return gang(d).nodes; }, number<1, limits::kNodes>>},
    Field{"gpus", set<[](Draft& d) -> auto& { return gang(d).per_node.gpus; }, number<0, limits::kGpusPerNode>>},
    Field{"gpu_share", set<[](Draft& d) -> auto& { return gang(d).per_node.gpu_milli; }, thousandths<1, kWholeMilli - 1>>},
    Field{"cpus", set<[](Draft& d) -> auto& { return gang(d).per_node.cpu_milli; }, thousandths<0, UINT32_MAX>>},
    Field{"memory", set<[](Draft& d) -> auto& { return gang(d).per_node.memory_mib; }, job_fields::memory_mib>},
    Field{"tail", set_tail},
    Field{"partition", set<[](Draft& d) -> auto& { return requirement(d).partition; }, job_fields::text>},
    Field{"gpu_model", set<[](Draft& d) -> auto& { return requirement(d).gpu_models; }, job_fields::text_or_texts>},
    Field{"features", set<[](Draft& d) -> auto& { return requirement(d).features; }, job_fields::texts>},
    Field{"worst_grade", set<[](Draft& d) -> auto& { return requirement(d).worst_grade; }, job_fields::grade>},
    Field{"rails", set_rails},
    Field{"priority", set_priority},
    Field{"require", set<[](Draft& d) -> auto& { return wish(d).require; }, job_fields::level>},
    Field{"prefer", set<[](Draft& d) -> auto& { return wish(d).prefer; }, job_fields::level>},
    Field{"segment", set_segment},
    Field{"exclusive", set<[](Draft& d) -> auto& { return wish(d).exclusive; }, job_fields::level>},
    Field{"count", set<[](Draft& d) -> auto& { return d.count; }, number<1, limits::kJobFileJobs>>},
    Field{"every", set<[](Draft& d) -> auto& { return d.every; }, job_fields::duration>},
};
// clang-format on

constexpr std::array kKeys = [] {
  std::array<std::string_view, kFields.size()> keys{};
  std::ranges::transform(kFields, keys.begin(), &Field::key);
  return keys;
}();

// Two ways to say the same: no table may have keys of both sides. A job that has one side is free
// of the other side of [defaults].
struct Exclusion {
  std::span<const std::string_view> one;
  std::span<const std::string_view> other;
};
constexpr std::array<std::string_view, 1> kCount{"total_gpus"};
constexpr std::array<std::string_view, 7> kShape{"nodes",  "gpus", "gpu_share", "cpus",
                                                 "memory", "tail", "segment"};
constexpr std::array<std::string_view, 1> kWholeGpus{"gpus"};
constexpr std::array<std::string_view, 1> kShare{"gpu_share"};
constexpr std::array<std::string_view, 1> kEstimateKey{"estimate"};
constexpr std::array<std::string_view, 1> kTimeLimitKey{"time_limit"};
constexpr std::array<Exclusion, 3> kExclusions{
    {{kCount, kShape}, {kWholeGpus, kShare}, {kEstimateKey, kTimeLimitKey}}};

// The entry of `table` whose key is one of `keys`, if any.
const TomlEntry* first_of(const TomlTable& table, std::span<const std::string_view> keys) {
  for (const TomlEntry& entry : table.entries)
    if (std::ranges::find(keys, entry.key) != keys.end()) return &entry;
  return nullptr;
}

// [defaults] without what the job says in another way.
TomlTable defaults_for(const TomlTable& job, TomlTable defaults) {
  const auto drop = [&](std::span<const std::string_view> keys) {
    std::erase_if(defaults.entries, [&](const TomlEntry& entry) {
      return std::ranges::find(keys, entry.key) != keys.end();
    });
  };
  for (const Exclusion& exclusion : kExclusions) {
    if (first_of(job, exclusion.one) != nullptr) drop(exclusion.other);
    if (first_of(job, exclusion.other) != nullptr) drop(exclusion.one);
  }
  return defaults;
}

class JobFileParser {
 public:
  JobFileParser(std::string_view file, const JobFileOptions& options)
      : file_(file), options_(options), jobs_(options.filter, options.most_jobs) {}

  Result<Trace> parse(std::string_view text) {
    constexpr std::array<std::string_view, 2> kTables{"defaults", "job"};
    const TomlTable root = WEIR_TRY(parse_toml(text, file_));
    WEIR_TRY(check_table(root, kTables));
    if (const auto* defaults = root.find("defaults")) {
      const auto* table = std::get_if<TomlTable>(&defaults->content);
      if (table == nullptr) return error(defaults->line, "defaults: expected a table [defaults]");
      WEIR_TRY(check_table(*table, kKeys));
      defaults_ = *table;
    }
    const auto* job = root.find("job");
    if (job == nullptr)
      return bad_input(fmt::format("{}: no job: expected at least one [[job]]", file_));
    const auto* list = std::get_if<TomlArray>(&job->content);
    if (list == nullptr) return error(job->line, "job: expected tables [[job]]");
    for (const TomlValue& item : *list) {
      const auto* table = std::get_if<TomlTable>(&item.content);
      if (table == nullptr) return error(item.line, "job: expected tables [[job]]");
      WEIR_TRY(read_job(*table, item.line));
    }
    auto trace = jobs_.finish();
    if (!trace) return bad_input(fmt::format("{}: {}", file_, trace.error().message));
    return trace;
  }

 private:
  Status read_job(const TomlTable& table, std::size_t line) {
    WEIR_TRY(check_table(table, kKeys));
    const TomlTable defaults = defaults_for(table, defaults_);
    Draft draft;
    draft.site_rails = options_.site_rails;
    for (const Field& field : kFields) {
      const TomlValue* value = table.find(field.key);
      if (value == nullptr) value = defaults.find(field.key);
      if (value == nullptr) continue;
      if (const Status status = field.set(draft, *value); !status)
        return error(value->line, fmt::format("{}: {}", field.key, status.error().message),
                     status.error().code);
    }
    if (table.find("runtime") == nullptr && defaults.find("runtime") == nullptr)
      return error(line, describe_job(draft) + "runtime is missing: how long does it run?");
    return repeat(draft, line);
  }

  Status repeat(const Draft& draft, std::size_t line) {
    described_ += draft.count;
    if (described_ > options_.most_jobs)
      return error(
          line,
          fmt::format("the file describes more than {} jobs", with_thousands(options_.most_jobs)),
          Errc::kLimit);
    TraceJob job = draft.job;
    for (std::uint64_t i = 1; i <= draft.count; ++i) {
      if (draft.count > 1 && !draft.job.job.name.empty())
        job.job.name = fmt::format("{}-{}", draft.job.job.name, i);
      if (i == 1 || i == draft.count) {
        // A job that gives a count has no gang of its own yet: check the rest of it.
        Job checked = job.job;
        if (job.gpus > 0) checked.gang = gang_of_gpus(1, 1);
        if (const Status status = check(checked); !status)
          return error(line, describe_job(draft) + status.error().message, status.error().code);
      }
      if (Status status = jobs_.add(job); !status)
        return error(line, status.error().message, status.error().code);
      job.submit = job.submit + draft.every;
    }
    return {};
  }

  Status check_table(const TomlTable& table, std::span<const std::string_view> known) {
    for (const TomlEntry& entry : table.entries)
      if (const Status status = check_key(entry, known); !status)
        return error(entry.line, status.error().message);
    for (const Exclusion& exclusion : kExclusions) {
      const TomlEntry* one = first_of(table, exclusion.one);
      const TomlEntry* other = first_of(table, exclusion.other);
      if (one != nullptr && other != nullptr)
        return error(std::max(one->line, other->line),
                     fmt::format("{} and {} exclude each other: keep one", one->key, other->key));
    }
    return {};
  }

  [[nodiscard]] static std::string describe_job(const Draft& draft) {
    const std::string& name = draft.job.job.name;
    return name.empty() ? "job: " : fmt::format("job {}: ", quoted(name));
  }

  [[nodiscard]] std::unexpected<Error> error(std::size_t line, std::string_view message,
                                             Errc code = Errc::kBadInput) const {
    return std::unexpected(Error{code, fmt::format("{}:{}: {}", file_, line, message)});
  }

  std::string_view file_;
  const JobFileOptions& options_;
  TomlTable defaults_;
  TraceBuilder jobs_;
  std::uint64_t described_ = 0;
};

}  // namespace

Result<Trace> parse_job_file(std::string_view text, std::string_view file,
                             const JobFileOptions& options) {
  return JobFileParser(file, options).parse(text);
}

}  // namespace weir
