#include "property/trials.hpp"

#include <string>

#include <fmt/format.h>

#include "property/compare_placers.hpp"
#include "property/compare_pool.hpp"
#include "property/random_site.hpp"
#include "property/slow_placement.hpp"
#include "sched/placement/placer.hpp"

namespace weir::property {
namespace {

using slow::Ask;
using slow::Cluster;
using slow::Fit;

constexpr int kDeepest = 3;

class Trials {
 public:
  Trials(pool::Pool& pool, const std::vector<Ask>& asks, Rng& rng, std::uint64_t& steps)
      : pool_(pool), asks_(asks), rng_(rng), steps_(steps) {}

  // Opens a trial, takes some steps in it and in trials inside it, and lets it end.
  Status inside(const Cluster& before, int depth) {
    {
      const pool::Pool::Trial trial(pool_);
      Cluster cluster = before;
      const Draw draw(rng_);
      for (std::uint32_t left = draw.between(1, 5); left > 0; --left) {
        WEIR_TRY(step(cluster, depth));
        WEIR_TRY(agree(cluster, "inside a trial"));
      }
    }
    return agree(before, "after a trial");
  }

 private:
  Status agree(const Cluster& cluster, std::string_view when) const {
    const Status same = compare_pool(pool_, cluster);
    if (same) return {};
    return corrupt(fmt::format("{}: {}", when, same.error().message));
  }

  Status step(Cluster& cluster, int depth) {
    ++steps_;
    const Draw draw(rng_);
    if (draw.chance(45)) return grant(cluster);
    if (draw.chance(45)) return limit(cluster);
    if (draw.chance(40)) return lift(cluster);
    if (depth < kDeepest) return inside(cluster, depth + 1);
    return compare_placers(pool_, cluster, draw.pick(asks_), rng_);
  }

  Status grant(Cluster& cluster) {
    const Draw draw(rng_);
    const Ask ask = draw.pick(asks_);
    WEIR_TRY(compare_placers(pool_, cluster, ask, rng_));
    const sched::Request request =
        sched::resolve(ask.gang, ask.requirement, ask.wish, pool_.classes(), /*any_grade=*/false);
    const auto placers = sched::placers();
    const std::size_t which = static_cast<std::size_t>(rng_.below(placers.size()));
    const auto placement = placers[which].make()->place(pool_.free(), request, rng_);
    if (!placement) return {};
    Lease lease;
    lease.start = Instant(0);
    lease.until = Instant(0) + Duration(draw.between(0, 100));
    lease.exclusive = ask.wish.exclusive;
    lease.spans = placement->spans;
    for (std::size_t i = 0; i < placement->nodes.size(); ++i)
      lease.parts.push_back(pool_.part_on(placement->nodes[i],
                                          i < ask.gang.nodes ? ask.gang.per_node : ask.gang.tail,
                                          placement->gpu));
    const Fit fit(world_now(cluster), ask);
    WEIR_TRY(check_lease(fit, lease, lease.start, lease.until - lease.start));
    const JobId job(next_job_++);
    pool_.grant(job, lease);
    cluster.leases[job] = std::move(lease);
    return {};
  }

  Status limit(Cluster& cluster) {
    if (cluster.nodes.empty()) return {};
    const Draw draw(rng_);
    const NodeId node(draw.between(0, static_cast<std::uint32_t>(cluster.nodes.size()) - 1));
    const pool::NodeState& state = pool_.node(node);
    pool::Room usable;
    usable.free = {draw.between(0, state.free.gpus), draw.between(0, state.free.cpu_milli),
                   draw.between(0, state.free.memory_mib)};
    usable.free_gpus = state.free_gpus;
    slow::Spare spare{usable.free, 0, {}};
    for (const pool::SharedGpu& one : state.shared) {
      if (draw.chance(30)) {
        usable.free_gpus |= GpuMask{1} << one.gpu;
      } else if (draw.chance(80)) {
        usable.shared.push_back({one.gpu, static_cast<std::uint16_t>(draw.between(0, 999))});
        spare.shared[one.gpu] = usable.shared.back().left;
      }
    }
    spare.whole = usable.free_gpus;
    pool_.limit_to(node, usable);
    cluster.limits[node] = spare;
    return {};
  }

  // Of a node that has a limit, if there is one.
  Status lift(Cluster& cluster) {
    if (cluster.limits.empty()) return {};
    const Draw draw(rng_);
    auto chosen = cluster.limits.begin();
    std::advance(chosen, draw.between(0, static_cast<std::uint32_t>(cluster.limits.size()) - 1));
    pool_.lift_limit(chosen->first);
    cluster.limits.erase(chosen);
    return {};
  }

  pool::Pool& pool_;
  const std::vector<Ask>& asks_;
  Rng& rng_;
  std::uint64_t& steps_;
  std::uint64_t next_job_ = 1'000'000;  // no job of a stream has such an id
};

}  // namespace

Status try_and_undo(state::State& state, const Cluster& cluster, const std::vector<Ask>& asks,
                    Rng& rng, std::uint64_t& steps) {
  ByteWriter before;
  state.encode(before);
  WEIR_TRY(Trials(state.pool(), asks, rng, steps).inside(cluster, 0));
  ByteWriter after;
  state.encode(after);
  if (std::ranges::equal(before.bytes(), after.bytes())) return {};
  return corrupt("a trial that was taken back has changed the state's bytes");
}

}  // namespace weir::property
