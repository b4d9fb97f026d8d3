#include "report/tree_json.hpp"

#include "base/json.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

void write_level(JsonWriter& json, const std::vector<LevelTable>& levels, std::size_t depth) {
  json.begin_object();
  json.field("level", to_text(levels[depth].level));
  json.list("domains", levels[depth].domains, [&](const Domain& domain) {
    json.begin_object();
    json.field("name", clean_text(domain.name));
    if (!domain.parent.is_none())
      json.field("in", clean_text(levels[depth + 1].domains[domain.parent.index()].name));
    json.end_object();
  });
  json.end_object();
}

void write_node(JsonWriter& json, const std::vector<LevelTable>& levels, const Node& node) {
  json.begin_object();
  json.field("name", clean_text(node.name));
  DomainId id = node.cell;
  for (const LevelTable& level : levels) {
    if (level.level == Level::kSite) break;
    json.field(to_text(level.level), clean_text(level.domains[id.index()].name));
    id = level.domains[id.index()].parent;
  }
  if (node.rails != 0) {
    json.key("rails");
    json.begin_array();
    for (unsigned rail = 0; rail < 16; ++rail)
      if ((node.rails >> rail & 1U) != 0) json.value(rail);
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string tree_json(const fabric::SiteTree& tree) {
  JsonWriter json;
  json.begin_object();
  json.key("levels");
  json.begin_array();
  for (std::size_t depth = 0; depth < tree.locality.levels.size(); ++depth)
    write_level(json, tree.locality.levels, depth);
  json.end_array();
  json.list("nodes", tree.nodes,
            [&](const Node& node) { write_node(json, tree.locality.levels, node); });
  json.list("remarks", tree.remarks,
            [&](const std::string& remark) { json.value(clean_text(remark)); });
  json.end_object();
  return json.text();
}

}  // namespace weir::report
