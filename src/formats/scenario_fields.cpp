#include "formats/scenario_fields.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/host_expression.hpp"
#include "formats/job_fields.hpp"

namespace weir::scenario_fields {
namespace {

// A field of T: its key and what its value does.
template <typename T>
struct Field {
  std::string_view key;
  Status (*set)(T& target, const TomlValue& value);
};

// Reads every entry by the field of its key.
template <typename T>
Status read_all(T& target, const TomlTable& table, std::span<const Field<T>> fields) {
  for (const TomlEntry& entry : table.entries) {
    const auto field = std::ranges::find(fields, entry.key, &Field<T>::key);
    if (field == fields.end()) {
      std::vector<std::string_view> known;
      for (const Field<T>& one : fields) known.push_back(one.key);
      const std::string_view near = closest(entry.key, known);
      return bad_input(fmt::format("unknown field {}{}", quoted(entry.key),
                                   near.empty() ? "" : fmt::format(": did you mean {}?", near)));
    }
    if (const Status status = field->set(target, entry.value); !status)
      return std::unexpected(
          Error{status.error().code, fmt::format("{}: {}", entry.key, status.error().message)});
  }
  return {};
}

template <typename Place, typename T>
Status assign(Place& place, Result<T> value) {
  if (!value) return std::unexpected(std::move(value).error());
  place = *std::move(value);
  return {};
}

Result<std::uint32_t> count(const TomlValue& value, std::uint64_t highest = limits::kNodes) {
  return static_cast<std::uint32_t>(WEIR_TRY(job_fields::number(value, 0, highest)));
}

Result<bool> truth(const TomlValue& value) {
  if (const auto* found = std::get_if<bool>(&value.content)) return *found;
  return bad_input("expected true or false, found " + describe(value));
}

Result<std::vector<std::string>> hosts(const TomlValue& value) {
  std::vector<std::string> names;
  const std::string expression = WEIR_TRY(job_fields::text(value));
  WEIR_TRY(expand_hosts(expression, names));
  return names;
}

Result<std::vector<std::uint32_t>> counts(const TomlValue& value) {
  const auto* list = std::get_if<TomlArray>(&value.content);
  if (list == nullptr) return bad_input("expected a list like [2, 1], found " + describe(value));
  std::vector<std::uint32_t> found;
  for (const TomlValue& item : *list) found.push_back(WEIR_TRY(count(item)));
  return found;
}

// Sorted and once each, or one text alone.
Result<std::vector<std::string>> names(const TomlValue& value) {
  if (const auto* one = std::get_if<std::string>(&value.content)) return std::vector{*one};
  return job_fields::texts(value);
}

template <Level level>
Status set_place(ScenarioNodes& nodes, const TomlValue& value) {
  return assign(nodes.place[static_cast<std::size_t>(level)], job_fields::text(value));
}

template <Level level>
Status set_per(Expectation& expectation, const TomlValue& value) {
  return assign(expectation.per[static_cast<std::size_t>(level)], counts(value));
}

Status set_hca(ScenarioSwitch& one, const TomlValue& value) {
  one.hca = static_cast<std::uint8_t>(WEIR_TRY(job_fields::number(value, 0, limits::kRails - 1)));
  return {};
}

}  // namespace

Status read(ScenarioSettings& settings, const TomlTable& table) {
  using S = ScenarioSettings;
  static constexpr Field<S> kFields[] = {
      {"order", [](S& s, const TomlValue& v) { return assign(s.order, job_fields::text(v)); }},
      {"placement",
       [](S& s, const TomlValue& v) { return assign(s.placement, job_fields::text(v)); }},
      {"backfill",
       [](S& s, const TomlValue& v) { return assign(s.backfill, job_fields::text(v)); }},
      {"seed",
       [](S& s, const TomlValue& v) {
         return assign(s.seed, job_fields::number(v, 0, INT64_MAX));
       }},
      {"refuse_impossible",
       [](S& s, const TomlValue& v) { return assign(s.refuse_impossible, truth(v)); }},
  };
  return read_all<S>(settings, table, kFields);
}

Status read(ScenarioNodes& nodes, const TomlTable& table) {
  using N = ScenarioNodes;
  static constexpr Field<N> kFields[] = {
      {"gpus",
       [](N& n, const TomlValue& v) {
         return assign(n.kind.total.gpus, count(v, limits::kGpusPerNode));
       }},
      {"cpus",
       [](N& n, const TomlValue& v) {
         return assign(n.kind.total.cpu_milli, job_fields::thousandths(v, 0, UINT32_MAX));
       }},
      {"memory",
       [](N& n, const TomlValue& v) {
         return assign(n.kind.total.memory_mib, job_fields::memory_mib(v));
       }},
      {"gpu_model",
       [](N& n, const TomlValue& v) { return assign(n.kind.gpu_model, job_fields::text(v)); }},
      {"partition", [](N& n, const TomlValue& v) { return assign(n.kind.partitions, names(v)); }},
      {"features", [](N& n, const TomlValue& v) { return assign(n.kind.features, names(v)); }},
      {"grade", [](N& n, const TomlValue& v) { return assign(n.grade, job_fields::grade(v)); }},
      {"block", set_place<Level::kBlock>},
      {"unit", set_place<Level::kUnit>},
      {"pod", set_place<Level::kPod>},
      {"fabric", set_place<Level::kFabric>},
  };
  return read_all<N>(nodes, table, kFields);
}

Status read(ScenarioSwitch& one, const TomlTable& table) {
  using W = ScenarioSwitch;
  static constexpr Field<W> kFields[] = {
      {"hosts", [](W& w, const TomlValue& v) { return assign(w.hosts, hosts(v)); }},
      {"switches", [](W& w, const TomlValue& v) { return assign(w.switches, hosts(v)); }},
      {"hca", set_hca},
  };
  return read_all<W>(one, table, kFields);
}

Status read(Expectation& expectation, const TomlTable& table) {
  using E = Expectation;
  static constexpr Field<E> kFields[] = {
      {"on", [](E& e, const TomlValue& v) { return assign(e.on, hosts(v)); }},
      {"among", [](E& e, const TomlValue& v) { return assign(e.among, hosts(v)); }},
      {"inside", [](E& e, const TomlValue& v) { return assign(e.inside, job_fields::text(v)); }},
      {"spans", [](E& e, const TomlValue& v) { return assign(e.spans, job_fields::level(v)); }},
      {"per_block", set_per<Level::kBlock>},
      {"per_unit", set_per<Level::kUnit>},
      {"per_pod", set_per<Level::kPod>},
      {"per_fabric", set_per<Level::kFabric>},
      {"crossings", [](E& e, const TomlValue& v) { return assign(e.crossings, count(v)); }},
      {"reason", [](E& e, const TomlValue& v) { return assign(e.reason, job_fields::text(v)); }},
      {"promised",
       [](E& e, const TomlValue& v) { return assign(e.promised, job_fields::duration(v)); }},
      {"free_gpus", [](E& e, const TomlValue& v) { return assign(e.free_gpus, count(v)); }},
      {"planes", [](E& e, const TomlValue& v) { return assign(e.planes, count(v)); }},
      {"units", [](E& e, const TomlValue& v) { return assign(e.units, count(v)); }},
      {"pods", [](E& e, const TomlValue& v) { return assign(e.pods, count(v)); }},
      {"fabrics", [](E& e, const TomlValue& v) { return assign(e.fabrics, count(v)); }},
  };
  return read_all<E>(expectation, table, kFields);
}

}  // namespace weir::scenario_fields
