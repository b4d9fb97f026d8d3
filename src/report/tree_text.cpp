#include "report/tree_text.hpp"

#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "report/format.hpp"
#include "report/host_list.hpp"

namespace weir::report {
namespace {

// What stands in each domain, from the lowest level up.
struct Below {
  std::vector<std::vector<std::size_t>> children;  // by domain
  std::vector<std::size_t> nodes;                  // by domain: how many
};

// "pod2" names its level itself; "leaf-1-1" does not.
std::string label(Level level, const std::string& name) {
  const std::string text = clean_text(name);
  return text.starts_with(to_text(level)) ? text : fmt::format("{} {}", to_text(level), text);
}

class TreeText {
 public:
  explicit TreeText(const fabric::SiteTree& tree) : tree_(tree), levels_(tree.locality.levels) {
    for (const LevelTable& level : levels_) {
      below_.emplace_back();
      below_.back().children.resize(level.domains.size());
      below_.back().nodes.resize(level.domains.size(), 0);
    }
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      below_[0].children[tree.nodes[n].cell.index()].push_back(n);
      ++below_[0].nodes[tree.nodes[n].cell.index()];
    }
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
      for (std::size_t d = 0; d < levels_[l].domains.size(); ++d) {
        const std::size_t parent = levels_[l].domains[d].parent.index();
        below_[l + 1].children[parent].push_back(d);
        below_[l + 1].nodes[parent] += below_[l].nodes[d];
      }
  }

  std::string write() {
    text_ = counted(tree_.nodes.size(), "node");
    if (!tree_.nodes.empty()) {
      for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
        text_ += fmt::format("{}{}", l == 0 ? " in " : ", ",
                             counted(levels_[l].domains.size(), to_text(levels_[l].level)));
      text_ += '\n';
      const std::size_t top = levels_.size() - 1;
      for (const std::size_t child : below_[top].children[0]) domain(top - 1, child, 0);
    } else {
      text_ += '\n';
    }
    for (const std::string& remark : tree_.remarks)
      text_ += fmt::format("Note: {}\n", clean_text(remark));
    return std::move(text_);
  }

 private:
  void domain(std::size_t level, std::size_t id, std::size_t depth) {
    const std::string name = label(levels_[level].level, levels_[level].domains[id].name);
    const std::size_t nodes = below_[level].nodes[id];
    const std::string start = fmt::format("{:{}}{}", "", depth * 2, name);
    if (level > 0) {
      text_ += fmt::format("{:<24} {}\n", start, counted(nodes, "node"));
      for (const std::size_t child : below_[level].children[id])
        domain(level - 1, child, depth + 1);
      return;
    }
    std::vector<std::string> names;
    for (const std::size_t n : below_[0].children[id])
      names.push_back(clean_text(tree_.nodes[n].name));
    text_ += fmt::format("{:<24} {:>3} {}: {}\n", start, nodes, nodes == 1 ? "node" : "nodes",
                         host_list(names, std::numeric_limits<std::size_t>::max()));
  }

  const fabric::SiteTree& tree_;
  const std::vector<LevelTable>& levels_;
  std::vector<Below> below_;  // by level
  std::string text_;
};

}  // namespace

std::string tree_text(const fabric::SiteTree& tree) { return TreeText(tree).write(); }

}  // namespace weir::report
