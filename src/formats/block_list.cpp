#include "formats/block_list.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/host_expression.hpp"
#include "formats/text_cursor.hpp"

namespace weir {

Status BlockListReader::line(std::string_view text, std::size_t number) {
  TextCursor cursor(text.substr(0, text.find('#')));
  cursor.skip_blanks();
  if (cursor.at_end()) return {};
  std::vector<std::string> nodes;
  if (auto status = expand_hosts(cursor.take_word(), nodes); !status) return status;
  const std::string_view block = cursor.take_word();
  cursor.skip_blanks();
  if (block.empty() || !cursor.at_end())
    return dump::expected_found("two words, nodes and their block, like \"node[001-018] rack1\"",
                                text);
  if (auto status = dump::check_name(block, "a name"); !status) return status;
  nodes_ += nodes.size();
  if (nodes_ > limits::kNodes)
    return over_limit(fmt::format("more than {} nodes", with_thousands(limits::kNodes)));
  const auto [at, is_new] = index_.try_emplace(std::string(block), topology_.blocks.size());
  if (is_new) topology_.blocks.push_back({std::string(block), {}, number});
  std::ranges::move(nodes, std::back_inserter(topology_.blocks[at->second].nodes));
  return {};
}

Result<fabric::NamedTopology> BlockListReader::finish() {
  if (auto status = fabric::check(topology_); !status)
    return std::unexpected(std::move(status).error());
  return std::move(topology_);
}

}  // namespace weir
