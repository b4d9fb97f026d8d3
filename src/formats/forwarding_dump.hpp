// ForwardingDumpReader: the forwarding tables that OpenSM writes (osm_dump.c), opensm-lfts.dump and
// opensm.fdbs, and what infiniband-diags' dump_fts and ibroute print, into ForwardingTables.
//
//   Unicast lids [0-44] of switch Lid 1 guid 0xb8cef60300100000 ('leaf01'):
//   0x0002 005 # Switch portguid 0xb8cef60300100010: 'leaf02'
//
//   dump_ucast_routes: Switch 0xb8cef60300100000
//   0x0002 : 005  : 02   : yes
//   0x000A : UNREACHABLE
//
// The routes are what counts: hops, names and counts of LIDs are not kept. The tables of one plane
// stand in one file. Both dumps of OpenSM tell the same routes; a route of unknown length counts.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "fabric/forwarding.hpp"

namespace weir {

class ForwardingDumpReader {
 public:
  // As PortListReader. Errors also: a switch or a LID of one switch stands in it twice.
  Status line(std::string_view text, std::size_t number);
  Result<fabric::ForwardingTables> finish();

 private:
  Status begin_switch(std::string_view guid, std::size_t number);
  Status entry(std::string_view text);

  fabric::ForwardingTables tables_;
  std::unordered_map<Guid, std::size_t> lines_;  // of each switch; for look-up only
  bool unfinished_ = false;                      // in a table that ends with "... lids dumped"
  std::size_t entries_ = 0;                      // of all tables
};

}  // namespace weir
