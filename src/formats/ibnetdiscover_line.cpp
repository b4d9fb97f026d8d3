#include "formats/ibnetdiscover_line.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/text_cursor.hpp"

namespace weir::ibnetdiscover {
namespace {

using dump::expected_found;
using dump::guid;
using dump::hex;
using dump::unicast_lid;
using fabric::LinkRate;
using fabric::PortNumber;
using fabric::VertexKind;

// "[7]"; port 0 is the switch itself and carries no cable.
Result<PortNumber> port_number(TextCursor& cursor) {
  const std::string_view found = cursor.rest();
  if (!cursor.take("[")) return expected_found("a port number in brackets", found);
  const auto number = cursor.take_number();
  if (!number || !cursor.take("]")) return expected_found("a port number in brackets", found);
  if (*number == 0 || *number > limits::kPortNumber)
    return bad_input(
        fmt::format("expected a port from 1 to {}, found port {}", limits::kPortNumber, *number));
  return PortNumber(static_cast<std::uint8_t>(*number));
}

// "[ext 3]": the number printed on the box; of use to people only.
Status skip_external_port(TextCursor& cursor) {
  if (!cursor.take("[ext ")) return {};
  const std::string_view found = cursor.rest();
  if (!cursor.take_number() || !cursor.take("]"))
    return expected_found("an external port number and ']'", found);
  return {};
}

// "(1070fd03002001c1)" or nothing, which gives 0.
Result<Guid> optional_port_guid(TextCursor& cursor) {
  TextCursor ahead = cursor;
  ahead.skip_blanks();
  if (!ahead.take("(")) return Guid(0);
  const auto text = ahead.take_until(')');
  if (!text) return expected_found("a port GUID and ')'", cursor.rest());
  cursor = ahead;
  return Guid(WEIR_TRY(hex(*text, "a port GUID")));
}

struct NodeReference {
  VertexKind kind;
  Guid guid;
};

// "S-b8cef60300100070" in quotes; S, H, R tell switch, HCA, router.
Result<NodeReference> node_reference(TextCursor& cursor) {
  const std::string_view found = cursor.rest();
  if (!cursor.take("\""))
    return expected_found("a node in quotes such as \"S-b8cef60300100070\"", found);
  const auto text = cursor.take_until('"');
  if (!text) return expected_found("a closing quote", found);
  constexpr std::array<std::pair<std::string_view, VertexKind>, 3> kPrefixes = {
      {{"S-", VertexKind::kSwitch}, {"H-", VertexKind::kHca}, {"R-", VertexKind::kRouter}}};
  for (const auto& [prefix, kind] : kPrefixes)
    if (text->starts_with(prefix))
      return NodeReference{kind, WEIR_TRY(guid(text->substr(prefix.size())))};
  return expected_found("S-, H- or R- and a GUID", *text);
}

// What stands behind '#'.
struct Remark {
  std::optional<Lid> own_lid;  // before the description
  std::uint8_t own_lmc = 0;
  std::string description;
  std::optional<Lid> lid;  // behind it
  std::uint8_t lmc = 0;
  LinkRate rate;
};

// "lid 13 lmc 0" in any words around it.
Status read_address(std::string_view text, std::optional<Lid>& lid, std::uint8_t& lmc) {
  TextCursor cursor(text);
  while (cursor.skip_blanks(), !cursor.at_end()) {
    const std::string_view word = cursor.take_word();
    if (word == "lid") {
      lid = WEIR_TRY(unicast_lid(cursor.take_word()));
    } else if (word == "lmc") {
      const std::string_view found = cursor.take_word();
      const auto number = parse_unsigned(found);
      if (!number || *number > 7) return expected_found("an LMC from 0 to 7", found);
      lmc = static_cast<std::uint8_t>(*number);
    }
  }
  return {};
}

bool looks_like_rate(std::string_view word) {
  const std::size_t cut = word.find('x');
  return word.starts_with("??") ||
         (cut != std::string_view::npos && cut > 0 && parse_unsigned(word.substr(0, cut)));
}

Status read_rate(std::string_view text, LinkRate& rate) {
  TextCursor cursor(text);
  while (cursor.skip_blanks(), !cursor.at_end()) {
    const std::string_view word = cursor.take_word();
    if (!looks_like_rate(word)) continue;
    const auto found = fabric::parse_link_rate(word);
    if (!found) return expected_found("a link rate such as 4xHDR", word);
    rate = *found;
  }
  return {};
}

// Hand-written files put no quotes around the description: it ends before the first known word.
std::size_t end_of_bare_description(std::string_view text) {
  std::size_t end = text.size();
  for (const std::string_view word : {" enhanced port ", " base port ", " lid ", " lmc "})
    end = std::min(end, text.find(word));
  return end;
}

Result<Remark> remark(std::string_view text) {
  Remark found;
  std::string_view behind;
  const std::size_t open = text.find('"');
  if (open == std::string_view::npos) {
    const std::string_view bare = trim(text);
    const bool address_only = bare.starts_with("lid ") || bare.starts_with("lmc ");
    const std::size_t end = address_only ? 0 : end_of_bare_description(bare);
    found.description = bare.substr(0, end);
    behind = bare.substr(end);
  } else {
    // A description may hold quotes itself; nothing behind it does.
    const std::size_t close = text.rfind('"');
    if (close == open) return expected_found("a closing quote", text.substr(open));
    if (auto status = read_address(text.substr(0, open), found.own_lid, found.own_lmc); !status)
      return std::unexpected(std::move(status).error());
    found.description = text.substr(open + 1, close - open - 1);
    behind = text.substr(close + 1);
  }
  if (auto status = dump::check_name(found.description, "a description"); !status)
    return std::unexpected(std::move(status).error());
  if (auto status = read_address(behind, found.lid, found.lmc); !status)
    return std::unexpected(std::move(status).error());
  if (auto status = read_rate(behind, found.rate); !status)
    return std::unexpected(std::move(status).error());
  return found;
}

// The remark at the end of a record or port line. Between the cursor and '#' only ibsim's options
// for the port ("w=4 s=2") may stand.
Result<Remark> trailing_remark(TextCursor& cursor) {
  cursor.skip_blanks();
  while (!cursor.at_end() && !cursor.rest().starts_with("#")) {
    const std::string_view word = cursor.take_word();
    if (word.size() < 3 || word[1] != '=') return expected_found("'#' and a description", word);
    cursor.skip_blanks();
  }
  if (!cursor.take("#")) return Remark{};
  return remark(cursor.rest());
}

Result<Line> node_line(VertexKind kind, TextCursor cursor) {
  cursor.skip_blanks();
  const std::string_view found = cursor.rest();
  const auto ports = cursor.take_number();
  if (!ports || *ports == 0 || *ports > limits::kPortNumber)
    return expected_found(fmt::format("a number of ports from 1 to {}", limits::kPortNumber),
                          found);
  cursor.skip_blanks();
  const NodeReference self = WEIR_TRY(node_reference(cursor));
  if (self.kind != kind)
    return bad_input(
        "expected a GUID of the record's own kind (Switch S-, Ca H-, Rt R-), found another");
  Remark about = WEIR_TRY(trailing_remark(cursor));
  return NodeLine{kind,      static_cast<std::uint8_t>(*ports),
                  self.guid, std::move(about.description),
                  about.lid, about.lmc};
}

Result<Line> port_line(TextCursor cursor) {
  PortLine line;
  line.port = WEIR_TRY(port_number(cursor));
  if (auto status = skip_external_port(cursor); !status)
    return std::unexpected(std::move(status).error());
  line.port_guid = WEIR_TRY(optional_port_guid(cursor));
  cursor.skip_blanks();
  const NodeReference peer = WEIR_TRY(node_reference(cursor));
  line.peer = peer.guid;
  line.peer_kind = peer.kind;
  // ibsim lets the port out when it is the first one.
  line.peer_port = cursor.rest().starts_with("[") ? WEIR_TRY(port_number(cursor)) : PortNumber(1);
  if (auto status = skip_external_port(cursor); !status)
    return std::unexpected(std::move(status).error());
  static_cast<void>(WEIR_TRY(optional_port_guid(cursor)));
  Remark about = WEIR_TRY(trailing_remark(cursor));
  line.lid = about.own_lid;
  line.lmc = about.own_lmc;
  line.peer_description = std::move(about.description);
  line.rate = about.rate;
  return line;
}

Result<Line> id_line(IdLine::Key key, TextCursor cursor) {
  IdLine line{key, 0, 0};
  const std::string_view text = cursor.rest();
  const std::string_view value = text.substr(0, text.find_first_of(" \t(#"));
  cursor.take(value);
  line.value = WEIR_TRY(hex(value, "a number"));
  line.port_guid = WEIR_TRY(optional_port_guid(cursor)).value();
  cursor.skip_blanks();
  if (!cursor.at_end() && !cursor.rest().starts_with("#"))
    return expected_found("the end of the line or a remark", cursor.rest());
  return line;
}

std::optional<Result<Line>> any_id_line(TextCursor cursor) {
  using Key = IdLine::Key;
  constexpr std::array<std::pair<std::string_view, Key>, 6> kKeys = {
      {{"vendid=", Key::kVendor},
       {"devid=", Key::kDevice},
       {"sysimgguid=", Key::kSystemImage},
       {"switchguid=", Key::kSwitch},
       {"caguid=", Key::kHca},
       {"rtguid=", Key::kRouter}}};
  for (const auto& [name, key] : kKeys)
    if (cursor.take(name)) return id_line(key, cursor);
  return std::nullopt;
}

Result<Line> chassis_line(TextCursor cursor) {
  const std::string_view found = cursor.rest();
  const auto number = cursor.take_number();
  if (!number || *number == 0 || *number > UINT16_MAX)
    return expected_found("a chassis number", found);
  return ChassisLine{static_cast<std::uint32_t>(*number)};
}

Result<Line> unknown_line(std::string_view text) {
  constexpr std::string_view kExpected =
      "a Switch, Ca or Rt record, a port line, an id line or a comment";
  // "CA   134  1 0x... 4x HDR - SW ...": what `ibnetdiscover -p` prints; "Switch : 0x...": -l.
  if (text.starts_with("CA ") || text.starts_with("SW ") ||
      text.find("\t : 0x") != std::string_view::npos)
    return bad_input(fmt::format(
        "expected {}, found a line of `ibnetdiscover -p` or `-l`: run it without those options",
        kExpected));
  return expected_found(kExpected, text);
}

}  // namespace

Result<Line> parse_line(std::string_view text) {
  if (text.ends_with('\r'))
    return bad_input("expected lines that end with LF, found CR LF: convert the file (dos2unix)");
  TextCursor cursor(text);
  cursor.skip_blanks();
  if (cursor.at_end() || cursor.rest().starts_with("#")) return NothingLine{};
  if (cursor.rest().starts_with("[")) return port_line(cursor);
  if (auto line = any_id_line(cursor)) return *std::move(line);
  constexpr std::array<std::pair<std::string_view, VertexKind>, 4> kRecords = {
      {{"Switch", VertexKind::kSwitch},
       {"Ca", VertexKind::kHca},
       {"Hca", VertexKind::kHca},
       {"Rt", VertexKind::kRouter}}};
  for (const auto& [name, kind] : kRecords)
    if (TextCursor record = cursor;
        record.take_word() == name && record.rest().find("\t : 0x") == std::string_view::npos)
      return node_line(kind, record);
  if (cursor.take("Chassis ")) return chassis_line(cursor);
  if (cursor.rest().starts_with("Non-Chassis Nodes")) return ChassisLine{0};
  if (cursor.rest().starts_with("Hostname:")) return NothingLine{};
  return unknown_line(text);
}

}  // namespace weir::ibnetdiscover
