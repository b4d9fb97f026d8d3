#include "formats/topograph.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/fabric_fields.hpp"
#include "formats/host_expression.hpp"

namespace weir {
namespace {

using fabric::NamedTopology;

std::size_t line_of(const YAML::Node& node) {
  return node.Mark().is_null() ? 0 : static_cast<std::size_t>(node.Mark().line) + 1;
}

std::unexpected<Error> wrong(const YAML::Node& node, const std::string& message) {
  return dump::at_line(std::max<std::size_t>(line_of(node), 1), message);
}

Result<std::string> text_of(const YAML::Node& node, std::string_view what) {
  if (!node.IsScalar() || node.Scalar().empty())
    return wrong(node, fmt::format("expected {}, found {}", what,
                                   node.IsScalar() ? "an empty text" : "something else"));
  if (auto status = dump::check_name(node.Scalar(), what); !status)
    return wrong(node, status.error().message);
  return node.Scalar();
}

// The value of a key in a map; an invalid node where there is none. const, so that yaml-cpp does
// not add the key.
YAML::Node get(const YAML::Node& map, const char* key) {
  if (!map.IsMap()) return YAML::Node(YAML::NodeType::Undefined);
  return map[key];
}

bool is_there(const YAML::Node& node) { return node.IsDefined() && !node.IsNull(); }

// Which tier of switches a label names; 0 is nearest to the node.
std::optional<std::size_t> tier_of(std::string_view label) {
  constexpr std::string_view kTier = "fabric.topograph.run/tier-";
  if (label.starts_with(kTier)) {
    const auto tier = parse_unsigned(label.substr(kTier.size()));
    return tier && *tier < 16 ? std::optional(static_cast<std::size_t>(*tier)) : std::nullopt;
  }
  constexpr std::array<std::string_view, 3> kBefore = {"network.topology.nvidia.com/leaf",
                                                       "network.topology.nvidia.com/spine",
                                                       "network.topology.nvidia.com/core"};
  const auto at = std::ranges::find(kBefore, label);
  return at == kBefore.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(at - kBefore.begin()));
}

bool names_nvlink_domain(std::string_view label) {
  return (label.starts_with("accelerator.") && label.ends_with("/domain")) ||
         label == "network.topology.nvidia.com/accelerator";
}

class Builder {
 public:
  Result<NamedTopology> model(const YAML::Node& root) {
    if (const YAML::Node switches = get(root, "switches"); is_there(switches)) {
      if (!switches.IsMap()) return wrong(switches, "expected switches by name, found no map");
      for (const auto& entry : switches)
        if (auto status = model_switch(entry.first, entry.second); !status)
          return std::unexpected(std::move(status).error());
    }
    if (const YAML::Node blocks = get(root, "blocks"); is_there(blocks)) {
      if (!blocks.IsSequence()) return wrong(blocks, "expected a list of blocks, found no list");
      for (const YAML::Node& block : blocks)
        if (auto status = model_block(block); !status)
          return std::unexpected(std::move(status).error());
    }
    return checked();
  }

  Result<NamedTopology> labels(const YAML::Node& items) {
    std::vector<std::string> without;
    for (const YAML::Node& item : items) {
      const YAML::Node about = get(item, "metadata");
      const YAML::Node name_node = get(about, "name");
      if (!is_there(name_node)) return wrong(item, "expected a node with metadata and a name");
      std::string name = WEIR_TRY(text_of(name_node, "a name"));
      if (WEIR_TRY(labelled_node(name, get(about, "labels"), line_of(item)))) continue;
      without.push_back(std::move(name));
    }
    if (topology_.switches.empty() && topology_.blocks.empty())
      return bad_input(
          "expected nodes with labels of topograph, such as fabric.topograph.run/tier-0, found "
          "none");
    if (!without.empty())
      topology_.remarks.push_back(
          fmt::format("{} of {} nodes carry no label of a switch or NVLink domain and are left "
                      "out, {} for one",
                      without.size(), items.size(), quoted(without.front())));
    return checked();
  }

 private:
  Result<NamedTopology> checked() {
    if (auto status = fabric::check(topology_); !status)
      return std::unexpected(std::move(status).error());
    return std::move(topology_);
  }

  fabric::NamedSwitch& switch_called(const std::string& name, std::size_t line) {
    const auto [at, is_new] = switches_.try_emplace(name, topology_.switches.size());
    if (is_new) topology_.switches.push_back({name, {}, {}, line});
    return topology_.switches[at->second];
  }
  fabric::NamedBlock& block_called(const std::string& name, std::size_t line) {
    const auto [at, is_new] = blocks_.try_emplace(name, topology_.blocks.size());
    if (is_new) topology_.blocks.push_back({name, {}, line});
    return topology_.blocks[at->second];
  }

  Status room_for(const YAML::Node& at, std::size_t names) {
    names_ += names;
    if (names_ <= std::size_t{limits::kNodes} * 4 &&
        topology_.switches.size() <= limits::kDomainsPerLevel)
      return {};
    return over_limit(
        fmt::format("{}: more names of nodes and switches than a site has", line_of(at)));
  }

  // A list of host expressions, or one.
  Result<std::vector<std::string>> names(const YAML::Node& list) {
    std::vector<std::string> found;
    if (!is_there(list)) return found;
    if (!list.IsSequence() && !list.IsScalar())
      return wrong(list, "expected a list of names, found something else");
    std::vector<YAML::Node> expressions;
    if (list.IsScalar()) expressions.push_back(list);
    if (list.IsSequence())
      for (const YAML::Node& one : list) expressions.push_back(one);
    for (const YAML::Node& one : expressions) {
      if (!one.IsScalar()) return wrong(one, "expected a name, found something else");
      const std::size_t before = found.size();
      if (auto status = expand_hosts(one.Scalar(), found); !status)
        return wrong(one, status.error().message);
      if (auto status = room_for(one, found.size() - before); !status)
        return std::unexpected(std::move(status).error());
    }
    return found;
  }

  Status model_switch(const YAML::Node& key, const YAML::Node& value) {
    const std::string name = WEIR_TRY(text_of(key, "the name of a switch"));
    if (switches_.contains(name))
      return wrong(key, fmt::format("expected each switch once, found {} again", quoted(name)));
    if (!value.IsMap())
      return wrong(key,
                   fmt::format("expected what stands below switch {}, found no map", quoted(name)));
    auto below = WEIR_TRY(names(get(value, "switches")));
    auto nodes = WEIR_TRY(names(get(value, "nodes")));
    fabric::NamedSwitch& made = switch_called(name, line_of(key));
    made.switches = std::move(below);
    made.nodes = std::move(nodes);
    return room_for(key, 1);
  }

  // topograph's block is a leaf switch with its nodes; its labels may name their NVLink domain.
  Status model_block(const YAML::Node& block) {
    if (!block.IsMap()) return wrong(block, "expected a block with its nodes, found no map");
    const std::vector<std::string> nodes = WEIR_TRY(names(get(block, "nodes")));
    if (nodes.empty()) return wrong(block, "expected nodes in this block, found none");
    bool placed = false;
    if (const YAML::Node leaf = get(block, "switch"); is_there(leaf)) {
      const std::string name = WEIR_TRY(text_of(leaf, "the name of a switch"));
      fabric::NamedSwitch& made = switch_called(name, line_of(block));
      made.nodes.insert(made.nodes.end(), nodes.begin(), nodes.end());
      placed = true;
    }
    for (const char* place : {"annotations", "labels"}) {
      const YAML::Node labels = get(block, place);
      if (!labels.IsDefined() || !labels.IsMap()) continue;
      for (const auto& label : labels) {
        if (!label.first.IsScalar() || !names_nvlink_domain(label.first.Scalar())) continue;
        const std::string name = WEIR_TRY(text_of(label.second, "the name of an NVLink domain"));
        fabric::NamedBlock& made = block_called(name, line_of(block));
        made.nodes.insert(made.nodes.end(), nodes.begin(), nodes.end());
        placed = true;
      }
    }
    if (!placed)
      return wrong(block, "expected a switch or an NVLink domain of this block, found neither");
    return room_for(block, 1);
  }

  // False where no label says where the node stands.
  Result<bool> labelled_node(const std::string& node, const YAML::Node& labels, std::size_t line) {
    if (!labels.IsDefined() || !labels.IsMap()) return false;
    std::map<std::size_t, std::string> tiers;
    std::string domain;
    for (const auto& label : labels) {
      if (!label.first.IsScalar()) continue;
      if (const auto tier = tier_of(label.first.Scalar()))
        tiers[*tier] = WEIR_TRY(text_of(label.second, "the name of a switch"));
      else if (names_nvlink_domain(label.first.Scalar()))
        domain = WEIR_TRY(text_of(label.second, "the name of an NVLink domain"));
    }
    if (auto status = room_for(labels, tiers.size() + 2); !status)
      return std::unexpected(std::move(status).error());
    std::string below;
    for (const auto& [tier, name] : tiers) {
      fabric::NamedSwitch& made = switch_called(name, line);
      if (below.empty())
        made.nodes.push_back(node);
      else if (edges_.emplace(name, below).second)
        made.switches.push_back(below);
      below = name;
    }
    if (!domain.empty()) block_called(domain, line).nodes.push_back(node);
    return !tiers.empty() || !domain.empty();
  }

  NamedTopology topology_;
  std::map<std::string, std::size_t> switches_;  // index of each name
  std::map<std::string, std::size_t> blocks_;
  std::set<std::pair<std::string, std::string>> edges_;
  std::size_t names_ = 0;
};

// Looks at nothing: it serves to find where a document ends.
class Skip : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// YAML::Load reads the first document and ignores what follows it; YAML::LoadAll never ends on a
// stray ',' (yaml-cpp 0.7). So it is asked once more, and what it finds is an error.
bool holds_one_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Skip skip;
  return parser.HandleNextDocument(skip) && !parser.HandleNextDocument(skip);
}

Result<NamedTopology> read(const std::string& text) {
  if (!holds_one_document(text))
    return bad_input("expected one YAML document, found none or more: split the file");
  const YAML::Node root = YAML::Load(text);
  if (!root.IsMap())
    return wrong(root, "expected `switches:` and `blocks:`, or `items:` with nodes, found no map");
  if (const YAML::Node items = get(root, "items"); is_there(items)) {
    if (!items.IsSequence()) return wrong(items, "expected a list of nodes, found no list");
    return Builder().labels(items);
  }
  if (!is_there(get(root, "switches")) && !is_there(get(root, "blocks")))
    return wrong(root, "expected `switches:` and `blocks:`, or `items:` with nodes, found neither");
  return Builder().model(root);
}

}  // namespace

Status TopographReader::line(std::string_view text, std::size_t number) {
  // What a caller left out before this line counts as blank lines, so that numbers stay right.
  const std::size_t missing = number > lines_ + 1 ? number - lines_ - 1 : 0;
  if (text_.size() + missing + text.size() > limits::kYamlBytes)
    return over_limit(
        fmt::format("more than {} bytes of YAML", with_thousands(limits::kYamlBytes)));
  text_.append(missing, '\n');
  text_ += text;
  text_ += '\n';
  lines_ += missing + 1;
  return {};
}

Result<NamedTopology> TopographReader::finish() {
  try {
    return read(text_);
  } catch (const YAML::Exception& error) {
    const std::size_t line =
        error.mark.is_null() ? 1 : static_cast<std::size_t>(error.mark.line) + 1;
    return dump::at_line(line, fmt::format("expected YAML, found an error: {}", error.msg));
  } catch (const std::exception& error) {
    return bad_input(fmt::format("expected YAML, found an error: {}", error.what()));
  }
}

}  // namespace weir
