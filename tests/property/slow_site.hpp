// Site: the slow model of a whole turn. It takes in the same events as the core, then goes through
// the core's decisions one by one and says of each whether it had to, or might, be taken.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "base/result.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"
#include "property/slow_fit.hpp"
#include "property/slow_queue.hpp"

namespace weir::slow {

struct Rules {
  std::string order = "fifo";
  std::string placement = "weir";
  bool easy = false;
  bool refuse_impossible = true;
  Duration age_per_point{0};
};

// What happened, so that a test can show that it tried everything.
struct Tally {
  std::uint64_t started = 0;
  std::uint64_t refused = 0;
  std::uint64_t promised = 0;
  std::uint64_t promises_kept_in_view = 0;  // the same head in two turns that nothing disturbed
  std::uint64_t backfilled_before = 0;      // over before the promise
  std::uint64_t backfilled_beside = 0;      // outlasting the promise
  std::uint64_t several_domains = 0;        // gangs over several cells
  std::uint64_t segmented = 0;
  std::uint64_t exclusive = 0;
  std::uint64_t tails = 0;
  std::uint64_t shares = 0;  // of a GPU
};

class Site {
 public:
  explicit Site(Rules rules) : rules_(std::move(rules)) {}

  // REQUIRES: the core has accepted the event.
  void apply(Instant now, const Event& event);
  // `calm`: since the turn before, no node was lost and every job that ended did so in time or
  // early, so that promises must hold.
  Status settle(Instant now, std::span<const Decision> decisions, bool calm, Tally& tally);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] const std::map<JobId, Waiting>& waiting() const { return waiting_; }
  // Waiting jobs that could start some day, in order.
  [[nodiscard]] std::vector<JobId> queue() const;
  [[nodiscard]] Instant promise_of(JobId job) const;

 private:
  class Reader;

  Status settle_refusals(Reader& decisions, Tally& tally);
  Status settle_heads(Instant now, Reader& decisions, Tally& tally);
  Status settle_promise(Instant now, JobId head, bool calm, Reader& decisions, Tally& tally);
  Status settle_backfill(Instant now, JobId head, Reader& decisions, Tally& tally);
  // `seen`: the site as the placer saw it, null where that cannot be foretold.
  Status start(Instant now, const JobStarted& decision, const Cluster* seen, Tally& tally);
  void look_at_newcomers();
  // The placer leaves the GPU of a share to the pool.
  [[nodiscard]] bool picks_no_gpu() const {
    return rules_.placement == "weir" || rules_.placement == "firstfit" ||
           rules_.placement == "random";
  }

  Rules rules_;
  Cluster cluster_;
  std::map<JobId, Waiting> waiting_;
  std::set<JobId> possible_;  // an inventory only grows, so what was possible stays so
  std::uint64_t jobs_ = 0;
  JobId last_head_ = JobId::none();
  Instant last_promise_ = Instant::far_future();
};

}  // namespace weir::slow
