#include "lab/forwarding_files.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "fabric/graph.hpp"
#include "lab/fabric_files.hpp"

namespace weir::lab {

Result<fabric::ForwardingTables> read_tables(std::span<const std::filesystem::path> paths) {
  fabric::ForwardingTables all;
  for (const std::filesystem::path& path : paths) {
    fabric::ForwardingTables one = WEIR_TRY(read_forwarding(path));
    std::ranges::move(one.switches, std::back_inserter(all.switches));
  }
  std::ranges::sort(all.switches, {}, &fabric::ForwardingTable::switch_guid);
  const auto twice =
      std::ranges::adjacent_find(all.switches, {}, &fabric::ForwardingTable::switch_guid);
  if (twice != all.switches.end())
    return bad_input(fmt::format("switch {} has two forwarding tables in these files",
                                 fabric::to_text(twice->switch_guid)));
  return all;
}

}  // namespace weir::lab
