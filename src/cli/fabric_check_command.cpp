#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "cli/routing_options.hpp"
#include "lab/fabric_files.hpp"
#include "report/route_json.hpp"

namespace weir::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  RoutingArguments routing;
  bool json = false;
};

using PlaneCheck = fabric::SiteRoutes::PlaneCheck;

struct Verdict {
  std::string text;
  bool good = true;
};

std::string joined_text(const PlaneCheck& plane) {
  const fabric::TableCheck& found = plane.found;
  if (found.cut_pairs == 0)
    return fmt::format("all {} pairs of end ports joined\n", with_thousands(found.pairs));
  const auto why = plane.map->route(found.first_cut->first, found.first_cut->second);
  return fmt::format("{} of {} pairs of end ports not joined, for example:\n    {}\n",
                     with_thousands(found.cut_pairs), with_thousands(found.pairs),
                     why ? "" : why.error().message);
}

std::string loop_text(const fabric::Snapshot& graph, const fabric::TableCheck& found) {
  if (found.credit_loop.empty()) return "  no credit loop\n";
  std::string text = "  credit loop: packets can wait for each other for good along\n";
  for (const fabric::Channel channel : found.credit_loop)
    text += fmt::format("    {} -> {}\n", port_text(graph, sender(graph, channel)),
                        port_text(graph, receiver(graph, channel)));
  return text;
}

Result<Verdict> check(const CheckOptions& options) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  const fabric::SiteView view = WEIR_TRY(lab::read_site(paths));
  const fabric::SiteRoutes routes = WEIR_TRY(routes_of(view, options.routing));
  if (routes.planes() == 0) return bad_input("there is no switch in these files");
  const std::vector<PlaneCheck> planes = routes.check();
  const bool good = std::ranges::all_of(planes, [](const PlaneCheck& plane) {
    return plane.found.cut_pairs == 0 && plane.found.credit_loop.empty();
  });
  if (options.json)
    return Verdict{report::check_json(view.graph, planes, tables_name(options.routing)) + "\n",
                   good};
  std::string text = tables_text(options.routing) + "\n";
  for (const PlaneCheck& plane : planes)
    text += fmt::format("plane of switch {}: {}{}",
                        fabric::to_text(plane.subnet->switches.front().guid), joined_text(plane),
                        loop_text(view.graph, plane.found));
  return Verdict{std::move(text), good};
}

Result<bool> print_verdict(const CheckOptions& options) {
  const Verdict verdict = WEIR_TRY(check(options));
  WEIR_TRY(put(verdict.text));
  return verdict.good;
}

}  // namespace

void add_fabric_check_command(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "check",
      "Do the forwarding tables join all pairs, and can packets block each other in a circle? Exit "
      "code 1 if not, or if they can");
  const auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->files, "Dumps of the fabric, as for `show`")->required();
  command->add_flag("--json", options->json, "Print one JSON object");
  add_tables_option(*command, options->routing);
  add_routing_options(*command, options->routing);
  command->callback([options, &exit_code] {
    const Result<bool> good = print_verdict(*options);
    exit_code = !good ? fail(good.error()) : *good ? 0 : 1;
  });
}

}  // namespace weir::cli
