// Planner: decides what starts. Pure: equal state, instant and turn give an equal plan.
//
// It keeps the pending jobs in order and remembers what it has tried; both follow from the state
// and the settings, so a planner made anew from a recovered state plans the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/decision.hpp"
#include "sched/backfill/reservation.hpp"
#include "sched/placement/placer.hpp"
#include "sched/queue/order.hpp"
#include "sched/queue/pending_queue.hpp"
#include "state/state.hpp"

namespace weir::sched {

enum class Backfill : std::uint8_t {
  kNone,  // strict head of line: who does not fit holds up all behind
  kEasy,  // the first in line gets a start promised; others may start if that stays true
};

struct Settings {
  std::string order = "fifo";      // a name of orders()
  std::string placement = "weir";  // a name of placers()
  Backfill backfill = Backfill::kNone;
  OrderSettings order_settings;
  std::uint64_t seed = 0;
  TypicalDemand typical;  // what placements weigh by that weigh by demand; empty: nothing known
  // Jobs that the inventory can never hold are refused (simulation); else they stay pending and
  // are looked at again when the inventory changes.
  bool refuse_impossible = true;

  friend bool operator==(const Settings&, const Settings&) = default;
};

class Planner {
 public:
  // Errors: a name is unknown (it lists the known ones), a negative age.
  static Result<Planner> make(const Settings& settings);

  // Tells of a job that is now pending.
  void submitted(const state::JobRecord& job);
  // Tells of a pending job that is about to leave the state for another reason than this plan.
  void forget(const state::JobRecord& job);
  // Tells that nodes, grades or leases may have freed something.
  void capacity_freed() { capacity_freed_ = true; }

  // Decides. The state's pool is used for trials and is as before afterwards; the caller applies
  // the decisions, in order, before the next call.
  std::vector<Decision> plan(state::State& state, Instant now, std::uint64_t turn);

  // Why a pending job waits: a hard limit, what is taken, or who is before it.
  [[nodiscard]] Reason explain(const state::State& state, JobId job) const;

  [[nodiscard]] std::size_t pending() const { return queue_.size() + impossible_.size(); }
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  Planner(const Settings& settings, const OrderEntry& order, std::unique_ptr<Placer> placer);

  // What is remembered of a shape while the inventory stays the same.
  struct ShapeFacts {
    std::uint64_t generation = 0;
    std::uint64_t inventory = 0;
    Reason never;
    Request request;
  };
  struct Turn;  // what one call of plan() works on

  [[nodiscard]] PendingQueue::Item item_of(const state::JobRecord& job) const;
  const ShapeFacts& facts(const state::State& state, state::ShapeId shape);
  void admit_newcomers(Turn& turn);
  void start_heads(Turn& turn);
  void backfill(Turn& turn);
  [[nodiscard]] bool still_reserved(const Turn& turn) const;
  void try_others(Turn& turn, const PendingQueue& others, Instant promised,
                  ReservedNodes* reserved);
  const JobStarted* try_start(Turn& turn, const state::JobRecord& job);

  Settings settings_;
  const OrderEntry* order_;
  std::unique_ptr<Placer> placer_;
  Reserver reserver_;
  PendingQueue queue_;
  std::vector<JobId> newcomers_;
  std::vector<JobId> impossible_;
  std::vector<ShapeFacts> facts_;
  std::uint64_t inventory_seen_ = 0;
  std::uint64_t expected_for_ = UINT64_MAX;  // the inventory for which the placer knows the demand
  bool capacity_freed_ = true;
  JobId blocked_ = JobId::none();  // the first in line when nothing freed could help it
  // What was reserved for `blocked_`, and when; none once another lease began. While none ends
  // either, it stays true, and all behind that failed would fail again.
  std::optional<Reservation> reservation_;
  std::optional<Instant> reserved_at_;
};

}  // namespace weir::sched
