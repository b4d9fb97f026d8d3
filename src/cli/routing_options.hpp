// The options by which commands choose forwarding tables, and what they mean.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "fabric/routing.hpp"

namespace CLI {
class App;
}

namespace weir::cli {

struct RoutingArguments {
  std::string rule = "ftree";
  std::vector<std::string> roots;
  bool connect_roots = false;
};

void add_routing_options(CLI::App& command, RoutingArguments& arguments);

// Errors: a rule that does not exist, a root that is no GUID.
Result<fabric::RoutingOptions> routing_options(const RoutingArguments& arguments);

// Prints to standard output; the exit code.
int print_whole(const std::string& text);

}  // namespace weir::cli
