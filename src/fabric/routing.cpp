#include "fabric/routing.hpp"

#include <algorithm>

#include "fabric/ftree.hpp"
#include "fabric/minhop.hpp"

namespace weir::fabric {

std::optional<RoutingRule> routing_rule_called(std::string_view name) {
  if (name == "ftree") return RoutingRule::kFtree;
  if (name == "minhop") return RoutingRule::kMinhop;
  return std::nullopt;
}

Result<ForwardingTables> compute_tables(const Subnet& subnet, const RoutingOptions& options) {
  ForwardingTables tables = options.rule == RoutingRule::kFtree
                                ? WEIR_TRY(ftree_tables(subnet, options))
                                : minhop_tables(subnet);
  std::ranges::sort(tables.switches, {}, &ForwardingTable::switch_guid);
  return tables;
}

}  // namespace weir::fabric
