#include "cli/job_flags.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/limits.hpp"
#include "net/target.hpp"
#include "os/files.hpp"

namespace weir::cli {
namespace {

struct Flag {
  const char* names;
  const char* field;
  const char* help;
};

// As sbatch calls them where it has the same.
constexpr std::array kFlags{
    Flag{"-J,--name", "name", "Name of the job (the program's)"},
    Flag{"-N,--nodes", "nodes", "Nodes (1)"},
    Flag{"--gpus", "gpus", "GPUs of each node"},
    Flag{"--gpu-share", "gpu-share", "A share of one GPU instead, such as 0.5"},
    Flag{"--cpus", "cpus", "CPUs of each node"},
    Flag{"--memory", "memory", "Memory of each node: 64G, or a number of MiB"},
    Flag{"--tasks-per-node", "tasks-per-node", "Tasks of each node (1)"},
    Flag{"-t,--time", "time", "How long it may run: 90s, 2h, MM:SS, HH:MM:SS, D-HH:MM"},
    Flag{"--class", "class", "What kind of work it is, such as training"},
    Flag{"-p,--partition", "partition", "Partition"},
    Flag{"--gpu-model", "gpu-model", "GPU models that will do, separated by commas"},
    Flag{"--features", "features", "What its nodes must have, separated by commas"},
    Flag{"--priority", "priority", "Priority among the jobs of its class"},
    Flag{"--require", "require", "All its nodes within one domain of this level, such as unit"},
    Flag{"--prefer", "prefer", "The same, if it can be"},
    Flag{"--exclusive", "exclusive", "A domain of this level for itself"},
    Flag{"--segment", "segment", "Nodes that must stand together, as 4@unit"},
    Flag{"--signal", "signal", "How its tasks are ended: TERM, or USR1@60s with the grace"},
    Flag{"--grace", "grace", "Time between the signal and the kill (30s)"},
    Flag{"--retries", "retries", "How often it may be started again (0)"},
    Flag{"--retry-on", "retry-on", "After which ends: failure,node-failure,time-limit"},
    Flag{"--begin", "begin", "Not before: 2026-01-05T09:00:00 (UTC) or now+10m"},
    Flag{"-d,--after", "after", "Jobs to wait for: afterok:12, afterany:13, afternotok:14"},
    Flag{"-o,--output", "output", "File for its output: %j job, %t rank, %n node (kept by Weir)"},
    Flag{"-e,--error", "error", "File for its errors (as --output)"},
    Flag{"-D,--directory", "directory", "Where it runs (the current directory)"},
    Flag{"--umask", "umask", "Mask of the files it makes (yours)"},
    Flag{"--on-partition", "on-partition", "When its node is cut off: continue or end"},
};

// "NAME=value", or "NAME" with the caller's own value.
Status set_variable(JobRequest& request, const std::string& text, const Surroundings& here) {
  if (text.contains('=')) return set_job_flag(request, "environment", text);
  const char* value = here.variable(text.c_str());
  if (value == nullptr)
    return bad_input(fmt::format("--env {0}: it is not set here: say {0}=VALUE", text));
  return set_job_flag(request, "environment", fmt::format("{}={}", text, value));
}

Status set_flags(JobRequest& request, const JobFlags& flags, const Surroundings& here) {
  for (const auto& [field, text] : flags.given) {
    if (field == "environment")
      WEIR_TRY(set_variable(request, text, here));
    else if (field == "directory")
      request.directory = (std::filesystem::path(here.directory) / text).lexically_normal();
    else
      WEIR_TRY(set_job_flag(request, field, text));
  }
  if (request.directory.empty()) request.directory = here.directory;
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = here.variable(name)) request.environment.try_emplace(name, value);
  return {};
}

const char* variable_of(const char* name) { return std::getenv(name); }

}  // namespace

void add_job_flags(CLI::App& command, JobFlags& flags) {
  command.positionals_at_end();
  command.add_option("COMMAND", flags.command, "The program and its arguments");
  for (const Flag& flag : kFlags)
    command.add_option_function<std::string>(
        flag.names,
        [&flags, field = flag.field](const std::string& text) {
          flags.given.emplace_back(field, text);
        },
        flag.help);
  command.get_option("--gpu-share")->excludes(command.get_option("--gpus"));
  command
      .add_option_function<std::vector<std::string>>(
          "--env",
          [&flags](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) flags.given.emplace_back("environment", text);
          },
          "NAME=value, or NAME with the value that it has here; again for more")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command.add_flag_callback(
      "--hold", [&flags] { flags.given.emplace_back("hold", ""); }, "Wait until `weir release`");
  command.add_option("--user", flags.user, "Whose job it is (root may submit for others)");
}

Surroundings own_surroundings() {
  std::error_code ignored;
  Surroundings here;
  here.directory = std::filesystem::current_path(ignored);
  if (here.directory.empty()) here.directory = "/";
  const mode_t mask = ::umask(077);
  ::umask(mask);
  here.umask = mask;
  here.variable = variable_of;
  return here;
}

Result<JobRequest> request_of(const JobFlags& flags, const Surroundings& here) {
  if (flags.command.empty())
    return bad_input("no command: say what to run behind the flags: -- python train.py");
  JobRequest request;
  request.command = flags.command;
  request.umask = here.umask;
  WEIR_TRY(set_flags(request, flags, here));
  return request;
}

Result<std::vector<JobRequest>> requests_of(const JobFlags& flags, const std::string& file,
                                            const Surroundings& here) {
  if (!flags.command.empty())
    return bad_input("a file and a command: keep one, the jobs of a file have their own commands");
  const std::string text = WEIR_TRY(os::read_text(file, limits::kRequestBytes));
  std::vector<JobRequest> requests = WEIR_TRY(parse_job_requests_toml(text, file));
  for (JobRequest& request : requests) WEIR_TRY(set_flags(request, flags, here));
  return requests;
}

std::string submit_target(const JobFlags& flags) {
  if (flags.user.empty()) return "/v1/jobs";
  return "/v1/jobs?user=" + net::percent_encode(flags.user);
}

}  // namespace weir::cli
