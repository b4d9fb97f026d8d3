// weir serve: the controller of a site, in the foreground.
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/live_options.hpp"
#include "cli/socket_path.hpp"
#include "controller/controller.hpp"
#include "os/machine.hpp"

namespace weir::cli {
namespace {

struct Arguments {
  std::string state = "/var/lib/weir";
  std::string socket;
  std::string listen = "0.0.0.0:7410";
  std::string joining = "0.0.0.0:7411";
  std::vector<std::string> names;
  std::string order = "priority";
  std::string placement = "weir";
  double heartbeat = 2;
  double silence = 10;
  double deadline = 60;
  double margin = 10;
};

Duration seconds(double count) { return Duration(static_cast<std::int64_t>(count * 1e6)); }

int serve(const Arguments& arguments) {
  auto stop = os::stop_signals();
  if (!stop) return fail(stop.error());
  controller::ControllerOptions options = live_controller();
  options.state = arguments.state;
  auto socket = socket_path(arguments.socket, SocketUse::kServe);
  if (!socket) return fail(socket.error());
  options.socket = *std::move(socket);
  options.agents = arguments.listen;
  options.joining = arguments.joining;
  options.names = arguments.names.empty() ? std::vector<std::string>{os::host_name(), "localhost"}
                                          : arguments.names;
  options.settings.order = arguments.order;
  options.settings.placement = arguments.placement;
  options.heartbeat = seconds(arguments.heartbeat);
  options.silence = seconds(arguments.silence);
  options.deadline = seconds(arguments.deadline);
  options.margin = seconds(arguments.margin);
  options.log = log_line;
  auto controller = controller::Controller::open(std::move(options));
  if (!controller) return fail(controller.error());
  log_line(fmt::format("serving; agents connect to port {}, join at port {}",
                       (*controller)->agents_port(), (*controller)->joining_port()));
  if (const Status ran = (*controller)->run(stop->get()); !ran) return fail(ran.error());
  return 0;
}

}  // namespace

void add_serve_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* serve_app = app.add_subcommand("serve", "Run the controller of a site");
  serve_app->add_option("--state", arguments->state, "Where it keeps what must not be lost")
      ->capture_default_str();
  serve_app->add_option("--socket", arguments->socket, "Where commands reach it");
  serve_app->add_option("--listen", arguments->listen, "Address for agents")->capture_default_str();
  serve_app->add_option("--join-listen", arguments->joining, "Address where nodes join")
      ->capture_default_str();
  serve_app->add_option("--name", arguments->names,
                        "Names and addresses of this host, the first is told to nodes that join");
  serve_app->add_option("--order", arguments->order, "Order of the queue")->capture_default_str();
  serve_app->add_option("--placement", arguments->placement)->capture_default_str();
  const auto add_seconds = [&](const char* name, double& value, const char* what) {
    serve_app->add_option(name, value, what)->capture_default_str()->check(CLI::PositiveNumber);
  };
  add_seconds("--heartbeat", arguments->heartbeat, "Seconds between two signs of life of an agent");
  add_seconds("--silence", arguments->silence, "Seconds after which a silent session is over");
  add_seconds("--deadline", arguments->deadline,
              "Seconds after which a node that is cut off ends what must end then");
  add_seconds("--margin", arguments->margin, "Seconds more until such work starts elsewhere");
  serve_app->callback([arguments, &exit_code] { exit_code = serve(*arguments); });
}

}  // namespace weir::cli
