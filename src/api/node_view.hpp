// A node as users and operators see it.
#pragma once

#include <string>

#include "base/json.hpp"
#include "model/ids.hpp"
#include "state/state.hpp"

namespace weir::api {

void write_node(JsonWriter& json, const state::State& state, NodeId node);

// GET /v1/nodes: all of them, in the order they joined.
std::string nodes_json(const state::State& state);

}  // namespace weir::api
