// `weir drain` and `weir undrain`: the same request with another word.
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "net/target.hpp"

namespace weir::cli {
namespace {

struct NodeOptions {
  std::vector<std::string> nodes;
  std::string socket;
};

// Asks for every node, also when one is refused; the code of the first failure.
int change_all(const NodeOptions& options, const std::string& word) {
  auto controller = ControllerClient::make(options.socket);
  if (!controller) return fail(controller.error());
  int exit_code = 0;
  for (const std::string& node : options.nodes) {
    Status done;
    const std::string target = fmt::format("/v1/nodes/{}/{}", net::percent_encode(node), word);
    if (const auto body = controller->post(target); !body)
      done = std::unexpected(body.error());
    else
      done = put(fmt::format("Node {} {}ed\n", node, word));
    if (done) continue;
    const int code = fail(done.error());
    if (exit_code == 0) exit_code = code;
  }
  return exit_code;
}

void add_change(CLI::App& app, int& exit_code, const std::string& word, const std::string& help) {
  CLI::App* command = app.add_subcommand(word, help);
  const auto options = std::make_shared<NodeOptions>();
  command->add_option("NODE", options->nodes, "Names of nodes")->required();
  add_socket_option(*command, options->socket);
  command->callback([options, word, &exit_code] { exit_code = change_all(*options, word); });
}

}  // namespace

void add_node_change_commands(CLI::App& app, int& exit_code) {
  add_change(app, exit_code, "drain", "Start nothing more on nodes; what runs there goes on");
  add_change(app, exit_code, "undrain", "Let nodes take jobs again");
}

}  // namespace weir::cli
