#include "report/difference_text.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/json.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

using fabric::Difference;
using fabric::DifferenceKind;

struct Words {
  DifferenceKind kind;
  std::string_view code;    // for programs
  std::string_view phrase;  // between subject and what was before and is now
};

constexpr std::array<Words, 16> kWords = {{
    {DifferenceKind::kVertexGone, "vertex_gone", "is only in the first"},
    {DifferenceKind::kVertexNew, "vertex_new", "is only in the second"},
    {DifferenceKind::kKind, "kind", "is another kind of node"},
    {DifferenceKind::kDescription, "description", "is called otherwise"},
    {DifferenceKind::kPorts, "ports", "has another number of ports"},
    {DifferenceKind::kLid, "lid", "has another LID"},
    {DifferenceKind::kCableGone, "cable_gone", "has a cable in the first only"},
    {DifferenceKind::kCableNew, "cable_new", "has a cable in the second only"},
    {DifferenceKind::kCableMoved, "cable_moved", "leads elsewhere"},
    {DifferenceKind::kRate, "rate", "runs at another rate"},
    {DifferenceKind::kTableGone, "table_gone", "has a forwarding table in the first only"},
    {DifferenceKind::kTableNew, "table_new", "has a forwarding table in the second only"},
    {DifferenceKind::kRoute, "route", "is sent elsewhere"},
    {DifferenceKind::kNodeGone, "node_gone", "is only in the first"},
    {DifferenceKind::kNodeNew, "node_new", "is only in the second"},
    {DifferenceKind::kNodeMoved, "node_moved", "stands elsewhere"},
}};

const Words& words_of(DifferenceKind kind) { return kWords[static_cast<std::size_t>(kind)]; }

std::string line_of(const Difference& difference) {
  std::string text =
      fmt::format("{} {}", clean_text(difference.subject), words_of(difference.kind).phrase);
  if (!difference.before.empty() && !difference.after.empty())
    text += fmt::format(": {} -> {}", clean_text(difference.before), clean_text(difference.after));
  else if (!difference.before.empty() || !difference.after.empty())
    text += fmt::format(": {}", clean_text(difference.before + difference.after));
  return text;
}

}  // namespace

std::string difference_text(std::span<const Difference> differences, const std::string& before,
                            const std::string& after) {
  if (differences.empty())
    return fmt::format("{} and {} describe the same fabric\n", clean_text(before),
                       clean_text(after));
  std::string text =
      fmt::format("{} between {} (first) and {} (second)\n",
                  counted(differences.size(), "difference"), clean_text(before), clean_text(after));
  for (const Difference& difference : differences)
    text += fmt::format("  {}\n", line_of(difference));
  return text;
}

std::string difference_json(std::span<const Difference> differences, const std::string& before,
                            const std::string& after) {
  JsonWriter json;
  json.begin_object();
  json.field("first", clean_text(before));
  json.field("second", clean_text(after));
  json.list("differences", differences, [&](const Difference& difference) {
    json.begin_object();
    json.field("what", words_of(difference.kind).code);
    json.field("subject", clean_text(difference.subject));
    if (!difference.before.empty()) json.field("before", clean_text(difference.before));
    if (!difference.after.empty()) json.field("after", clean_text(difference.after));
    json.end_object();
  });
  json.end_object();
  return json.text();
}

}  // namespace weir::report
