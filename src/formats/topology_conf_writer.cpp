#include "formats/topology_conf_writer.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "formats/host_expression.hpp"

namespace weir {
namespace {

using fabric::SiteTree;

bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ':' || c == '+';
  });
}

// Gives every domain a name that is its own in the whole file.
class Names {
 public:
  std::string name_of(const LevelTable& level, std::size_t domain) {
    const std::string& own = level.domains[domain].name;
    if (is_plain(own) && used_.insert(own).second) return own;
    for (std::size_t number = domain + 1;; ++number) {
      std::string made = fmt::format("{}{}", to_text(level.level), number);
      if (used_.insert(made).second) return made;
    }
  }

 private:
  std::set<std::string> used_;
};

// Names by domain of this level; nodes stand in cells, which `domain_of_cell` leads to the level.
Result<std::vector<std::vector<std::string>>> nodes_by(const SiteTree& tree, std::size_t level) {
  std::vector<std::vector<std::string>> result(tree.locality.levels[level].domains.size());
  for (const Node& node : tree.nodes) {
    if (!is_plain(node.name))
      return bad_input(fmt::format(
          "node {} cannot stand in topology.conf: names there have letters, digits and -_.:+",
          quoted(node.name)));
    DomainId id = node.cell;
    for (std::size_t up = 0; up < level; ++up)
      id = tree.locality.levels[up].domains[id.index()].parent;
    result[id.index()].push_back(node.name);
  }
  for (std::vector<std::string>& names : result)
    std::ranges::sort(names, [](const std::string& a, const std::string& b) {
      return natural_compare(a, b) < 0;
    });
  return result;
}

std::size_t depth_of(const SiteTree& tree, Level level) {
  const auto at = std::ranges::find(tree.locality.levels, level, &LevelTable::level);
  WEIR_ASSERT(at != tree.locality.levels.end());
  return static_cast<std::size_t>(at - tree.locality.levels.begin());
}

constexpr std::string_view kHead = "# Written by weir\n";

}  // namespace

Result<std::string> write_topology_tree(const SiteTree& tree) {
  const std::size_t units = depth_of(tree, Level::kUnit);
  const std::size_t fabrics = depth_of(tree, Level::kFabric);
  const auto nodes = WEIR_TRY(nodes_by(tree, units));
  std::string text(kHead);
  Names names;
  std::vector<std::string> below;  // names of the level below
  for (std::size_t u = 0; u < nodes.size(); ++u) {
    below.push_back(names.name_of(tree.locality.levels[units], u));
    text += fmt::format("SwitchName={} Nodes={}\n", below.back(), host_expression(nodes[u]));
  }
  for (std::size_t depth = units + 1; depth <= fabrics; ++depth) {
    const std::vector<Domain>& children = tree.locality.levels[depth - 1].domains;
    const LevelTable& level = tree.locality.levels[depth];
    std::vector<std::vector<std::string>> groups(level.domains.size());
    for (std::size_t c = 0; c < children.size(); ++c)
      groups[children[c].parent.index()].push_back(below[c]);
    below.clear();
    for (std::size_t d = 0; d < groups.size(); ++d) {
      // One switch below says nothing new, and would not be Slurm's way to write a tree.
      if (groups[d].size() == 1) {
        below.push_back(groups[d].front());
        continue;
      }
      std::ranges::sort(groups[d], [](const std::string& a, const std::string& b) {
        return natural_compare(a, b) < 0;
      });
      below.push_back(names.name_of(level, d));
      text += fmt::format("SwitchName={} Switches={}\n", below.back(), host_expression(groups[d]));
    }
  }
  return text;
}

Result<std::string> write_topology_blocks(const SiteTree& tree) {
  const auto nodes = WEIR_TRY(nodes_by(tree, 0));  // blocks, or units
  std::string text(kHead);
  Names names;
  std::size_t smallest = tree.nodes.size();
  for (std::size_t d = 0; d < nodes.size(); ++d) {
    text += fmt::format("BlockName={} Nodes={}\n", names.name_of(tree.locality.levels[0], d),
                        host_expression(nodes[d]));
    smallest = std::min(smallest, nodes[d].size());
  }
  return text + fmt::format("BlockSizes={}\n", smallest);
}

}  // namespace weir
