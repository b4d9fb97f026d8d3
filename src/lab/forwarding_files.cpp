#include "lab/forwarding_files.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "fabric/graph.hpp"
#include "os/lines.hpp"

namespace weir::lab {
namespace {

// "Unicast lids [0-44] of switch Lid 1 guid 0xb8ce… ('leaf01'):", then "0x0002 005 # …" lines.
class DumpLines {
 public:
  Status line(std::string_view text) {
    if (text.starts_with("Unicast lids ")) return begin_switch(text);
    return text.starts_with("0x") ? entry(text) : Status{};
  }
  std::vector<fabric::ForwardingTable> take() { return std::move(tables_); }

 private:
  Status begin_switch(std::string_view text) {
    constexpr std::string_view kMark = " guid 0x";
    const std::size_t at = text.find(kMark);
    const auto guid = at == std::string_view::npos
                          ? std::nullopt
                          : parse_unsigned(text.substr(at + kMark.size(), 16), 16);
    if (!guid) return bad_input("expected the GUID of a switch as ' guid 0x' and 16 digits");
    tables_.push_back({Guid(*guid), {}});
    return {};
  }

  Status entry(std::string_view text) {
    constexpr std::uint64_t kNone = UINT64_MAX;
    const std::uint64_t lid = parse_unsigned(text.substr(2, 4), 16).value_or(kNone);
    const std::uint64_t port =
        parse_unsigned(text.substr(std::min<std::size_t>(7, text.size()), 3)).value_or(kNone);
    if (tables_.empty() || lid > limits::kLastUnicastLid || port > limits::kPortNumber)
      return bad_input(fmt::format("expected '0xLID PORT' of a switch, found {}", quoted(text)));
    std::vector<std::uint8_t>& ports = tables_.back().out_port;
    if (ports.size() <= lid) ports.resize(lid + 1, fabric::kNoRoute);
    ports[lid] = static_cast<std::uint8_t>(port);
    return {};
  }

  std::vector<fabric::ForwardingTable> tables_;
};

}  // namespace

Result<fabric::ForwardingTables> read_tables(std::span<const std::filesystem::path> paths) {
  fabric::ForwardingTables all;
  for (const std::filesystem::path& path : paths) {
    DumpLines lines;
    WEIR_TRY(os::for_each_line(
        path, [&](std::string_view text, std::size_t) { return lines.line(text); }));
    std::vector<fabric::ForwardingTable> tables = lines.take();
    if (tables.empty())
      return bad_input(
          fmt::format("{}: no forwarding table in it: expected opensm-lfts.dump", path.string()));
    std::ranges::move(tables, std::back_inserter(all.switches));
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
