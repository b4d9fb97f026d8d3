#include "api/node_view.hpp"

#include <ranges>
#include <utility>
#include <vector>

#include "api/words.hpp"

namespace weir::api {
namespace {

void texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& list) {
  json.key(key);
  json.begin_array();
  for (const std::string& text : list) json.value(text);
  json.end_array();
}

void write_capacity(JsonWriter& json, std::string_view key, const Capacity& capacity) {
  json.key(key);
  json.begin_object();
  json.field("gpus", capacity.gpus);
  json.field("cpus", capacity.cpu_milli / 1000.0);
  json.field("memory_mib", capacity.memory_mib);
  json.end_object();
}

// The domains around it by level, from the widest.
void write_place(JsonWriter& json, const Locality& locality, DomainId cell) {
  std::vector<std::pair<Level, std::string_view>> around;
  DomainId at = cell;
  if (locality.known)
    for (const LevelTable& level : locality.levels) {
      if (at.is_none()) break;
      around.emplace_back(level.level, level.domains[at.index()].name);
      at = level.domains[at.index()].parent;
    }
  json.key("place");
  json.begin_object();
  for (const auto& [level, name] : std::views::reverse(around)) json.field(to_text(level), name);
  json.end_object();
}

void write_leases(JsonWriter& json, const pool::NodeState& node) {
  json.key("leases");
  json.begin_array();
  for (const pool::Holding& holding : node.holdings) {
    json.begin_object();
    json.field("job", holding.job.value());
    json.key("gpus");
    json.begin_array();
    for (std::uint32_t i = 0; i < 32; ++i)
      if ((holding.gpus >> i & 1U) != 0) json.value(i);
    json.end_array();
    json.key("gpu_share");
    if (holding.held.asks_share())
      json.value(holding.held.gpu_milli / 1000.0);
    else
      json.null();
    json.field("cpus", holding.held.cpu_milli / 1000.0);
    json.field("memory_mib", holding.held.memory_mib);
    json.field("expected_end", time_text(holding.until));
    json.end_object();
  }
  json.end_array();
}

void write_agent(JsonWriter& json, const state::AgentRecord& agent) {
  json.key("agent");
  json.begin_object();
  json.field("known", agent.known);
  json.field("connected", agent.connected);
  json.key("since");
  if (agent.known)
    json.value(time_text(agent.since));
  else
    json.null();
  json.field("boot", agent.boot);
  json.end_object();
}

}  // namespace

void write_node(JsonWriter& json, const state::State& state, NodeId id) {
  const pool::NodeState& node = state.pool().node(id);
  const NodeKind& kind = state.pool().classes().kind_of(node.node_class);
  json.begin_object();
  json.field("id", id.value());
  json.field("name", node.name);
  json.field("state", node_state(state, id));
  json.field("why", why_closed(state, id));
  json.field("grade", to_text(state.pool().classes().node_class(node.node_class).grade));
  json.field("gpu_model", kind.gpu_model);
  texts(json, "partitions", kind.partitions);
  texts(json, "features", kind.features);
  write_place(json, state.pool().locality(), node.cell);
  write_capacity(json, "total", kind.total);
  write_capacity(json, "free", node.free);
  write_leases(json, node);
  write_agent(json, state.agent(id));
  json.end_object();
}

std::string nodes_json(const state::State& state) {
  JsonWriter json(0);
  json.begin_object();
  json.key("nodes");
  json.begin_array();
  for (std::uint32_t i = 0; i < state.pool().nodes(); ++i) write_node(json, state, NodeId(i));
  json.end_array();
  json.end_object();
  return json.text();
}

}  // namespace weir::api
