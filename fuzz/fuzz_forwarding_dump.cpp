// Any bytes as opensm-lfts.dump or opensm.fdbs: an error, or tables that keep their promises.
#include "base/assert.hpp"
#include "base/limits.hpp"
#include "fabric/difference.hpp"
#include "fabric_checks.hpp"
#include "formats/forwarding_dump.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tables = weir::fuzz::read<weir::ForwardingDumpReader>(data, size);
  if (!tables) return 0;
  weir::Guid last(0);
  for (const weir::fabric::ForwardingTable& table : tables->switches) {
    WEIR_ASSERT(last < table.switch_guid);
    last = table.switch_guid;
    WEIR_ASSERT(table.out_port.size() <= weir::limits::kLastUnicastLid + 1);
    WEIR_ASSERT(table.out_port.empty() || table.out_port.back() != weir::fabric::kNoRoute);
    WEIR_ASSERT(tables->find(table.switch_guid) == &table);
  }
  WEIR_ASSERT(weir::fabric::differences(*tables, *tables).empty());
  return 0;
}
