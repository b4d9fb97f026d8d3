#include "sched/planner.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "pool/capacity_over_time.hpp"
#include "sched/explain/explain.hpp"

namespace weir::sched {
namespace {

using state::JobRecord;
using state::ShapeId;
using state::State;

template <typename Entry>
Result<const Entry*> find_entry(std::span<const Entry> table, std::string_view name,
                                std::string_view what) {
  std::string known;
  for (const Entry& entry : table) {
    if (entry.name == name) return &entry;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  return bad_input(fmt::format("{} \"{}\" is unknown: expected one of {}", what, name, known));
}

Rng rng_for(std::uint64_t seed, std::uint64_t number) {
  return Rng(seed ^ (number * 0x9e3779b97f4a7c15ULL));
}

// Takes the nodes that could not start a job out of the index while it lives.
class AvoidedNodes {
 public:
  AvoidedNodes(pool::Pool& pool, const std::vector<NodeId>& nodes) : pool_(pool), nodes_(nodes) {
    for (const NodeId node : nodes_) {
      before_.push_back(pool_.node(node).limit.usable);
      pool_.limit(node, {});
    }
  }
  ~AvoidedNodes() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (before_[i]) {
        pool_.limit_to(nodes_[i], *before_[i]);
      } else {
        pool_.lift_limit(nodes_[i]);
      }
    }
  }
  AvoidedNodes(const AvoidedNodes&) = delete;
  AvoidedNodes& operator=(const AvoidedNodes&) = delete;

 private:
  pool::Pool& pool_;
  const std::vector<NodeId>& nodes_;
  std::vector<std::optional<pool::Room>> before_;
};

}  // namespace

struct Planner::Turn {
  State& state;
  Instant now;
  Rng rng;
  std::vector<Decision> decisions;
  PendingQueue arrived;  // those that came into the queue in this turn
};

Result<Planner> Planner::make(const Settings& settings) {
  const OrderEntry* order = WEIR_TRY(find_entry(orders(), settings.order, "order"));
  if (settings.order_settings.age_per_point < Duration::zero())
    return bad_input(fmt::format("age_per_point = {}: expected zero or more",
                                 format_duration(settings.order_settings.age_per_point)));
  const PlacerEntry* placer = WEIR_TRY(find_entry(placers(), settings.placement, "placement"));
  return Planner(settings, *order, placer->make());
}

Planner::Planner(const Settings& settings, const OrderEntry& order, std::unique_ptr<Placer> placer)
    : settings_(settings), order_(&order), placer_(std::move(placer)) {}

PendingQueue::Item Planner::item_of(const JobRecord& job) const {
  return {{order_->rank(job, settings_.order_settings), job.submitted, job.id}, job.shape};
}

void Planner::submitted(const JobRecord& job) { newcomers_.push_back(job.id); }

void Planner::forget(const JobRecord& job) {
  if (std::erase(newcomers_, job.id) > 0 || std::erase(impossible_, job.id) > 0) return;
  queue_.erase(item_of(job));
  if (blocked_ == job.id) blocked_ = JobId::none();
}

const Planner::ShapeFacts& Planner::facts(const State& state, ShapeId shape) {
  if (facts_.size() < state.shapes().size()) facts_.resize(state.shapes().size());
  ShapeFacts& known = facts_[shape.index()];
  const std::uint64_t generation = state.shapes().generation(shape);
  const std::uint64_t inventory = state.pool().inventory_version();
  if (known.generation == generation && known.inventory == inventory) return known;
  const state::Shape& content = state.shapes().shape(shape);
  known = {generation, inventory, why_never(state.pool(), content),
           resolve(content.gang, content.requirement, content.wish, state.pool().classes(),
                   /*any_grade=*/false)};
  return known;
}

std::vector<Decision> Planner::plan(State& state, Instant now, std::uint64_t turn_number) {
  Turn turn{state, now, rng_for(settings_.seed, turn_number), {}, {}};
  if (const std::uint64_t now_there = state.pool().inventory_version();
      expected_for_ != now_there) {
    expected_for_ = now_there;
    placer_->expect(settings_.typical, state.pool().classes());
  }
  const pool::Pool::Trial trial(state.pool());
  admit_newcomers(turn);
  start_heads(turn);
  if (settings_.backfill == Backfill::kEasy && !queue_.empty()) backfill(turn);
  capacity_freed_ = false;
  blocked_ = queue_.empty() ? JobId::none() : queue_.first().key.job;
  return std::move(turn.decisions);
}

void Planner::admit_newcomers(Turn& turn) {
  if (inventory_seen_ != turn.state.pool().inventory_version()) {
    inventory_seen_ = turn.state.pool().inventory_version();
    capacity_freed_ = true;
    newcomers_.insert(newcomers_.begin(), impossible_.begin(), impossible_.end());
    impossible_.clear();
  }
  for (const JobId id : std::exchange(newcomers_, {})) {
    const JobRecord& job = *turn.state.find(id);
    const Reason& never = facts(turn.state, job.shape).never;
    if (never.code == ReasonCode::kNone) {
      queue_.insert(item_of(job), job.job.estimate);
      turn.arrived.insert(item_of(job), job.job.estimate);
    } else if (settings_.refuse_impossible) {
      turn.decisions.emplace_back(JobRefused{id, never});
    } else {
      impossible_.push_back(id);
    }
  }
}

void Planner::start_heads(Turn& turn) {
  while (!queue_.empty()) {
    const PendingQueue::Item head = queue_.first();
    // Nothing came free since it was tried last: it still does not fit.
    if (head.key.job == blocked_ && !capacity_freed_) return;
    if (try_start(turn, *turn.state.find(head.key.job)) == nullptr) return;
    queue_.erase(head);
  }
}

const JobStarted* Planner::try_start(Turn& turn, const JobRecord& job) {
  const Request& request = facts(turn.state, job.shape).request;
  pool::Pool& pool = turn.state.pool();
  const auto placement = [&] {
    const AvoidedNodes avoided(pool, job.avoid);
    return placer_->place(pool.free(), request, turn.rng);
  }();
  if (!placement) return nullptr;
  JobStarted started{job.id, {}};
  Lease& lease = started.lease;
  lease.start = turn.now;
  lease.until = turn.now + job.job.estimate;
  lease.spans = placement->spans;
  lease.exclusive = job.job.wish.exclusive;
  lease.parts.reserve(placement->nodes.size());
  for (std::size_t i = 0; i < placement->nodes.size(); ++i)
    lease.parts.push_back(pool.part_on(
        placement->nodes[i], i < request.gang.nodes ? request.gang.per_node : request.gang.tail,
        placement->gpu));
  pool.grant(job.id, lease);
  reserved_at_.reset();
  turn.decisions.emplace_back(std::move(started));
  return std::get_if<JobStarted>(&turn.decisions.back());
}

bool Planner::still_reserved(const Turn& turn) const {
  if (!reserved_at_ || queue_.first().key.job != blocked_ || capacity_freed_) return false;
  // A lease that is overdue is expected back at any moment: when, depends on the time of asking.
  const pool::CapacityOverTime future(turn.state.pool(), *reserved_at_);
  return turn.now < future.next_end(*reserved_at_);
}

void Planner::backfill(Turn& turn) {
  const JobRecord& first = *turn.state.find(queue_.first().key.job);
  const Request& request = facts(turn.state, first.shape).request;
  pool::Pool& pool = turn.state.pool();
  const bool known = still_reserved(turn);
  if (!known) {
    // Its own randomness, so that it does not matter in which turn it was reserved.
    Rng rng = rng_for(settings_.seed, first.id.value());
    reservation_ = reserver_.reserve(pool, {request, first.avoid}, *placer_, rng, turn.now);
    reserved_at_ = turn.now;
  }
  const Instant promised = reservation_ ? reservation_->at : Instant::far_future();
  if (promised != first.promised) turn.decisions.emplace_back(StartPromised{first.id, promised});
  const PendingQueue& others = known ? turn.arrived : queue_;
  if (!reservation_) return try_others(turn, others, promised, nullptr);
  ReservedNodes reserved(pool, request, *reservation_, turn.now);
  try_others(turn, others, promised, &reserved);
  reserved.lower();
}

// Starts jobs behind the first in line: those over before the promise wherever they fit, others
// beside what is reserved. What failed once for a shape is not tried again in this turn.
void Planner::try_others(Turn& turn, const PendingQueue& others, Instant promised,
                         ReservedNodes* reserved) {
  const PendingQueue::Item head = queue_.first();
  const Duration window = promised - turn.now;
  std::vector<PendingQueue::Item> started;
  PendingQueue::Walk walk(others);
  if (!walk.at_end() && walk.item() == head) walk.next();
  while (!walk.at_end()) {
    const PendingQueue::Item item = walk.item();
    const JobRecord& job = *turn.state.find(item.key.job);
    const bool over_in_time = job.job.estimate <= window;
    // Domains of one's own reach beyond the nodes that are leased: only before the promise.
    if (!over_in_time && job.job.wish.exclusive) {
      walk.only_up_to(window);
      walk.next();
      continue;
    }
    if (reserved != nullptr) over_in_time ? reserved->lower() : reserved->raise();
    if (const JobStarted* start = try_start(turn, job)) {
      if (reserved != nullptr) {
        reserved->lower();
        if (!over_in_time) reserved->take(start->lease);
      }
      started.push_back(item);
      walk.next();
    } else if (!job.avoid.empty()) {
      walk.next();  // others of its shape may start where it may not
    } else if (over_in_time) {
      walk.drop_shape();
    } else {
      walk.only_up_to(window);
      walk.next();
    }
  }
  WEIR_ASSERT(queue_.first() == head);
  for (const PendingQueue::Item& item : started) queue_.erase(item);
}

Reason Planner::explain(const State& state, JobId job) const {
  const JobRecord* record = state.find(job);
  if (record == nullptr || record->phase != state::JobPhase::kPending) return {};
  const state::Shape& shape = state.shapes().shape(record->shape);
  if (Reason never = why_never(state.pool(), shape); never.code != ReasonCode::kNone) return never;
  Reason now = why_not_now(state.pool(), shape);
  if (now.code != ReasonCode::kNone || queue_.empty() || queue_.first().key.job == job) return now;
  return {ReasonCode::kBehind, Level::kSite, queue_.first().key.job.value(), 0, {}};
}

}  // namespace weir::sched
