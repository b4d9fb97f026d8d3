#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/answer.hpp"
#include "cli/columns.hpp"
#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/job_words.hpp"
#include "cli/output.hpp"
#include "net/target.hpp"
#include "os/user.hpp"

namespace weir::cli {
namespace {

// Of one page.
constexpr std::size_t kRows = 2000;

struct QueueOptions {
  std::string user;
  std::string state;
  std::string socket;
  bool all = false;
  bool json = false;
};

// Empty: everybody's jobs.
Result<std::string> whose(const QueueOptions& options) {
  if (options.all || !options.user.empty()) return options.all ? std::string() : options.user;
  if (::geteuid() == 0) return std::string();
  const auto user = os::find_user(static_cast<std::uint32_t>(::geteuid()));
  // A user without a name has no jobs of that name to pick.
  return user ? user->name : std::string();
}

std::vector<std::string> row_of(const TomlTable& job, Instant now) {
  const auto started = time_of(job, "started");
  const std::string reason = text_of(job, "reason");
  std::string where = text_of(job, "node_list");
  if (where.empty() && !reason.empty()) where = "(" + reason + ")";
  return {fmt::format("{}", whole_of(job, "id").value_or(0)),
          text_of(job, "name"),
          text_of(job, "user"),
          short_state(text_of(job, "state")),
          elapsed_text(started ? now - *started : Duration(0)),
          short_number(number_of(job, "nodes").value_or(0)),
          short_number(number_of(job, "gpus").value_or(0)),
          where};
}

Status show_queue(const QueueOptions& options) {
  std::string target = fmt::format("/v1/jobs?limit={}", kRows);
  if (const std::string user = WEIR_TRY(whose(options)); !user.empty())
    target += "&user=" + net::percent_encode(user);
  if (!options.state.empty()) target += "&state=" + net::percent_encode(options.state);
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  std::vector<std::vector<std::string>> rows;
  std::optional<std::int64_t> after;
  const Instant time = now();
  do {
    const std::string page =
        WEIR_TRY(controller.get(after ? fmt::format("{}&after={}", target, *after) : target));
    const TomlTable answer = WEIR_TRY(parse_answer(page));
    if (options.json)
      WEIR_TRY(put(page.ends_with('\n') ? page : page + "\n"));
    else
      for (const TomlTable* job : tables_of(answer, "jobs")) rows.push_back(row_of(*job, time));
    const auto next = whole_of(answer, "next");
    if (next && after && *next <= *after)
      return io_error("the controller's pages do not end: look at its log");
    after = next;
  } while (after);
  if (options.json) return {};
  return put(columns_text({{"JOBID", true},
                           {"NAME", false, 24},
                           {"USER", false, 16},
                           {"ST", false},
                           {"TIME", true},
                           {"NODES", true},
                           {"GPUS", true},
                           {"NODELIST(REASON)", false}},
                          rows));
}

}  // namespace

void add_queue_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("queue", "Jobs that wait and run, as squeue shows them");
  const auto options = std::make_shared<QueueOptions>();
  command->add_option("-u,--user", options->user, "Jobs of this user (you; root sees all)");
  command->add_flag("-a,--all", options->all, "Everybody's jobs");
  command->add_option("--state", options->state, "Only jobs in this state, such as PENDING");
  command->add_flag("--json", options->json, "As JSON, an object for each 2,000 jobs");
  add_socket_option(*command, options->socket);
  command->get_option("--all")->excludes(command->get_option("--user"));
  command->callback([options, &exit_code] {
    const Status done = show_queue(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
