#include "cli/routing_options.hpp"

#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "lab/forwarding_files.hpp"
#include "report/format.hpp"

namespace weir::cli {

void add_routing_options(CLI::App& command, RoutingArguments& arguments) {
  command.add_option("--routing", arguments.rule,
                     "Compute the tables as OpenSM's engine of this name does: ftree (default) or "
                     "minhop");
  command
      .add_option("--root", arguments.roots,
                  "GUID of a top switch (several times), as in OpenSM's root_guid_file; then ftree "
                  "also takes a tree that is not regular")
      ->allow_extra_args(false);  // a list would swallow the files behind it
  command.add_flag("--connect-roots", arguments.connect_roots,
                   "ftree: also route between switches that only a way down and up again joins");
}

Result<fabric::RoutingOptions> routing_options(const RoutingArguments& arguments) {
  fabric::RoutingOptions options;
  const auto rule = fabric::routing_rule_called(arguments.rule);
  if (!rule)
    return bad_input(
        fmt::format("--routing {}: expected ftree or minhop", weir::quoted(arguments.rule)));
  options.rule = *rule;
  options.connect_roots = arguments.connect_roots;
  for (const std::string& root : arguments.roots) {
    const bool prefixed = root.starts_with("0x");
    const auto guid = parse_unsigned(std::string_view(root).substr(prefixed ? 2 : 0), 16);
    if (!guid)
      return bad_input(
          fmt::format("--root {}: expected a GUID such as 0xb8cef60300110000", weir::quoted(root)));
    options.roots.emplace_back(*guid);
  }
  return options;
}

void add_tables_option(CLI::App& command, RoutingArguments& arguments) {
  command
      .add_option("--tables", arguments.tables,
                  "Forwarding tables as dumped by OpenSM (opensm-lfts.dump), several times for "
                  "several planes; without it they are computed")
      ->allow_extra_args(false);
}

Result<fabric::SiteRoutes> routes_of(const fabric::SiteView& view,
                                     const RoutingArguments& arguments) {
  if (arguments.tables.empty())
    return fabric::SiteRoutes::compute(view, WEIR_TRY(routing_options(arguments)));
  const std::vector<std::filesystem::path> files(arguments.tables.begin(), arguments.tables.end());
  return fabric::SiteRoutes::from_tables(view, WEIR_TRY(lab::read_tables(files)));
}

std::string tables_text(const RoutingArguments& arguments) {
  return arguments.tables.empty() ? arguments.rule + " tables, computed" : "tables as dumped";
}

std::string_view tables_name(const RoutingArguments& arguments) {
  return arguments.tables.empty() ? std::string_view(arguments.rule) : "dumped";
}

std::string port_text(const fabric::Snapshot& graph, const fabric::LinkEnd& end) {
  const fabric::Vertex& vertex = graph.at(end.vertex);
  const std::string name = report::clean_text(trim(vertex.description));
  return fmt::format("{}[{}]", name.empty() ? fabric::to_text(vertex.guid) : name,
                     end.port.value());
}

}  // namespace weir::cli
