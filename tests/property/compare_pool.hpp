// Whether the pool and its indexes say what a recount over plain lists says.
#pragma once

#include "base/result.hpp"
#include "pool/pool.hpp"
#include "property/slow_cluster.hpp"

namespace weir::property {

// Every node, lease, sum and every entry of both indexes; the pool's own audit too.
Status compare_pool(const pool::Pool& pool, const slow::Cluster& cluster);

}  // namespace weir::property
