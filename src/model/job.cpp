#include "model/job.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir {
namespace {

Status check_share(const Gang& gang) {
  if (gang.tail.asks_share())
    return bad_input("the tail asks a share of a GPU: expected whole ones");
  if (!gang.per_node.asks_share()) return {};
  if (gang.per_node.gpu_milli >= kWholeMilli)
    return bad_input(
        fmt::format("gpu_milli = {}: expected 1 to {}", gang.per_node.gpu_milli, kWholeMilli - 1));
  if (gang.per_node.gpus > 0 || gang.node_count() > 1)
    return bad_input("a share of a GPU: expected one node and no whole GPU beside it");
  return {};
}

Status check_gang(const Gang& gang) {
  // The first bound keeps node_count() from wrapping around.
  if (gang.nodes == 0 || gang.nodes > limits::kNodes || gang.node_count() > limits::kNodes)
    return bad_input(fmt::format("nodes = {}: expected 1 to {}", gang.nodes, limits::kNodes));
  if (gang.per_node.gpus > limits::kGpusPerNode)
    return bad_input(fmt::format("gpus = {} a node: expected at most {}", gang.per_node.gpus,
                                 limits::kGpusPerNode));
  WEIR_TRY(check_share(gang));
  if (gang.per_node == Capacity{})
    return bad_input("the gang asks for nothing: expected GPUs, CPUs or memory");
  if (!gang.per_node.covers(gang.tail))
    return bad_input("the tail asks for more than a full node of the gang: swap them");
  return {};
}

Status check_wish(const TopologyWish& wish, const Gang& gang) {
  if (wish.segment_nodes == 0) return {};
  if (gang.nodes % wish.segment_nodes != 0 || gang.has_tail())
    return bad_input(fmt::format("segment = {}: expected a divisor of the {} nodes of the gang",
                                 wish.segment_nodes, gang.node_count()));
  return {};
}

Status check_names(const std::vector<std::string>& names, std::string_view field) {
  if (std::ranges::adjacent_find(names, std::ranges::greater_equal{}) != names.end())
    return bad_input(fmt::format("{}: expected sorted names, each once", field));
  if (names.size() > limits::kNamesPerField)
    return over_limit(fmt::format("{}: {} names, expected at most {}", field, names.size(),
                                  limits::kNamesPerField));
  for (const std::string& name : names)
    if (name.empty() || name.size() > limits::kNameBytes)
      return bad_input(
          fmt::format("{}: expected names of 1 to {} bytes", field, limits::kNameBytes));
  return {};
}

}  // namespace

Gang gang_of_gpus(std::uint64_t gpus, std::uint32_t gpus_per_node) {
  const auto whole = static_cast<std::uint32_t>(gpus / gpus_per_node);
  const auto rest = static_cast<std::uint32_t>(gpus % gpus_per_node);
  Gang gang;
  gang.nodes = whole > 0 ? whole : 1;
  gang.per_node.gpus = whole > 0 ? gpus_per_node : rest;
  gang.tail.gpus = whole > 0 ? rest : 0;
  return gang;
}

Status check(const Job& job) {
  WEIR_TRY(check_gang(job.gang));
  WEIR_TRY(check_wish(job.wish, job.gang));
  WEIR_TRY(check_names(job.requirement.gpu_models, "gpu_models"));
  WEIR_TRY(check_names(job.requirement.features, "features"));
  for (const std::string* text : {&job.name, &job.user, &job.requirement.partition})
    if (text->size() > limits::kNameBytes)
      return bad_input(fmt::format("a name has {} bytes: expected at most {}", text->size(),
                                   limits::kNameBytes));
  if (job.estimate < Duration::zero() || job.estimate > limits::kLongestDuration)
    return bad_input(fmt::format("estimate = {}: expected 0 to {}", format_duration(job.estimate),
                                 format_duration(limits::kLongestDuration)));
  return {};
}

}  // namespace weir
