#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/answer.hpp"
#include "cli/columns.hpp"
#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"

namespace weir::cli {
namespace {

struct NodesOptions {
  std::string socket;
  bool json = false;
};

// "2/8": free of total.
std::string free_of(const TomlTable& node, std::string_view what) {
  const TomlTable* free = table_of(node, "free");
  const TomlTable* total = table_of(node, "total");
  if (free == nullptr || total == nullptr) return "?";
  return fmt::format("{}/{}", short_number(number_of(*free, what).value_or(0)),
                     short_number(number_of(*total, what).value_or(0)));
}

// "61.5/64" GiB
std::string free_memory(const TomlTable& node) {
  const auto gib = [&node](std::string_view key) {
    const TomlTable* part = table_of(node, key);
    const double mib = part == nullptr ? 0 : number_of(*part, "memory_mib").value_or(0);
    return short_number(static_cast<double>(static_cast<std::int64_t>(mib / 102.4)) / 10);
  };
  return gib("free") + "/" + gib("total");
}

std::vector<std::string> row_of(const TomlTable& node) {
  std::string jobs;
  for (const TomlTable* lease : tables_of(node, "leases"))
    jobs += fmt::format("{}{}", jobs.empty() ? "" : ",", whole_of(*lease, "job").value_or(0));
  return {text_of(node, "name"),     text_of(node, "state"), free_of(node, "gpus"),
          free_of(node, "cpus"),     free_memory(node),      text_of(node, "gpu_model"),
          jobs.empty() ? "-" : jobs, text_of(node, "why")};
}

Status show_nodes(const NodesOptions& options) {
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  const std::string body = WEIR_TRY(controller.get("/v1/nodes"));
  const TomlTable answer = WEIR_TRY(parse_answer(body));
  if (options.json) return put(body.ends_with('\n') ? body : body + "\n");
  std::vector<std::vector<std::string>> rows;
  for (const TomlTable* node : tables_of(answer, "nodes")) rows.push_back(row_of(*node));
  return put(columns_text({{"NODE", false},
                           {"STATE", false},
                           {"FREE GPUS", true},
                           {"FREE CPUS", true},
                           {"FREE GIB", true},
                           {"MODEL", false, 20},
                           {"JOBS", false, 24},
                           {"WHY CLOSED", false}},
                          rows));
}

}  // namespace

void add_nodes_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("nodes", "All nodes: state, what is free, whose jobs");
  const auto options = std::make_shared<NodesOptions>();
  command->add_flag("--json", options->json, "As JSON");
  add_socket_option(*command, options->socket);
  command->callback([options, &exit_code] {
    const Status done = show_nodes(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
