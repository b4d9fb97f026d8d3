#include "fabric/site_tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text.hpp"

namespace weir::fabric {
namespace {

struct Standing {
  std::size_t node;
  DomainId unit;
  std::string_view block;  // its own name where no block holds it
  bool alone = false;
};

std::string first_few(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + quoted(names[i]);
  return names.size() > kShown ? text + ", ..." : text;
}

struct BlockDraft {
  DomainId unit;
  std::string_view name;
  std::vector<std::size_t> nodes;  // in the order of the tree
};

Result<std::vector<BlockDraft>> draft_blocks(const SiteTree& tree,
                                             const std::vector<Standing>& standings) {
  std::map<std::pair<bool, std::string_view>, std::size_t> draft_of;
  std::vector<BlockDraft> drafts;
  for (const Standing& standing : standings) {
    const auto [known, is_new] =
        draft_of.emplace(std::pair(standing.alone, standing.block), drafts.size());
    if (is_new) drafts.push_back({standing.unit, standing.block, {}});
    BlockDraft& draft = drafts[known->second];
    if (draft.unit != standing.unit) {
      const std::vector<Domain>& units = tree.locality.levels.front().domains;
      return bad_input(fmt::format(
          "expected the nodes of block {} in one unit, found {} in {} and {} in {}: correct the "
          "list of blocks, or the cables",
          quoted(draft.name), quoted(tree.nodes[draft.nodes.front()].name),
          quoted(units[draft.unit.index()].name), quoted(tree.nodes[standing.node].name),
          quoted(units[standing.unit.index()].name)));
    }
    draft.nodes.push_back(standing.node);
  }
  std::ranges::stable_sort(drafts, {}, &BlockDraft::unit);
  return drafts;
}

void remark_on_blocks(SiteTree& tree, const std::vector<std::string>& without,
                      const std::set<std::string_view>& unknown) {
  if (!without.empty())
    tree.remarks.push_back(
        fmt::format("{} of {} nodes are in no block ({}): each counts as a block of its own",
                    without.size(), tree.nodes.size(), first_few(without)));
  if (!unknown.empty())
    tree.remarks.push_back(
        fmt::format("{} nodes of the blocks are not in the fabric: {}", unknown.size(),
                    first_few(std::vector<std::string>(unknown.begin(), unknown.end()))));
}

}  // namespace

SiteTree tree_of(const SiteView& view) { return {locality(view), pool_nodes(view, {}), {}}; }

Result<SiteTree> with_blocks(SiteTree tree, std::span<const NamedBlock> blocks) {
  WEIR_ASSERT(tree.locality.levels.front().level == Level::kUnit);
  std::map<std::string_view, const NamedBlock*> block_of;
  std::set<std::string_view> unknown;
  for (const NamedBlock& block : blocks)
    for (const std::string& node : block.nodes) {
      block_of.emplace(node, &block);
      unknown.insert(node);
    }
  std::vector<Standing> standings;
  std::vector<std::string> without;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Node& node = tree.nodes[n];
    const auto found = block_of.find(node.name);
    const bool alone = found == block_of.end();
    standings.push_back({n, node.cell, alone ? node.name : found->second->name, alone});
    if (alone) without.push_back(node.name);
    unknown.erase(node.name);
  }
  const std::vector<BlockDraft> drafts = WEIR_TRY(draft_blocks(tree, standings));
  LevelTable level{Level::kBlock, {}};
  std::vector<Node> nodes;
  for (const BlockDraft& draft : drafts) {
    for (const std::size_t n : draft.nodes) {
      nodes.push_back(tree.nodes[n]);
      nodes.back().cell = DomainId(static_cast<std::uint32_t>(level.domains.size()));
    }
    level.domains.push_back({draft.unit, std::string(draft.name)});
  }
  remark_on_blocks(tree, without, unknown);
  tree.nodes = std::move(nodes);
  tree.locality.levels.insert(tree.locality.levels.begin(), std::move(level));
  return tree;
}

}  // namespace weir::fabric
