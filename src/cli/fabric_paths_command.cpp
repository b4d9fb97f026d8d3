#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "cli/routing_options.hpp"
#include "fabric/site_routes.hpp"
#include "lab/fabric_files.hpp"
#include "report/route_json.hpp"

namespace weir::cli {
namespace {

using fabric::SiteRoutes;
using fabric::SiteView;

struct PathsOptions {
  std::vector<std::string> words;  // files, then hosts
  std::string ring;
  RoutingArguments routing;
  bool json = false;
};

// The words with the hosts taken off.
struct Question {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> hosts;
};

Result<Question> question(const PathsOptions& options) {
  Question asked;
  asked.files.assign(options.words.begin(), options.words.end());
  if (!options.ring.empty()) {
    for (const std::string_view host : split(options.ring, ','))
      asked.hosts.emplace_back(trim(host));
  } else {
    if (asked.files.size() < 3)
      return bad_input("expected dumps of a fabric and two hosts: FILE... A B");
    for (const auto& word : {asked.files.end()[-2], asked.files.end()[-1]})
      asked.hosts.push_back(word.string());
    asked.files.resize(asked.files.size() - 2);
  }
  if (asked.hosts.size() < 2) return bad_input("a ring needs two hosts or more: --ring A,B,C");
  return asked;
}

Result<NodeId> node_called(const SiteView& view, const std::string& name) {
  std::vector<std::string_view> known;
  for (std::uint32_t n = 0; n < view.nodes.size(); ++n) {
    known.push_back(view.host_of(view.nodes[n]).name);
    if (known.back() == name) return NodeId(n);
  }
  const std::string_view near = closest(name, known);
  return bad_input(fmt::format("no compute node is called {}{}", weir::quoted(name),
                               near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

std::string route_text(const SiteView& view, const fabric::Route& route) {
  std::string text;
  for (const fabric::Channel channel : route)
    text += fmt::format("    {} -> {}\n", port_text(view.graph, sender(view.graph, channel)),
                        port_text(view.graph, receiver(view.graph, channel)));
  return text;
}

std::string pair_text(const SiteView& view, const std::vector<Result<fabric::Route>>& by_rail) {
  std::string text;
  for (std::size_t r = 0; r < by_rail.size(); ++r) {
    if (!by_rail[r]) {
      text += fmt::format("  rail {}  {}\n", r, by_rail[r].error().message);
    } else {
      const std::size_t switches = by_rail[r]->empty() ? 0 : by_rail[r]->size() - 1;
      text += fmt::format("  rail {}  {} {}\n", r, switches, switches == 1 ? "switch" : "switches");
      text += route_text(view, *by_rail[r]);
    }
  }
  return text;
}

std::string ring_text(const SiteView& view, const std::vector<fabric::RingLoad>& rails) {
  std::string text = "  rail  routes  over spines  busiest cable between switches\n";
  for (const fabric::RingLoad& ring : rails) {
    std::string busiest = "none";
    if (ring.busiest) {
      const fabric::Channel channel = ring.busiest->channel;
      busiest = fmt::format("{} routes: {} -> {}", ring.busiest->routes,
                            port_text(view.graph, sender(view.graph, channel)),
                            port_text(view.graph, receiver(view.graph, channel)));
    }
    text += fmt::format("  {:>4}  {:>6}  {:>11}  {}\n", ring.rail.value(), ring.routes,
                        ring.over_spines, busiest);
  }
  return text;
}

Result<std::string> answer(const PathsOptions& options) {
  const Question asked = WEIR_TRY(question(options));
  const SiteView view = WEIR_TRY(lab::read_site(asked.files));
  std::vector<NodeId> nodes;
  for (const std::string& host : asked.hosts) nodes.push_back(WEIR_TRY(node_called(view, host)));
  const SiteRoutes routes = WEIR_TRY(routes_of(view, options.routing));
  const std::string tables = tables_text(options.routing);
  const std::string_view name = tables_name(options.routing);
  if (!options.ring.empty()) {
    const std::vector<fabric::RingLoad> rails = WEIR_TRY(routes.ring(nodes));
    if (options.json) return report::ring_json(view, nodes, rails, name) + "\n";
    return fmt::format("Ring of {} nodes, {}\n{}", nodes.size(), tables, ring_text(view, rails));
  }
  if (options.json)
    return report::paths_json(view, routes, std::span<const NodeId, 2>(nodes), name) + "\n";
  return fmt::format("{} to {}, {}\n{}", asked.hosts[0], asked.hosts[1], tables,
                     pair_text(view, routes.by_rail(nodes[0], nodes[1])));
}

Status paths(const PathsOptions& options) { return put(WEIR_TRY(answer(options))); }

}  // namespace

void add_fabric_paths_command(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "paths", "The cables between two hosts on every rail, or the busiest cable of a ring");
  const auto options = std::make_shared<PathsOptions>();
  command
      ->add_option("FILE... A B", options->words,
                   "Dumps of the fabric as for `show`, then two hosts (none with --ring)")
      ->required();
  command->add_option(
      "--ring", options->ring,
      "Hosts in the order of their ranks, A,B,C: what their ring puts on the cables");
  command->add_flag("--json", options->json, "Print one JSON object");
  add_tables_option(*command, options->routing);
  add_routing_options(*command, options->routing);
  command->callback([options, &exit_code] {
    const Status done = paths(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
