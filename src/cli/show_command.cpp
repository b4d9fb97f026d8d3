#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/job_words.hpp"
#include "cli/output.hpp"

namespace weir::cli {
namespace {

struct ShowOptions {
  std::string job;
  std::string socket;
  bool json = false;
};

// "Label:       text" of what there is to tell.
class Lines {
 public:
  void add(std::string_view label, std::string_view text) {
    if (!text.empty()) text_ += fmt::format("{:<13}{}\n", fmt::format("{}:", label), text);
  }
  void add_time(std::string_view label, const TomlTable& job, std::string_view key) {
    if (const auto at = time_of(job, key)) add(label, utc_text(*at));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string asked_text(const TomlTable& job) {
  std::string text = fmt::format("{} nodes", whole_of(job, "nodes").value_or(0));
  if (const TomlTable* each = table_of(job, "per_node"))
    text += fmt::format(", of each {} GPUs, {} CPUs, {} MiB",
                        short_number(number_of(*each, "gpus").value_or(0)),
                        short_number(number_of(*each, "cpus").value_or(0)),
                        short_number(number_of(*each, "memory_mib").value_or(0)));
  return text;
}

void add_program(Lines& lines, const TomlTable& job) {
  const TomlTable* program = table_of(job, "program");
  if (program == nullptr) return;
  lines.add("Command", fmt::format("{}", fmt::join(words_of(*program, "command"), " ")));
  lines.add("Directory", text_of(*program, "directory"));
  lines.add("Output", text_of(*program, "output"));
  lines.add("Errors", text_of(*program, "error"));
}

void add_rules(Lines& lines, const TomlTable& job) {
  const TomlTable* rules = table_of(job, "rules");
  if (rules == nullptr) return;
  const auto limit = number_of(*rules, "time_limit_s");
  lines.add("Time limit", limit ? format_duration(from_seconds(*limit)) : "none");
  lines.add("Retries", fmt::format("{} of {} used", whole_of(job, "restarts").value_or(0),
                                   whole_of(*rules, "retries").value_or(0)));
}

// Each node with what it gave and how its tasks ended.
void add_lease(Lines& lines, const TomlTable& job) {
  for (const TomlTable* part : tables_of(job, "lease")) {
    std::string text = text_of(*part, "node");
    if (const auto gpus = words_of(*part, "gpus"); !gpus.empty())
      text += fmt::format(", GPUs {}", fmt::join(gpus, ","));
    if (const std::string tasks = text_of(*part, "tasks"); !tasks.empty()) text += ", " + tasks;
    for (const TomlTable* end : tables_of(*part, "ends")) {
      text +=
          fmt::format("; rank {} {}", whole_of(*end, "rank").value_or(0), text_of(*end, "cause"));
      if (const auto code = whole_of(*end, "code").value_or(0); code != 0)
        text += fmt::format(" {}", code);
      if (const std::string detail = text_of(*end, "detail"); !detail.empty())
        text += fmt::format(" ({})", detail);
    }
    lines.add("Node", text);
  }
}

std::string job_text(const TomlTable& job) {
  Lines lines;
  lines.add("Job", called(job));
  lines.add("User", text_of(job, "user"));
  lines.add("Partition", text_of(job, "partition"));
  const std::string reason = text_of(job, "reason");
  lines.add("State", text_of(job, "state") +
                         (reason.empty() || reason == "None" ? "" : " (" + reason + ")"));
  lines.add("Why", text_of(job, "why"));
  lines.add("Asks for", asked_text(job));
  lines.add("Nodes", text_of(job, "node_list"));
  lines.add("Waits for", fmt::format("{}", fmt::join(words_of(job, "waits_for"), ", ")));
  lines.add_time("Submitted", job, "submitted");
  lines.add_time("Promised", job, "promised");
  lines.add_time("Started", job, "started");
  lines.add_time("Expected end", job, "expected_end");
  lines.add_time("Ended", job, "ended");
  if (has_ended(job)) {
    if (const auto signal = whole_of(job, "signal").value_or(0); signal > 0)
      lines.add("Signal", fmt::format("{}", signal));
    else if (const auto code = whole_of(job, "exit_code"))
      lines.add("Exit code", fmt::format("{}", *code));
  }
  add_rules(lines, job);
  add_program(lines, job);
  add_lease(lines, job);
  for (const std::string& failure : words_of(job, "failures")) lines.add("Failed start", failure);
  return lines.text();
}

Status show(const ShowOptions& options) {
  const std::uint64_t id = WEIR_TRY(parse_job_id(options.job));
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  const std::string body = WEIR_TRY(controller.get(job_target(id)));
  const TomlTable job = WEIR_TRY(parse_answer(body));
  if (!options.json) return put(job_text(job));
  return put(body.ends_with('\n') ? body : body + "\n");
}

}  // namespace

void add_show_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("show", "All that is known of a job");
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("ID", options->job, "Number of the job")->required();
  command->add_flag("--json", options->json, "As JSON");
  add_socket_option(*command, options->socket);
  command->callback([options, &exit_code] {
    const Status done = show(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
