#include "formats/ibnetdiscover.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir {
namespace {

using fabric::CableEnd;
using fabric::PortAddress;
using fabric::PortNumber;
using fabric::Vertex;
using fabric::VertexKind;
using ibnetdiscover::IdLine;

std::unexpected<Error> at_line(std::size_t line, const std::string& message) {
  return bad_input(fmt::format("{}: {}", line, message));
}

std::string_view kind_name(VertexKind kind) {
  switch (kind) {
    case VertexKind::kSwitch: return "Switch";
    case VertexKind::kHca: return "Ca";
    case VertexKind::kRouter: return "Rt";
  }
  return "";
}

}  // namespace

Status IbnetdiscoverReader::line(std::string_view text, std::size_t number) {
  ibnetdiscover::Line parsed = WEIR_TRY(ibnetdiscover::parse_line(text));
  return std::visit([&](auto& line) { return take(line, number); }, parsed);
}

Status IbnetdiscoverReader::take(const ibnetdiscover::ChassisLine& line, std::size_t) {
  if (ids_.line != 0)
    return bad_input(fmt::format(
        "expected the record that the id lines from line {} on begin, found a chassis", ids_.line));
  chassis_ = line.number;
  in_record_ = false;
  return {};
}

Status IbnetdiscoverReader::take(const IdLine& line, std::size_t number) {
  in_record_ = false;
  if (ids_.line == 0) ids_.line = number;
  if (line.key == IdLine::Key::kVendor || line.key == IdLine::Key::kDevice) {
    if (line.value > UINT32_MAX)
      return bad_input("expected a vendor or device id of at most 32 bits, found a longer one");
    const auto value = static_cast<std::uint32_t>(line.value);
    (line.key == IdLine::Key::kVendor ? ids_.vendor : ids_.device) = value;
    return {};
  }
  if (line.key == IdLine::Key::kSystemImage) {
    ids_.system_image = Guid(line.value);
    return {};
  }
  if (ids_.node)
    return bad_input(
        fmt::format("expected the record of {} that line {} begins, found the GUID of another",
                    fabric::to_text(*ids_.node), ids_.line));
  ids_.node = Guid(line.value);
  ids_.port_guid = Guid(line.port_guid);
  ids_.kind = line.key == IdLine::Key::kSwitch ? VertexKind::kSwitch
              : line.key == IdLine::Key::kHca  ? VertexKind::kHca
                                               : VertexKind::kRouter;
  return {};
}

Status IbnetdiscoverReader::check_ids_fit(const ibnetdiscover::NodeLine& line) const {
  if (!ids_.node) return {};
  if (*ids_.node != line.guid)
    return bad_input(fmt::format("expected the record of {}, found that of {}",
                                 fabric::to_text(*ids_.node), fabric::to_text(line.guid)));
  if (ids_.kind != line.kind)
    return bad_input(fmt::format("expected a {} record, as the id lines say, found a {} record",
                                 kind_name(ids_.kind), kind_name(line.kind)));
  return {};
}

Status IbnetdiscoverReader::take(ibnetdiscover::NodeLine& line, std::size_t number) {
  if (auto status = check_ids_fit(line); !status) return status;
  const auto [known, is_new] =
      records_by_guid_.try_emplace(line.guid, Record{draft_.vertices.size(), number});
  if (!is_new)
    return bad_input(
        fmt::format("expected each GUID once, found a second record of {}, first in "
                    "line {}",
                    fabric::to_text(line.guid), known->second.line));
  if (draft_.vertices.size() == limits::kFabricVertices)
    return over_limit(fmt::format("more than {} records: a subnet has no more addresses",
                                  limits::kFabricVertices));
  Vertex vertex{.guid = line.guid,
                .kind = line.kind,
                .port_count = line.port_count,
                .vendor_id = ids_.vendor,
                .device_id = ids_.device,
                .system_image = ids_.system_image,
                .chassis = chassis_,
                .description = std::move(line.description),
                .addresses = {}};
  if (line.kind == VertexKind::kSwitch && (line.lid || ids_.port_guid != Guid(0)))
    vertex.addresses.push_back(
        {PortNumber(0), ids_.port_guid, line.lid.value_or(Lid(0)), line.lmc});
  port_lines_.assign(line.port_count + std::size_t{1}, 0);
  draft_.vertices.push_back(std::move(vertex));
  ids_ = Ids{};
  in_record_ = true;
  return {};
}

Status IbnetdiscoverReader::take(ibnetdiscover::PortLine& line, std::size_t number) {
  if (!in_record_ || ids_.line != 0)
    return bad_input("expected a Switch, Ca or Rt record before this port line, found none");
  Vertex& vertex = draft_.vertices.back();
  if (line.port.value() > vertex.port_count)
    return bad_input(fmt::format("expected a port from 1 to {}, found port {}", vertex.port_count,
                                 line.port.value()));
  if (port_lines_[line.port.index()] != 0)
    return bad_input(fmt::format("expected each port once, found port {} again, first in line {}",
                                 line.port.value(), port_lines_[line.port.index()]));
  port_lines_[line.port.index()] = number;
  if (line.peer == vertex.guid)
    return bad_input(fmt::format("expected a cable to another node, found one from {} to itself",
                                 fabric::to_text(vertex.guid)));
  if (vertex.kind != VertexKind::kSwitch && (line.lid || line.port_guid != Guid(0)))
    vertex.addresses.push_back({line.port, line.port_guid, line.lid.value_or(Lid(0)), line.lmc});
  draft_.ends.push_back({vertex.guid, line.port, line.peer, line.peer_port, line.rate,
                         std::move(line.peer_description)});
  end_lines_.push_back(number);
  return {};
}

// Every cable must end at a port that its peer has.
Status IbnetdiscoverReader::check_peers() const {
  for (std::size_t i = 0; i < draft_.ends.size(); ++i) {
    const CableEnd& end = draft_.ends[i];
    const auto peer = records_by_guid_.find(end.peer);
    if (peer == records_by_guid_.end()) continue;
    const Vertex& vertex = draft_.vertices[peer->second.vertex];
    if (end.peer_port.value() > vertex.port_count)
      return at_line(end_lines_[i], fmt::format("expected a port from 1 to {} of {}, found port {}",
                                                vertex.port_count, fabric::to_text(vertex.guid),
                                                end.peer_port.value()));
  }
  return {};
}

Result<fabric::Snapshot> IbnetdiscoverReader::finish() {
  if (ids_.line != 0)
    return at_line(ids_.line,
                   "expected a Switch, Ca or Rt line to complete this record, found the end of the "
                   "file");
  if (draft_.vertices.empty())
    return bad_input("expected Switch, Ca or Rt records as ibnetdiscover prints them, found none");
  if (auto status = check_peers(); !status) return std::unexpected(std::move(status).error());
  for (Vertex& vertex : draft_.vertices)
    std::sort(vertex.addresses.begin(), vertex.addresses.end(),
              [](const PortAddress& a, const PortAddress& b) { return a.port < b.port; });
  return fabric::assemble(std::move(draft_));
}

}  // namespace weir
