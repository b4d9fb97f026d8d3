#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"

namespace weir::cli {
namespace {

struct LogsOptions {
  std::string job;
  std::uint32_t rank = 0;
  bool follow = false;
  std::string socket;
};

Status show_log(const LogsOptions& options) {
  const std::uint64_t id = WEIR_TRY(parse_job_id(options.job));
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  Status written;
  // Bytes as the task wrote them, at once.
  WEIR_TRY(controller.follow(log_target(id, options.rank, options.follow),
                             [&written](std::string_view piece) {
                               written = put(std::string(piece));
                               return written.has_value();
                             }));
  return written;
}

}  // namespace

void add_logs_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("logs", "What a task of a job wrote");
  const auto options = std::make_shared<LogsOptions>();
  command->add_option("ID", options->job, "Number of the job")->required();
  command->add_option("--rank", options->rank, "Rank of the task (0)");
  command->add_flag("-f,--follow", options->follow, "Go on until the task has ended");
  add_socket_option(*command, options->socket);
  command->callback([options, &exit_code] {
    const Status done = show_log(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
