#include "formats/forwarding_dump.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/text_cursor.hpp"

namespace weir {
namespace {

using dump::expected_found;
using fabric::ForwardingTable;
using fabric::kNoRoute;

// The GUID behind `key`, and what stands behind it.
std::string_view word_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  TextCursor cursor(text.substr(at + key.size()));
  return cursor.take_word();
}

// Lines that carry no route: column heads and remarks.
bool says_nothing(std::string_view text) {
  return text.empty() || text.starts_with('#') || text.starts_with("LID ") ||
         text.starts_with("Lid ") || text.starts_with("Port ");
}

Result<std::uint8_t> port_in(std::string_view text) {
  const auto number = parse_unsigned(text);
  if (!number || *number > limits::kPortNumber)
    return expected_found(fmt::format("a port from 0 to {}, or UNREACHABLE", limits::kPortNumber),
                          text);
  return static_cast<std::uint8_t>(*number);
}

// "005 # ..." and "005 : (...": the port, and something behind it; a line that ends there was cut
// off.
Result<std::uint8_t> lft_port(TextCursor cursor) {
  const std::uint8_t port = WEIR_TRY(port_in(cursor.take_word()));
  cursor.skip_blanks();
  if (cursor.rest().size() < 2 || (cursor.rest().front() != '#' && cursor.rest().front() != ':'))
    return expected_found("'#' or ':' and what the LID belongs to", cursor.rest());
  return port;
}

// ": 005  : 02   : yes", ": UNREACHABLE", ": 005  : HOPS UNKNOWN", or in place of "yes" which port
// would be nearer.
Result<std::uint8_t> fdb_port(TextCursor cursor) {
  const std::string_view word = cursor.take_word();
  if (word != ":") return expected_found("':' behind the LID", word);
  const std::string_view port_text = cursor.take_word();
  if (port_text == "UNREACHABLE") return kNoRoute;
  const std::uint8_t port = WEIR_TRY(port_in(port_text));
  const std::vector<std::string_view> rest = split(trim(cursor.rest()), ':');
  const bool unknown = rest.size() == 2 && trim(rest[1]) == "HOPS UNKNOWN";
  const bool known = rest.size() == 3 && parse_unsigned(trim(rest[1])) &&
                     (trim(rest[2]) == "yes" || trim(rest[2]).starts_with("No "));
  if (!trim(rest[0]).empty() || (!unknown && !known))
    return expected_found("the hops and \"yes\", as in ': 005  : 02   : yes'", cursor.rest());
  return port;
}

}  // namespace

Status ForwardingDumpReader::begin_switch(std::string_view guid_text, std::size_t number) {
  if (unfinished_)
    return bad_input(
        fmt::format("expected \"... lids dumped\" at the end of the table of {}, found "
                    "another switch",
                    fabric::to_text(tables_.switches.back().switch_guid)));
  const Guid guid = WEIR_TRY(dump::guid(guid_text));
  const auto [known, is_new] = lines_.try_emplace(guid, number);
  if (!is_new)
    return bad_input(fmt::format("expected each switch once, found {} again, first in line {}",
                                 fabric::to_text(guid), known->second));
  if (tables_.switches.size() == limits::kFabricVertices)
    return over_limit(fmt::format("more than {} switches: a subnet has no more addresses",
                                  limits::kFabricVertices));
  tables_.switches.push_back({guid, {}});
  return {};
}

Status ForwardingDumpReader::entry(std::string_view text) {
  if (tables_.switches.empty())
    return bad_input("expected a line that names the switch before its routes, found a route");
  TextCursor cursor(text);
  const Lid lid = WEIR_TRY(dump::unicast_lid(cursor.take_word(), 16));
  cursor.skip_blanks();
  const std::uint8_t port = WEIR_TRY(unfinished_ ? lft_port(cursor) : fdb_port(cursor));
  ForwardingTable& table = tables_.switches.back();
  // The files go through the LIDs in ascending order; one that comes again would change a route.
  if (lid.index() < table.out_port.size())
    return bad_input(fmt::format("expected LIDs in ascending order, found LID {} behind LID {}",
                                 lid.value(), table.out_port.size() - 1));
  entries_ += lid.index() + 1 - table.out_port.size();
  if (entries_ > limits::kForwardingEntries)
    return over_limit(
        fmt::format("more than {} forwarding entries", with_thousands(limits::kForwardingEntries)));
  table.out_port.resize(lid.index(), kNoRoute);
  table.out_port.push_back(port);
  return {};
}

Status ForwardingDumpReader::line(std::string_view text, std::size_t number) {
  const std::string_view found = trim(text);
  if (says_nothing(found)) return {};
  if (found.starts_with("Unicast lids ")) {
    if (auto status = begin_switch(word_behind(found, " guid "), number); !status) return status;
    unfinished_ = true;
    return {};
  }
  if (found.ends_with("lids dumped")) {
    unfinished_ = false;
    return {};
  }
  // Old versions: "osm_ucast_mgr_dump_ucast_routes: Switch 0x...".
  if (found.find("dump_ucast_routes: ") < found.find(' '))
    return begin_switch(word_behind(found, ": Switch "), number);
  if (found.starts_with("0x")) return entry(found);
  return expected_found(
      "a switch (\"Unicast lids ...\", \"dump_ucast_routes: ...\") or a route (\"0x0002 005 ...\")",
      found);
}

Result<fabric::ForwardingTables> ForwardingDumpReader::finish() {
  if (tables_.switches.empty())
    return bad_input("expected forwarding tables as OpenSM dumps them, found none");
  if (unfinished_) {
    const Guid last = tables_.switches.back().switch_guid;
    return dump::at_line(
        lines_.at(last),
        fmt::format("expected \"... lids dumped\" at the end of the table of {}, found the end of "
                    "the file: it is cut off",
                    fabric::to_text(last)));
  }
  for (ForwardingTable& table : tables_.switches)
    while (!table.out_port.empty() && table.out_port.back() == kNoRoute) table.out_port.pop_back();
  std::ranges::sort(tables_.switches, {}, &ForwardingTable::switch_guid);
  return std::move(tables_);
}

}  // namespace weir
