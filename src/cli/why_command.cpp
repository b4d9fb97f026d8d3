#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/job_words.hpp"
#include "cli/output.hpp"

namespace weir::cli {
namespace {

struct WhyOptions {
  std::string job;
  std::string socket;
};

Status tell_why(const WhyOptions& options) {
  const std::uint64_t id = WEIR_TRY(parse_job_id(options.job));
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  const std::string body = WEIR_TRY(controller.get(job_target(id)));
  const TomlTable job = WEIR_TRY(parse_answer(body));
  return put(why_text(job, now()) + "\n");
}

}  // namespace

void add_why_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("why", "Why a job waits, where it runs, or how it ended, in a sentence");
  const auto options = std::make_shared<WhyOptions>();
  command->add_option("ID", options->job, "Number of the job")->required();
  add_socket_option(*command, options->socket);
  command->callback([options, &exit_code] {
    const Status done = tell_why(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
