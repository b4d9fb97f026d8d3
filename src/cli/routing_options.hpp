// The options by which commands choose forwarding tables, and what they mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "fabric/routing.hpp"
#include "fabric/site_routes.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace weir::cli {

struct RoutingArguments {
  std::string rule = "ftree";
  std::vector<std::string> roots;
  bool connect_roots = false;
  std::vector<std::string> tables;  // dumps; they win over the rule
};

void add_routing_options(CLI::App& command, RoutingArguments& arguments);

// Errors: a rule that does not exist, a root that is no GUID.
Result<fabric::RoutingOptions> routing_options(const RoutingArguments& arguments);

// --tables, for commands that also take dumped tables.
void add_tables_option(CLI::App& command, RoutingArguments& arguments);

// Routes by the dumped tables where any are named, else by computed ones. REQUIRES: `view` outlives
// them. Errors: as the above, of the files, and of the tables.
Result<fabric::SiteRoutes> routes_of(const fabric::SiteView& view,
                                     const RoutingArguments& arguments);

// "ftree tables, computed"
std::string tables_text(const RoutingArguments& arguments);

// The same in a word: "ftree", "minhop" or "dumped".
std::string_view tables_name(const RoutingArguments& arguments);

// "leaf-u1-r0[33]": what the port belongs to, and its number.
std::string port_text(const fabric::Snapshot& graph, const fabric::LinkEnd& end);

}  // namespace weir::cli
