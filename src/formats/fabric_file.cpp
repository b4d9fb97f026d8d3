#include "formats/fabric_file.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/block_list.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/forwarding_dump.hpp"
#include "formats/ibnetdiscover.hpp"
#include "formats/port_list.hpp"
#include "formats/subnet_list.hpp"
#include "formats/text_cursor.hpp"
#include "formats/topograph.hpp"
#include "formats/topology_conf.hpp"

namespace weir {

struct FabricFileReader::AnyReader {
  std::variant<IbnetdiscoverReader, PortListReader, SubnetListReader, ForwardingDumpReader,
               TopologyConfReader, TopographReader, BlockListReader>
      one;
};

namespace {

struct Sign {
  std::string_view begin;  // of a line, in lower case where it is of topology.conf
  FabricFormat format;
};

constexpr std::array<Sign, 29> kSigns = {{
    {"vendid=", FabricFormat::kIbnetdiscover},
    {"devid=", FabricFormat::kIbnetdiscover},
    {"sysimgguid=", FabricFormat::kIbnetdiscover},
    {"switchguid=", FabricFormat::kIbnetdiscover},
    {"caguid=", FabricFormat::kIbnetdiscover},
    {"rtguid=", FabricFormat::kIbnetdiscover},
    {"Switch", FabricFormat::kIbnetdiscover},
    {"Ca", FabricFormat::kIbnetdiscover},
    {"Hca", FabricFormat::kIbnetdiscover},
    {"Rt", FabricFormat::kIbnetdiscover},
    {"Chassis ", FabricFormat::kIbnetdiscover},
    {"Non-Chassis Nodes", FabricFormat::kIbnetdiscover},
    {"CA ", FabricFormat::kPortList},
    {"SW ", FabricFormat::kPortList},
    {"RT ", FabricFormat::kPortList},
    {"{ SW", FabricFormat::kSubnetList},
    {"{ CA", FabricFormat::kSubnetList},
    {"{ Rt", FabricFormat::kSubnetList},
    {"Unicast lids ", FabricFormat::kForwardingDump},
    {"dump_ucast_routes:", FabricFormat::kForwardingDump},
    {"osm_ucast_mgr_dump_ucast_routes:", FabricFormat::kForwardingDump},
    {"switches:", FabricFormat::kTopograph},
    {"blocks:", FabricFormat::kTopograph},
    {"apiVersion:", FabricFormat::kTopograph},
    {"items:", FabricFormat::kTopograph},
    {"kind:", FabricFormat::kTopograph},
    {"---", FabricFormat::kTopograph},
    {"{\"", FabricFormat::kTopograph},
    {"%YAML", FabricFormat::kTopograph},
}};

constexpr std::array<std::string_view, 3> kTopologyKeys = {
    "switchname=", "blockname=", "blocksizes="};

bool starts_with_any_case(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::ranges::equal(text.substr(0, lower.size()), lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

bool is_comment(std::string_view line) {
  TextCursor cursor(line);
  cursor.skip_blanks();
  return cursor.at_end() || cursor.rest().starts_with('#');
}

// Text that no reader can make sense of, said in words that help.
Status check_text(std::string_view text, std::size_t number) {
  if (number == 1 && (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")))
    return bad_input(
        "expected UTF-8 or ASCII, found UTF-16: convert the file (iconv -f UTF-16 -t UTF-8)");
  if (number == 1 && text.starts_with("\xef\xbb\xbf"))
    return bad_input(
        "expected text from the first byte on, found a byte-order mark: remove it (sed -i "
        "'1s/^\\xEF\\xBB\\xBF//')");
  if (text.find('\0') != std::string_view::npos)
    return bad_input("expected text, found a zero byte: is this a binary file, or UTF-16?");
  if (text.ends_with('\r'))
    return bad_input("expected lines that end with LF, found CR LF: convert the file (dos2unix)");
  return {};
}

std::unexpected<Error> no_format(std::string_view line) {
  return dump::expected_found(
      "output of ibnetdiscover (also -p), opensm-subnet.lst, opensm-lfts.dump, opensm.fdbs, "
      "topology.conf or topograph's YAML",
      line);
}

}  // namespace

std::optional<FabricFormat> format_shown_by(std::string_view line) {
  TextCursor cursor(line);
  cursor.skip_blanks();
  if (cursor.at_end() || cursor.rest().starts_with('#')) return std::nullopt;
  for (const std::string_view key : kTopologyKeys)
    if (starts_with_any_case(cursor.rest(), key)) return FabricFormat::kTopologyConf;
  for (const Sign& sign : kSigns)
    if (cursor.rest().starts_with(sign.begin)) return sign.format;
  // `kubectl -o json` puts nothing but a brace into its first line.
  if (trim(cursor.rest()) == "{") return FabricFormat::kTopograph;
  // A port of a record whose head is cut off: its reader says so.
  if (cursor.take("[") && cursor.take_number()) return FabricFormat::kIbnetdiscover;
  return std::nullopt;
}

FabricFileReader::FabricFileReader(std::optional<FabricFormat> otherwise) : otherwise_(otherwise) {}
FabricFileReader::~FabricFileReader() = default;

Status FabricFileReader::line(std::string_view text, std::size_t number) {
  if (auto status = check_text(text, number); !status) return status;
  if (!format_) {
    if (is_comment(text)) return {};
    format_ = format_shown_by(text);
    if (!format_) format_ = otherwise_;
    if (!format_) return no_format(text);
    reader_ = std::make_unique<AnyReader>();
    switch (*format_) {
      case FabricFormat::kIbnetdiscover: reader_->one.emplace<IbnetdiscoverReader>(); break;
      case FabricFormat::kPortList: reader_->one.emplace<PortListReader>(); break;
      case FabricFormat::kSubnetList: reader_->one.emplace<SubnetListReader>(); break;
      case FabricFormat::kForwardingDump: reader_->one.emplace<ForwardingDumpReader>(); break;
      case FabricFormat::kTopologyConf: reader_->one.emplace<TopologyConfReader>(); break;
      case FabricFormat::kTopograph: reader_->one.emplace<TopographReader>(); break;
      case FabricFormat::kBlockList: reader_->one.emplace<BlockListReader>(); break;
    }
  }
  return std::visit([&](auto& reader) { return reader.line(text, number); }, reader_->one);
}

Result<FabricContent> FabricFileReader::finish() {
  if (!reader_) return bad_input("expected a description of a fabric, found an empty file");
  return std::visit([](auto& reader) -> Result<FabricContent> { return WEIR_TRY(reader.finish()); },
                    reader_->one);
}

}  // namespace weir
