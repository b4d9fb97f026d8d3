// JSON, TOML and flags into the fields of a job request.
#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/job_request.hpp"
#include "formats/job_request_fields.hpp"
#include "formats/json_text.hpp"

namespace weir {
namespace {

using job_request::Place;
using job_request::read_fields;

// A table of the file's root.
Result<const TomlTable*> table_of(const TomlValue& value, std::string_view file,
                                  std::string_view form) {
  const auto* table = std::get_if<TomlTable>(&value.content);
  if (table == nullptr)
    return bad_input(fmt::format("{}:{}: expected a table {}", file, value.line, form));
  return table;
}

}  // namespace

Result<JobRequest> parse_job_request_json(std::string_view text) {
  const TomlValue root = WEIR_TRY(parse_json(text));
  const auto* table = std::get_if<TomlTable>(&root.content);
  if (table == nullptr)
    return bad_input("expected an object like {\"command\": [\"hostname\"]}, found " +
                     describe(root));
  JobRequest request;
  WEIR_TRY(read_fields(request, *table, {Place::Style::kJson, "", ""}));
  if (request.command.empty())
    return bad_input("/command: it is missing: expected a list like [\"python\", \"train.py\"]");
  return request;
}

Result<std::vector<JobRequest>> parse_job_requests_toml(std::string_view text,
                                                        std::string_view file) {
  if (text.size() > limits::kRequestBytes)
    return over_limit(fmt::format("{}: it has {} bytes: expected at most {}", file,
                                  with_thousands(text.size()),
                                  with_thousands(limits::kRequestBytes)));
  const TomlTable root = WEIR_TRY(parse_toml(text, file));
  for (const TomlEntry& entry : root.entries)
    if (entry.key != "job" && entry.key != "defaults")
      return bad_input(fmt::format("{}:{}: unknown table {}: expected [[job]] and [defaults]", file,
                                   entry.line, quoted(entry.key)));
  const Place place{Place::Style::kToml, std::string(file), ""};
  JobRequest defaults;
  if (const TomlValue* value = root.find("defaults")) {
    const TomlTable* table = WEIR_TRY(table_of(*value, file, "[defaults]"));
    WEIR_TRY(read_fields(defaults, *table, place));
  }
  const TomlValue* jobs = root.find("job");
  if (jobs == nullptr)
    return bad_input(fmt::format("{}: no job: expected at least one [[job]]", file));
  const auto* list = std::get_if<TomlArray>(&jobs->content);
  if (list == nullptr)
    return bad_input(fmt::format("{}:{}: job: expected tables [[job]]", file, jobs->line));
  std::vector<JobRequest> requests;
  for (const TomlValue& item : *list) {
    const TomlTable* table = WEIR_TRY(table_of(item, file, "[[job]]"));
    JobRequest request = defaults;
    WEIR_TRY(read_fields(request, *table, place));
    if (request.command.empty())
      return place.child("command").error(
          item.line, "it is missing: expected a list like [\"python\", \"train.py\"]");
    requests.push_back(std::move(request));
  }
  if (requests.empty())
    return bad_input(fmt::format("{}: no job: expected at least one [[job]]", file));
  return requests;
}

Status set_job_flag(JobRequest& request, std::string_view flag, std::string_view text) {
  return job_request::read_flag(request, flag, text);
}

}  // namespace weir
