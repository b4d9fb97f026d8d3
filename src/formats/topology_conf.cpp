#include "formats/topology_conf.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/host_expression.hpp"
#include "formats/text_cursor.hpp"

namespace weir {
namespace {

using dump::expected_found;

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return result;
}

constexpr std::array<std::string_view, 6> kKeys = {"switchname", "switches",  "nodes",
                                                   "linkspeed",  "blockname", "blocksizes"};
constexpr std::array<std::string_view, 6> kSpelled = {"SwitchName", "Switches",  "Nodes",
                                                      "LinkSpeed",  "BlockName", "BlockSizes"};

using Pairs = std::map<std::string, std::string_view>;

std::unexpected<Error> unknown_key(std::string_view key, std::string_view word) {
  const auto meant = std::ranges::find(kKeys, closest(key, kKeys));
  const std::string hint =
      meant == kKeys.end() ? std::string()
                           : fmt::format(": did you mean {}?",
                                         kSpelled[static_cast<std::size_t>(meant - kKeys.begin())]);
  return bad_input(
      fmt::format("expected SwitchName, Switches, Nodes, BlockName or BlockSizes, found {}{}",
                  quoted(word), hint));
}

Result<Pairs> pairs_of(std::string_view text) {
  Pairs pairs;
  TextCursor cursor(text);
  while (cursor.skip_blanks(), !cursor.at_end()) {
    const std::string_view word = cursor.take_word();
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == word.size())
      return expected_found("KEY=VALUE without blanks", word);
    const std::string key = lower(word.substr(0, equals));
    if (std::ranges::find(kKeys, key) == kKeys.end()) return unknown_key(key, word);
    if (!pairs.emplace(key, word.substr(equals + 1)).second)
      return bad_input(fmt::format("expected each key once in a line, found {} again",
                                   quoted(word.substr(0, equals))));
  }
  return pairs;
}

std::optional<std::string_view> take(Pairs& pairs, const std::string& key) {
  const auto at = pairs.find(key);
  if (at == pairs.end()) return std::nullopt;
  const std::string_view value = at->second;
  pairs.erase(at);
  return value;
}

Result<std::string> one_name(std::string_view text) {
  if (text.find_first_of("[],") != std::string_view::npos) return expected_found("one name", text);
  if (auto status = dump::check_name(text, "a name"); !status)
    return std::unexpected(std::move(status).error());
  return std::string(text);
}

Result<std::vector<std::uint32_t>> sizes_of(std::string_view text) {
  std::vector<std::uint32_t> sizes;
  for (const std::string_view word : split(text, ',')) {
    const auto size = parse_unsigned(word);
    if (!size || *size == 0 || *size > limits::kNodes || (!sizes.empty() && *size <= sizes.back()))
      return expected_found("ascending numbers of nodes, like 18,36,72", text);
    sizes.push_back(static_cast<std::uint32_t>(*size));
  }
  return sizes;
}

}  // namespace

Status TopologyConfReader::line(std::string_view text, std::size_t number) {
  text = text.substr(0, text.find('#'));
  const bool goes_on = text.ends_with('\\');
  if (goes_on) text.remove_suffix(1);
  if (begun_line_ == 0 && !goes_on) return statement(text, number);
  if (begun_line_ == 0) begun_line_ = number;
  if (begun_.size() + text.size() > limits::kInputBytes / 16)
    return over_limit("lines joined by '\\' are too long");
  begun_ += text;
  if (goes_on) return {};
  const std::string whole = std::exchange(begun_, {});
  return statement(whole, std::exchange(begun_line_, 0));
}

// A site is bounded by its nodes; a node may stand on every one of its rails' leaves.
Status TopologyConfReader::count_names(std::size_t added) {
  names_ += added;
  constexpr std::size_t kMost = std::size_t{limits::kNodes} * (limits::kRails + 2);
  if (names_ <= kMost) return {};
  return over_limit(fmt::format("more than {} names of nodes and switches", with_thousands(kMost)));
}

Status TopologyConfReader::statement(std::string_view text, std::size_t number) {
  Pairs pairs = WEIR_TRY(pairs_of(text));
  if (pairs.empty()) return {};
  const std::size_t before = topology_.switches.size() + topology_.blocks.size();
  std::vector<std::string> nodes;
  if (const auto found = take(pairs, "nodes"))
    if (auto status = expand_hosts(*found, nodes); !status) return status;
  const std::size_t node_count = nodes.size();
  std::size_t switch_count = 0;
  if (const auto name = take(pairs, "switchname")) {
    fabric::NamedSwitch found{WEIR_TRY(one_name(*name)), {}, std::move(nodes), number};
    if (const auto below = take(pairs, "switches"))
      if (auto status = expand_hosts(*below, found.switches); !status) return status;
    take(pairs, "linkspeed");
    switch_count = found.switches.size();
    topology_.switches.push_back(std::move(found));
  } else if (const auto block = take(pairs, "blockname")) {
    topology_.blocks.push_back({WEIR_TRY(one_name(*block)), std::move(nodes), number});
  } else if (const auto sizes = take(pairs, "blocksizes"); sizes && node_count == 0) {
    if (!topology_.block_sizes.empty())
      return bad_input("expected BlockSizes once, found it again");
    topology_.block_sizes = WEIR_TRY(sizes_of(*sizes));
  } else {
    return expected_found("a line with SwitchName, BlockName or BlockSizes", text);
  }
  if (!pairs.empty())
    return bad_input(
        fmt::format("expected nothing else in this line, found {}", quoted(pairs.begin()->first)));
  if (before >= limits::kDomainsPerLevel)
    return over_limit(
        fmt::format("more than {} switches and blocks", with_thousands(limits::kDomainsPerLevel)));
  return count_names(node_count + switch_count);
}

Result<fabric::NamedTopology> TopologyConfReader::finish() {
  if (begun_line_ != 0)
    return dump::at_line(begun_line_,
                         "expected the rest of this line, found the end of the file behind '\\'");
  if (auto status = fabric::check(topology_); !status)
    return std::unexpected(std::move(status).error());
  return std::move(topology_);
}

}  // namespace weir
