// For tests of placement and planning: a pool whose nodes are occupied in a line each.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "pool/pool.hpp"
#include "sched/placement/placer.hpp"
#include "support/site.hpp"

namespace weir::sched::testing {

using weir::testing::at_second;
using weir::testing::even_site;
using weir::testing::gang_job;
using weir::testing::seconds_long;
using weir::testing::units_of;

class Cluster {
 public:
  explicit Cluster(const weir::testing::Site& site) {
    EXPECT_TRUE(pool.learn(site.locality));
    for (const Node& node : site.nodes) EXPECT_TRUE(pool.join(node));
  }

  // Another job takes this of the node until then.
  void occupy(std::uint32_t node, const Capacity& taken, Instant until = at_second(3600)) {
    pool.grant(JobId(next_other_++), {{pool.part_on(NodeId(node), taken)}, {}, until, {}, {}});
  }
  void occupy_all_gpus(std::initializer_list<std::uint32_t> nodes,
                       Instant until = at_second(3600)) {
    for (const std::uint32_t node : nodes)
      occupy(node, {pool.node(NodeId(node)).free.gpus, 0, 0}, until);
  }
  // Leaves so many whole nodes free in each unit: the first ones of the unit.
  void leave_free(std::initializer_list<std::uint32_t> per_unit) {
    std::vector<std::uint32_t> left(per_unit);
    for (std::uint32_t i = 0; i < pool.nodes(); ++i) {
      std::uint32_t& more = left[pool.node(NodeId(i)).cell.index()];
      if (more > 0) {
        --more;
      } else {
        occupy(i, {pool.node(NodeId(i)).free.gpus, 0, 0});
      }
    }
  }

  [[nodiscard]] Request request(const Job& job) const {
    return resolve(job.gang, job.requirement, job.wish, pool.classes(), /*any_grade=*/false);
  }
  // Nodes that the placer of this name would give the job now, in order of its ranks.
  [[nodiscard]] std::optional<Placement> place(const Job& job, std::string_view placer = "weir",
                                               std::uint64_t seed = 1) const {
    for (const PlacerEntry& entry : placers()) {
      if (entry.name != placer) continue;
      Rng rng(seed);
      return entry.make()->place(pool.free(), request(job), rng);
    }
    ADD_FAILURE() << "no placer " << placer;
    return std::nullopt;
  }
  [[nodiscard]] std::vector<std::uint32_t> nodes_for(const Job& job,
                                                     std::string_view placer = "weir") const {
    std::vector<std::uint32_t> nodes;
    if (const auto placement = place(job, placer))
      for (const NodeId node : placement->nodes) nodes.push_back(node.value());
    return nodes;
  }
  // How many nodes of each unit the job would get.
  [[nodiscard]] std::vector<std::uint32_t> by_unit(const Job& job,
                                                   std::string_view placer = "weir") const {
    std::vector<std::uint32_t> counts(pool.locality().levels.front().domains.size(), 0);
    for (const std::uint32_t node : nodes_for(job, placer))
      ++counts[pool.node(NodeId(node)).cell.index()];
    return counts;
  }

  pool::Pool pool;

 private:
  std::uint64_t next_other_ = 1'000'000;
};

using Nodes = std::vector<std::uint32_t>;

}  // namespace weir::sched::testing
