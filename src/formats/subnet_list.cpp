#include "formats/subnet_list.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/text_cursor.hpp"

namespace weir {
namespace {

using dump::expected_found;
using fabric::LinkRate;
using fabric::LinkSpeed;
using fabric::PortNumber;
using fabric::Vertex;
using fabric::VertexKind;

// "KEY:VALUE"; the value.
Result<std::string_view> field(TextCursor& cursor, std::string_view key) {
  const std::string_view word = cursor.take_word();
  if (!word.starts_with(key)) return expected_found(fmt::format("{}...", key), word);
  return word.substr(key.size());
}

Result<VertexKind> kind_of(std::string_view word) {
  if (word.ends_with("-SM")) word.remove_suffix(3);  // the master subnet manager is there
  constexpr std::array<std::pair<std::string_view, VertexKind>, 3> kKinds = {
      {{"SW", VertexKind::kSwitch}, {"CA", VertexKind::kHca}, {"Rt", VertexKind::kRouter}}};
  for (const auto& [name, kind] : kKinds)
    if (word == name) return kind;
  return expected_found("SW, CA or Rt", word);
}

Result<std::uint64_t> hex_field(TextCursor& cursor, std::string_view key, std::string_view what) {
  const std::string_view text = WEIR_TRY(field(cursor, key));
  return dump::hex(text, what);
}

Result<std::uint32_t> id_field(TextCursor& cursor, std::string_view key, std::string_view what) {
  const std::uint64_t value = WEIR_TRY(hex_field(cursor, key, what));
  if (value <= UINT32_MAX) return static_cast<std::uint32_t>(value);
  return bad_input(fmt::format("expected {} of at most 32 bits, found a longer one", what));
}

Result<PortNumber> port_field(TextCursor& cursor, std::string_view key) {
  const std::string_view text = WEIR_TRY(field(cursor, key));
  return dump::cable_port(text, 16);
}

// "{gpu0001 mlx5_0}": braces inside are part of the description, which ends before " LID:".
Result<std::string> description(TextCursor& cursor) {
  cursor.skip_blanks();
  const std::string_view found = cursor.rest();
  const std::size_t end = found.find("} LID:");
  if (!cursor.take("{") || end == std::string_view::npos)
    return expected_found("a description in braces and its LID", found);
  const std::string_view text = found.substr(1, end - 1);
  // Without its own LID, the description would reach into the other end.
  if (text.find(" NodeGUID:") != std::string_view::npos)
    return expected_found("a description in braces and its LID", found);
  if (auto status = dump::check_name(text, "a description"); !status)
    return std::unexpected(std::move(status).error());
  cursor.take(text);
  cursor.take("}");
  return std::string(text);
}

// "{ SW Ports:28 ... PN:05 }"
Result<dump::ListedPort> end_of_cable(TextCursor& cursor) {
  cursor.skip_blanks();
  const std::string_view found = cursor.rest();
  if (!cursor.take("{ ")) return expected_found("'{' and the end of a cable", found);
  Vertex vertex;
  vertex.kind = WEIR_TRY(kind_of(cursor.take_word()));
  vertex.port_count = WEIR_TRY(port_field(cursor, "Ports:")).value();
  vertex.system_image = Guid(WEIR_TRY(hex_field(cursor, "SystemGUID:", "a GUID")));
  const std::string_view guid = WEIR_TRY(field(cursor, "NodeGUID:"));
  vertex.guid = WEIR_TRY(dump::guid(guid));
  const Guid port_guid(WEIR_TRY(hex_field(cursor, "PortGUID:", "a GUID")));
  vertex.vendor_id = WEIR_TRY(id_field(cursor, "VenID:", "a vendor id"));
  vertex.device_id = WEIR_TRY(id_field(cursor, "DevID:", "a device id"));
  static_cast<void>(WEIR_TRY(field(cursor, "Rev:")));
  vertex.description = WEIR_TRY(description(cursor));
  const std::string_view lid_text = WEIR_TRY(field(cursor, "LID:"));
  const Lid lid = WEIR_TRY(dump::unicast_lid(lid_text, 16));
  const PortNumber port = WEIR_TRY(port_field(cursor, "PN:"));
  const std::string_view close = cursor.take_word();
  if (close != "}") return expected_found("'}' behind the port", close);
  const PortNumber addressed = vertex.kind == VertexKind::kSwitch ? PortNumber(0) : port;
  vertex.addresses = {{addressed, port_guid, lid, 0}};
  return dump::ListedPort{std::move(vertex), port};
}

// Gb/s of a lane as text, by generation; OpenSM prints "??" for what it does not know.
std::optional<LinkSpeed> speed_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, LinkSpeed>, 10> kSpeeds = {
      {{"2.5", LinkSpeed::kSdr},
       {"5", LinkSpeed::kDdr},
       {"10", LinkSpeed::kQdr},
       {"FDR10", LinkSpeed::kFdr10},
       {"14", LinkSpeed::kFdr},
       {"25", LinkSpeed::kEdr},
       {"50", LinkSpeed::kHdr},
       {"100", LinkSpeed::kNdr},
       {"200", LinkSpeed::kXdr},
       {"??", LinkSpeed::kUnknown}}};
  for (const auto& [name, speed] : kSpeeds)
    if (text == name) return speed;
  return std::nullopt;
}

// "PHY=4x LOG=ACT SPD=50"
Result<LinkRate> rate(TextCursor& cursor) {
  const std::string_view width = WEIR_TRY(field(cursor, "PHY="));
  const auto known = fabric::parse_link_rate(std::string(width) + "???");
  if (!known) return expected_found("a width such as 4x", width);
  static_cast<void>(WEIR_TRY(field(cursor, "LOG=")));
  const std::string_view speed = WEIR_TRY(field(cursor, "SPD="));
  const auto lane = speed_of(speed);
  if (!lane) return expected_found("the Gb/s of a lane: 2.5, 5, 10, 14, 25, 50, 100 or 200", speed);
  return LinkRate{known->width, *lane};
}

}  // namespace

Status SubnetListReader::line(std::string_view text, std::size_t number) {
  TextCursor cursor(text);
  cursor.skip_blanks();
  if (cursor.at_end() || cursor.rest().starts_with('#')) return {};
  dump::ListedPort own = WEIR_TRY(end_of_cable(cursor));
  dump::ListedPort far = WEIR_TRY(end_of_cable(cursor));
  const LinkRate link_rate = WEIR_TRY(rate(cursor));
  cursor.skip_blanks();
  if (!cursor.at_end()) return expected_found("the end of the line", cursor.rest());
  if (far.port.value() > far.vertex.port_count)
    return bad_input(fmt::format("expected a port from 1 to {} of {}, found port {}",
                                 far.vertex.port_count, fabric::to_text(far.vertex.guid),
                                 far.port.value()));
  dump::ListedPeer peer{far.vertex.guid, far.port, link_rate, std::move(far.vertex.description)};
  return list_.add(std::move(own), std::move(peer), number);
}

Result<fabric::Snapshot> SubnetListReader::finish() {
  if (list_.empty())
    return bad_input("expected lines as OpenSM writes them to opensm-subnet.lst, found none");
  return list_.finish();
}

}  // namespace weir
