#include "fabric/named_topology.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::fabric {
namespace {

std::unexpected<Error> at_line(std::size_t line, const std::string& message) {
  return bad_input(line == 0 ? message : fmt::format("{}: {}", line, message));
}

std::string first_in(std::size_t line) {
  return line == 0 ? std::string() : fmt::format(", first in line {}", line);
}

// Names of one sort, each with the index of its entry.
using Index = std::map<std::string_view, std::size_t>;

template <typename Entry>
Result<Index> index_of(const std::vector<Entry>& entries, std::string_view sort) {
  Index index;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto [known, is_new] = index.emplace(entries[i].name, i);
    if (!is_new)
      return at_line(entries[i].line,
                     fmt::format("expected each {} once, found {} again{}", sort,
                                 quoted(entries[i].name), first_in(entries[known->second].line)));
  }
  return index;
}

// Walks down from every switch; a switch that is met again on the way down stands below itself.
class CycleSearch {
 public:
  CycleSearch(const NamedTopology& topology, const Index& index)
      : topology_(topology), index_(index), states_(topology.switches.size(), State::kNew) {}

  Status run() {
    for (std::size_t i = 0; i < topology_.switches.size(); ++i)
      if (states_[i] == State::kNew)
        if (Status status = walk(i); !status) return status;
    return {};
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Step {
    std::size_t at;
    std::size_t next = 0;  // which of its switches to enter next
  };

  Status walk(std::size_t start) {
    std::vector<Step> way{{start}};
    states_[start] = State::kOpen;
    while (!way.empty()) {
      const NamedSwitch& at = topology_.switches[way.back().at];
      if (way.back().next == at.switches.size()) {
        states_[way.back().at] = State::kDone;
        way.pop_back();
        continue;
      }
      const std::string& below = at.switches[way.back().next++];
      const auto found = index_.find(below);
      if (found == index_.end()) continue;
      if (states_[found->second] == State::kOpen)
        return at_line(at.line,
                       fmt::format("expected a tree, found a cycle: switch {} stands above "
                                   "{} and below it",
                                   quoted(below), quoted(at.name)));
      if (states_[found->second] == State::kDone) continue;
      states_[found->second] = State::kOpen;
      way.push_back({found->second});
    }
    return {};
  }

  const NamedTopology& topology_;
  const Index& index_;
  std::vector<State> states_;
};

Status check_switches(const NamedTopology& topology) {
  const Index index = WEIR_TRY(index_of(topology.switches, "switch"));
  for (const NamedSwitch& one : topology.switches) {
    if (!one.switches.empty() && !one.nodes.empty())
      return at_line(one.line, fmt::format("expected switch {} to have switches or nodes below it, "
                                           "found both",
                                           quoted(one.name)));
    if (one.switches.empty() && one.nodes.empty())
      return at_line(one.line, fmt::format("expected switches or nodes below switch {}, found none",
                                           quoted(one.name)));
    for (const std::string& below : one.switches)
      if (!index.contains(below))
        return at_line(one.line,
                       fmt::format("expected a line for switch {}, which stands below {}, "
                                   "found none",
                                   quoted(below), quoted(one.name)));
  }
  return CycleSearch(topology, index).run();
}

Status check_blocks(const NamedTopology& topology) {
  static_cast<void>(WEIR_TRY(index_of(topology.blocks, "block")));
  std::map<std::string_view, const NamedBlock*> block_of;
  for (const NamedBlock& block : topology.blocks) {
    if (block.nodes.empty())
      return at_line(block.line,
                     fmt::format("expected nodes in block {}, found none", quoted(block.name)));
    for (const std::string& node : block.nodes) {
      const auto [known, is_new] = block_of.emplace(node, &block);
      if (!is_new)
        return at_line(block.line,
                       fmt::format("expected each node in one block, found {} in {} and "
                                   "in {}",
                                   quoted(node), quoted(known->second->name), quoted(block.name)));
    }
  }
  return {};
}

}  // namespace

Status check(const NamedTopology& topology) {
  if (topology.switches.empty() && topology.blocks.empty())
    return bad_input("expected switches or blocks with nodes, found none");
  for (const NamedSwitch& one : topology.switches) {
    std::vector<std::string_view> nodes(one.nodes.begin(), one.nodes.end());
    std::ranges::sort(nodes);
    if (const auto twice = std::ranges::adjacent_find(nodes); twice != nodes.end())
      return at_line(one.line, fmt::format("expected each node of switch {} once, found {} again",
                                           quoted(one.name), quoted(*twice)));
  }
  if (Status status = check_switches(topology); !status) return status;
  return check_blocks(topology);
}

Result<NamedTopology> merge(std::vector<NamedTopology> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  NamedTopology whole;
  for (NamedTopology& part : parts) {
    // Lines of several files would mislead.
    for (NamedSwitch& one : part.switches) one.line = 0;
    for (NamedBlock& one : part.blocks) one.line = 0;
    std::ranges::move(part.switches, std::back_inserter(whole.switches));
    std::ranges::move(part.blocks, std::back_inserter(whole.blocks));
    std::ranges::move(part.remarks, std::back_inserter(whole.remarks));
    if (whole.block_sizes.empty()) whole.block_sizes = std::move(part.block_sizes);
  }
  if (Status status = check(whole); !status) return std::unexpected(std::move(status).error());
  return whole;
}

}  // namespace weir::fabric
