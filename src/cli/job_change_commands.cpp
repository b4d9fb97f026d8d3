// `weir cancel`, `hold`, `release` and `requeue`: the same request with another word.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"

namespace weir::cli {
namespace {

struct Change {
  const char* word;
  const char* help;
  const char* done;
};

struct ChangeOptions {
  std::vector<std::string> jobs;
  std::string socket;
};

// Asks for every job, also when one is refused; the code of the first failure.
int change_all(const ChangeOptions& options, const Change& change) {
  std::vector<std::uint64_t> ids;
  for (const std::string& text : options.jobs) {
    const auto id = parse_job_id(text);
    if (!id) return fail(id.error());
    ids.push_back(*id);
  }
  auto controller = ControllerClient::make(options.socket);
  if (!controller) return fail(controller.error());
  int exit_code = 0;
  for (const std::uint64_t id : ids) {
    Status done;
    if (const auto body = controller->post(job_target(id, fmt::format("/{}", change.word))); !body)
      done = std::unexpected(body.error());
    else
      done = put(fmt::format("Job {} {}\n", id, change.done));
    if (done) continue;
    const int code = fail(done.error());
    if (exit_code == 0) exit_code = code;
  }
  return exit_code;
}

void add_change(CLI::App& app, int& exit_code, const Change& change) {
  CLI::App* command = app.add_subcommand(change.word, change.help);
  const auto options = std::make_shared<ChangeOptions>();
  command->add_option("ID", options->jobs, "Numbers of jobs")->required();
  add_socket_option(*command, options->socket);
  command->callback([options, change, &exit_code] { exit_code = change_all(*options, change); });
}

}  // namespace

void add_job_change_commands(CLI::App& app, int& exit_code) {
  add_change(app, exit_code, {"cancel", "End jobs, or take them out of the queue", "cancelled"});
  add_change(app, exit_code, {"hold", "Keep jobs that wait from being started", "held"});
  add_change(app, exit_code, {"release", "Let held jobs be started", "released"});
  add_change(app, exit_code, {"requeue", "End jobs that run and start them again", "requeued"});
}

}  // namespace weir::cli
