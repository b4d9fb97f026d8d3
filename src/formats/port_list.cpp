#include "formats/port_list.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/text_cursor.hpp"

namespace weir {
namespace {

using dump::expected_found;
using fabric::LinkRate;
using fabric::PortNumber;
using fabric::VertexKind;

// "SW     8  1 0xb8cef60300100070"
struct PortText {
  VertexKind kind = VertexKind::kHca;
  std::string_view lid;
  PortNumber port;
  Guid guid;
};

Result<VertexKind> kind_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, VertexKind>, 3> kKinds = {
      {{"SW", VertexKind::kSwitch}, {"CA", VertexKind::kHca}, {"RT", VertexKind::kRouter}}};
  for (const auto& [name, kind] : kKinds)
    if (word == name) return kind;
  return expected_found("CA, SW or RT, as `ibnetdiscover -p` prints them", word);
}

Result<PortText> port_text(TextCursor& cursor) {
  PortText port;
  port.kind = WEIR_TRY(kind_of(cursor.take_word()));
  port.lid = cursor.take_word();
  port.port = WEIR_TRY(dump::cable_port(cursor.take_word()));
  port.guid = WEIR_TRY(dump::guid(cursor.take_word()));
  return port;
}

Result<LinkRate> rate(TextCursor& cursor) {
  const std::string_view width = cursor.take_word();
  const std::string_view speed = cursor.take_word();
  const auto found = fabric::parse_link_rate(std::string(width) + std::string(speed));
  if (!found)
    return expected_found("a link rate such as 4x HDR", fmt::format("{} {}", width, speed));
  return *found;
}

// 0 where a port without a cable has none.
Result<Lid> lid_of(const PortText& port, bool linked) {
  const auto number = parse_unsigned(port.lid);
  // Firmware gives a port that is down the LID 0 or 65,535.
  if (!linked && number && (*number == 0 || *number == UINT16_MAX)) return Lid(0);
  return dump::unicast_lid(port.lid);
}

Result<std::string> name(std::string_view text) {
  if (auto status = dump::check_name(text, "a description"); !status)
    return std::unexpected(std::move(status).error());
  return std::string(text);
}

// "( 'leaf08' - 'gpu0029 mlx5_0' )". A description may hold quotes; the first "' - '" parts them.
Result<std::pair<std::string, std::string>> two_names(std::string_view text) {
  const std::string_view found = trim(text);
  constexpr std::string_view kOpen = "( '";
  constexpr std::string_view kMiddle = "' - '";
  constexpr std::string_view kClose = "' )";
  const std::size_t middle = found.find(kMiddle);
  if (!found.starts_with(kOpen) || !found.ends_with(kClose) || middle == std::string_view::npos ||
      middle < kOpen.size() || middle + kMiddle.size() + kClose.size() > found.size())
    return expected_found("both descriptions as ( 'NAME' - 'NAME' )", found);
  const std::size_t second = middle + kMiddle.size();
  return std::pair(WEIR_TRY(name(found.substr(kOpen.size(), middle - kOpen.size()))),
                   WEIR_TRY(name(found.substr(second, found.size() - kClose.size() - second))));
}

// "'leaf08'"; old versions print no quotes. A line that ends before it was cut off.
Result<std::string> one_name(std::string_view text) {
  std::string_view found = trim(text);
  if (found.empty() || found == "-")
    return expected_found("'-' and the other end of the cable, or a description", found);
  if (found.size() >= 2 && found.starts_with('\'') && found.ends_with('\''))
    return name(found.substr(1, found.size() - 2));
  if (found.starts_with('\'')) return expected_found("a description in quotes", found);
  return name(found);
}

dump::ListedPort listed(const PortText& port, Lid lid, std::string description) {
  fabric::Vertex vertex;
  vertex.guid = port.guid;
  vertex.kind = port.kind;
  vertex.description = std::move(description);
  const PortNumber addressed = port.kind == VertexKind::kSwitch ? PortNumber(0) : port.port;
  vertex.addresses = {{addressed, port.guid, lid, 0}};
  return {std::move(vertex), port.port};
}

}  // namespace

Status PortListReader::line(std::string_view text, std::size_t number) {
  TextCursor cursor(text);
  cursor.skip_blanks();
  if (cursor.at_end() || cursor.rest().starts_with('#')) return {};
  const PortText port = WEIR_TRY(port_text(cursor));
  const LinkRate link_rate = WEIR_TRY(rate(cursor));
  cursor.skip_blanks();
  if (!cursor.take("- "))
    return list_.add(listed(port, WEIR_TRY(lid_of(port, false)), WEIR_TRY(one_name(cursor.rest()))),
                     std::nullopt, number);
  const PortText peer = WEIR_TRY(port_text(cursor));
  static_cast<void>(WEIR_TRY(lid_of(peer, true)));
  auto names = WEIR_TRY(two_names(cursor.rest()));
  return list_.add(listed(port, WEIR_TRY(lid_of(port, true)), std::move(names.first)),
                   dump::ListedPeer{peer.guid, peer.port, link_rate, std::move(names.second)},
                   number);
}

Result<fabric::Snapshot> PortListReader::finish() {
  if (list_.empty())
    return bad_input("expected lines as `ibnetdiscover -p` prints them, found none");
  list_.join_ports();
  return list_.finish();
}

}  // namespace weir
