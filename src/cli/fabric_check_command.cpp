#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/routing_options.hpp"
#include "lab/fabric_files.hpp"

namespace weir::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  RoutingArguments routing;
};

struct Verdict {
  std::string text;
  bool good = true;
};

std::string joined_text(const fabric::SiteRoutes::PlaneCheck& plane) {
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
  Verdict verdict{tables_text(options.routing) + "\n"};
  for (const fabric::SiteRoutes::PlaneCheck& plane : routes.check()) {
    const fabric::SubnetSwitch& first = plane.subnet->switches.front();
    verdict.text +=
        fmt::format("plane of switch {}: {}", fabric::to_text(first.guid), joined_text(plane));
    verdict.text += loop_text(view.graph, plane.found);
    verdict.good = verdict.good && plane.found.cut_pairs == 0 && plane.found.credit_loop.empty();
  }
  return verdict;
}

}  // namespace

void add_fabric_check_command(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "check",
      "Do the forwarding tables join all pairs, and can packets block each other in a circle? Exit "
      "code 1 if not, or if they can");
  const auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->files, "Dumps of the fabric, as for `show`")->required();
  add_tables_option(*command, options->routing);
  add_routing_options(*command, options->routing);
  command->callback([options, &exit_code] {
    const Result<Verdict> verdict = check(*options);
    if (!verdict) {
      exit_code = fail(verdict.error());
      return;
    }
    exit_code = print_whole(verdict->text) == 0 && verdict->good ? 0 : 1;
  });
}

}  // namespace weir::cli
