#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/job_flags.hpp"
#include "cli/output.hpp"

namespace weir::cli {
namespace {

struct SubmitOptions {
  JobFlags flags;
  std::string file;
  std::string socket;
  bool parsable = false;
};

Result<std::vector<JobRequest>> read_requests(const SubmitOptions& options) {
  const Surroundings here = own_surroundings();
  if (!options.file.empty()) return requests_of(options.flags, options.file, here);
  std::vector<JobRequest> one;
  one.push_back(WEIR_TRY(request_of(options.flags, here)));
  return one;
}

// Nothing is submitted before all of it is understood.
Status submit(const SubmitOptions& options) {
  const std::vector<JobRequest> requests = WEIR_TRY(read_requests(options));
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto body = controller.post(submit_target(options.flags), job_request_json(requests[i]));
    if (!body && requests.size() > 1)
      return std::unexpected(
          Error{body.error().code, fmt::format("{}: job {} of {}: {}", options.file, i + 1,
                                               requests.size(), body.error().message)});
    if (!body) return std::unexpected(body.error());
    const std::uint64_t id = WEIR_TRY(id_of(*body));
    // At once: what follows may fail, and this job is there.
    WEIR_TRY(
        put(options.parsable ? fmt::format("{}\n", id) : fmt::format("Submitted job {}\n", id)));
  }
  return {};
}

}  // namespace

void add_submit_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("submit", "Submit a job: flags, then -- and its command; or a file");
  const auto options = std::make_shared<SubmitOptions>();
  add_job_flags(*command, options->flags);
  command->add_option("-f,--file", options->file, "Submit every [[job]] of a TOML file");
  command->add_flag("--parsable", options->parsable, "Print nothing but the job's number");
  add_socket_option(*command, options->socket);
  command->callback([options, &exit_code] {
    const Status done = submit(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
