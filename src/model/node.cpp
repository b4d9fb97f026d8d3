#include "model/node.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir {
namespace {

Status check_names(const Node& node, const std::vector<std::string>& names,
                   std::string_view field) {
  if (std::ranges::adjacent_find(names, std::ranges::greater_equal{}) != names.end())
    return bad_input(
        fmt::format("node {}: {}: expected sorted names, each once", node.name, field));
  if (names.size() > limits::kNamesPerField)
    return over_limit(fmt::format("node {}: {}: {} names, expected at most {}", node.name, field,
                                  names.size(), limits::kNamesPerField));
  for (const std::string& name : names)
    if (name.empty() || name.size() > limits::kNameBytes)
      return bad_input(fmt::format("node {}: {}: expected names of 1 to {} bytes", node.name, field,
                                   limits::kNameBytes));
  return {};
}

}  // namespace

Status check(const Node& node) {
  if (node.name.empty() || node.name.size() > limits::kNameBytes)
    return bad_input(fmt::format("a node's name has {} bytes: expected 1 to {}", node.name.size(),
                                 limits::kNameBytes));
  if (node.kind.total.gpus > limits::kGpusPerNode)
    return over_limit(fmt::format("node {}: gpus = {}, expected at most {}", node.name,
                                  node.kind.total.gpus, limits::kGpusPerNode));
  if (node.kind.total.gpu_milli > 0)
    return bad_input(fmt::format("node {}: gpu_milli = {}: a node has whole GPUs", node.name,
                                 node.kind.total.gpu_milli));
  if (node.kind.gpu_model.size() > limits::kNameBytes)
    return bad_input(fmt::format("node {}: its GPU model has {} bytes: expected at most {}",
                                 node.name, node.kind.gpu_model.size(), limits::kNameBytes));
  WEIR_TRY(check_names(node, node.kind.partitions, "partitions"));
  return check_names(node, node.kind.features, "features");
}

}  // namespace weir
