// weir agent: what runs on every node.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agent/node_agent.hpp"
#include "base/limits.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/live_options.hpp"
#include "os/machine.hpp"

namespace weir::cli {
namespace {

struct Arguments {
  std::string name;
  std::string state = "/var/lib/weir-agent";
  std::string controller;
  std::string joining;
  std::string token;
  std::string witness = "0.0.0.0:0";
  std::uint32_t gpus = 0;
  std::string gpu_model;
  std::vector<std::string> partitions;
  std::vector<std::string> features;
  double keep_output = 600;
  bool with_parent = false;
};

agent::AgentOptions options_of(const Arguments& arguments) {
  agent::AgentOptions options;
  options.name = arguments.name.empty() ? os::host_name() : arguments.name;
  options.state = arguments.state;
  options.controller = arguments.controller;
  options.joining = arguments.joining;
  options.token = arguments.token;
  options.witness = arguments.witness;
  options.kind.gpu_model = arguments.gpu_model;
  options.kind.total.gpus = arguments.gpus;
  options.kind.total.cpu_milli = os::cpus() * 1000;
  options.kind.total.memory_mib =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(os::memory_mib(), UINT32_MAX));
  options.kind.partitions = arguments.partitions;
  options.kind.features = arguments.features;
  std::ranges::sort(options.kind.partitions);
  std::ranges::sort(options.kind.features);
  for (std::uint32_t i = 0; i < arguments.gpus; ++i)
    options.gpus.push_back({fmt::format("GPU-{}-{}", options.name, i), {}});
  options.keep_output = Duration(static_cast<std::int64_t>(arguments.keep_output * 1e6));
  options.log = [name = options.name](std::string_view line) {
    log_line(fmt::format("{}: {}", name, line));
  };
  return options;
}

int run(const Arguments& arguments) {
  if (arguments.gpus > limits::kGpusPerNode)
    return fail({Errc::kBadInput, fmt::format("--gpus {}: expected at most {}", arguments.gpus,
                                              limits::kGpusPerNode)});
  if (arguments.with_parent) os::end_with_parent();
  auto stop = os::stop_signals();
  if (!stop) return fail(stop.error());
  auto agent = agent::NodeAgent::open(options_of(arguments));
  if (!agent) return fail(agent.error());
  if (const Status ran = (*agent)->run(stop->get()); !ran) return fail(ran.error());
  return 0;
}

}  // namespace

void add_agent_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* agent = app.add_subcommand("agent", "Run the agent of this node");
  agent->add_option("--name", arguments->name, "The node's name (default: the host's)");
  agent->add_option("--state", arguments->state, "A folder of its own")->capture_default_str();
  agent->add_option("--controller", arguments->controller,
                    "host:port of the controller (default: what it was told on joining)");
  agent->add_option("--join", arguments->joining, "The first time: host:port where nodes join");
  agent->add_option("--token", arguments->token, "and a token of `weir token create`");
  agent->add_option("--witness-listen", arguments->witness, "Where it answers other agents")
      ->capture_default_str();
  agent->add_option("--gpus", arguments->gpus, "GPUs to pretend to have, where there are none");
  agent->add_option("--gpu-model", arguments->gpu_model, "Their model");
  agent->add_option("--partition", arguments->partitions, "Partitions it belongs to");
  agent->add_option("--feature", arguments->features, "Features it has");
  agent
      ->add_option("--keep-output", arguments->keep_output,
                   "Seconds for which output of ended tasks can still be read")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  agent->add_flag("--with-parent", arguments->with_parent, "End when the parent process ends");
  agent->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace weir::cli
