#include "fabric/ftree_checks.hpp"

#include <fmt/format.h>

namespace weir::fabric {
namespace {

constexpr std::string_view kRemedy =
    "OpenSM refuses such a tree and falls back to minhop, unless it is told the roots";

std::unexpected<Error> unlike(const Subnet& subnet, std::size_t s, std::size_t like,
                              const std::string& what) {
  return bad_input(fmt::format("ftree: switch {} {} switch {}: {}",
                               to_text(subnet.switches[s].guid), what,
                               to_text(subnet.switches[like].guid), kRemedy));
}

std::size_t width(const FatTreeView& tree, const std::vector<TreeEdge>& side, std::size_t which) {
  return tree.groups[side[which].group].cables.size();
}

// A switch against the first one of its rank.
Status check_alike(const Subnet& subnet, const FatTreeView& tree, std::size_t s, std::size_t like) {
  const TreeSwitch& own = tree.switches[s];
  const TreeSwitch& model = tree.switches[like];
  if (own.above.size() != model.above.size())
    return unlike(subnet, s, like,
                  fmt::format("reaches {} switches above, not {} like", own.above.size(),
                              model.above.size()));
  for (std::size_t i = 0; i < own.above.size(); ++i)
    if (width(tree, own.above, i) != width(tree, model.above, 0))
      return unlike(subnet, s, like,
                    fmt::format("has {} cables to one switch above, not {} like",
                                width(tree, own.above, i), width(tree, model.above, 0)));
  if (own.rank == tree.leaf_rank) return {};
  if (own.below.size() != model.below.size())
    return unlike(subnet, s, like,
                  fmt::format("reaches {} switches below, not {} like", own.below.size(),
                              model.below.size()));
  // Of the groups below only the first counts, since that is all that OpenSM compares.
  if (!own.below.empty() && width(tree, own.below, 0) != width(tree, model.below, 0))
    return unlike(subnet, s, like,
                  fmt::format("has {} cables to its first switch below, not {} like",
                              width(tree, own.below, 0), width(tree, model.below, 0)));
  return {};
}

}  // namespace

Status check_leaf_ranks(const Subnet& subnet, const FatTreeView& tree) {
  for (std::size_t s = 0; s < tree.switches.size(); ++s)
    if (tree.switches[s].hcas > 0 && tree.switches[s].rank != tree.leaf_rank)
      return bad_input(fmt::format(
          "ftree: switch {} has HCAs and rank {}, the leaves have rank {}: all HCAs must stand at "
          "one distance from the roots",
          to_text(subnet.switches[s].guid), tree.switches[s].rank, tree.leaf_rank));
  return {};
}

Status check_regular(const Subnet& subnet, const FatTreeView& tree) {
  constexpr std::size_t kNone = SIZE_MAX;
  std::vector<std::size_t> model(tree.leaf_rank + 1, kNone);  // by rank
  for (std::size_t s = 0; s < tree.switches.size(); ++s) {
    std::size_t& like = model[tree.switches[s].rank];
    if (like == kNone) {
      like = s;
    } else if (Status same = check_alike(subnet, tree, s, like); !same) {
      return same;
    }
  }
  return {};
}

}  // namespace weir::fabric
