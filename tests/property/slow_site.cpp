#include "property/slow_site.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "property/slow_placement.hpp"
#include "property/slow_reserve.hpp"

namespace weir::slow {
namespace {

std::unexpected<Error> about(JobId job, std::string_view what) {
  return corrupt(fmt::format("job {}: {}", job.value(), what));
}

JobId job_of(const Decision& decision) {
  return std::visit([](const auto& content) { return content.job; }, decision);
}

void count(const Fit& fit, const Lease& lease, Tally& tally) {
  ++tally.started;
  if (fit.ask().wish.segment_nodes > 0) ++tally.segmented;
  if (fit.ask().wish.exclusive) ++tally.exclusive;
  if (fit.ask().gang.has_tail()) ++tally.tails;
  if (fit.ask().gang.per_node.gpu_milli > 0) ++tally.shares;
  if (lease.spans != fit.cluster().locality.levels.front().level) ++tally.several_domains;
}

}  // namespace

// Decisions in order, each read once.
class Site::Reader {
 public:
  explicit Reader(std::span<const Decision> all) : all_(all) {}

  [[nodiscard]] bool at_end() const { return at_ == all_.size(); }
  // The next decision if it is of this type and, where one is named, about this job.
  template <typename Type>
  const Type* take(JobId job = JobId::none()) {
    if (at_end()) return nullptr;
    const auto* found = std::get_if<Type>(&all_[at_]);
    if (found == nullptr || (!job.is_none() && found->job != job)) return nullptr;
    ++at_;
    return found;
  }
  [[nodiscard]] Status expect_end() const {
    if (at_end()) return {};
    return about(job_of(all_[at_]), "a decision that the rules do not allow");
  }

 private:
  std::span<const Decision> all_;
  std::size_t at_ = 0;
};

void Site::apply(Instant now, const Event& event) {
  if (const auto* learned = std::get_if<LocalityLearned>(&event)) {
    cluster_.locality = learned->locality;
  } else if (const auto* joined = std::get_if<NodeJoined>(&event)) {
    cluster_.nodes.push_back(joined->node);
  } else if (const auto* graded = std::get_if<NodeGraded>(&event)) {
    cluster_.nodes[graded->node.index()].grade = graded->grade;
  } else if (const auto* changed = std::get_if<NodeAvailabilityChanged>(&event)) {
    cluster_.nodes[changed->node.index()].availability = changed->availability;
  } else if (const auto* submitted = std::get_if<JobSubmitted>(&event)) {
    waiting_[JobId(++jobs_)] = {submitted->job, now, Instant::far_future()};
  } else if (const auto* ended = std::get_if<JobEnded>(&event)) {
    cluster_.leases.erase(ended->job);
  } else if (const auto* cancelled = std::get_if<JobCancelled>(&event)) {
    cluster_.leases.erase(cancelled->job);
    waiting_.erase(cancelled->job);
  }
}

std::vector<JobId> Site::queue() const {
  std::vector<JobId> ids = in_order(waiting_, rules_.order, rules_.age_per_point);
  std::erase_if(ids, [&](JobId id) { return !possible_.contains(id); });
  return ids;
}

Instant Site::promise_of(JobId job) const {
  const auto found = waiting_.find(job);
  return found == waiting_.end() ? Instant::far_future() : found->second.promised;
}

void Site::look_at_newcomers() {
  for (const auto& [id, one] : waiting_)
    if (!possible_.contains(id) && possible(cluster_, ask_of(one.job))) possible_.insert(id);
}

Status Site::settle(Instant now, std::span<const Decision> all, bool calm, Tally& tally) {
  Reader decisions(all);
  look_at_newcomers();
  WEIR_TRY(settle_refusals(decisions, tally));
  const std::uint64_t before = tally.started;
  WEIR_TRY(settle_heads(now, decisions, tally));
  // A newcomer that ranks before the first in line may take what was promised to it.
  if (tally.started != before) last_head_ = JobId::none();
  const std::vector<JobId> left = queue();
  if (!rules_.easy || left.empty()) {
    last_head_ = JobId::none();
    return decisions.expect_end();
  }
  WEIR_TRY(settle_promise(now, left.front(), calm, decisions, tally));
  return settle_backfill(now, left.front(), decisions, tally);
}

Status Site::settle_refusals(Reader& decisions, Tally& tally) {
  if (!rules_.refuse_impossible) return {};
  std::vector<JobId> impossible;
  for (const auto& [id, one] : waiting_)
    if (!possible_.contains(id)) impossible.push_back(id);
  for (const JobId id : impossible) {
    if (decisions.take<JobRefused>(id) == nullptr)
      return about(id, "it can never start and is not refused");
    waiting_.erase(id);
    ++tally.refused;
  }
  return {};
}

Status Site::settle_heads(Instant now, Reader& decisions, Tally& tally) {
  for (const JobId id : queue()) {
    const bool fits = Fit(world_now(cluster_), ask_of(waiting_.at(id).job)).fits();
    if (!fits) return {};
    const JobStarted* started = decisions.take<JobStarted>(id);
    if (started == nullptr) return about(id, "it is first in line, fits, and does not start");
    WEIR_TRY(start(now, *started, &cluster_, tally));
  }
  return {};
}

Status Site::settle_promise(Instant now, JobId head, bool calm, Reader& decisions, Tally& tally) {
  Waiting& first = waiting_.at(head);
  const Instant by = earliest_start(cluster_, ask_of(first.job), now);
  if (by != first.promised) {
    const StartPromised* promised = decisions.take<StartPromised>(head);
    if (promised == nullptr || promised->by != by)
      return about(head, fmt::format("its start can be promised by {} us", by.microseconds()));
    first.promised = by;
    ++tally.promised;
  }
  if (calm && head == last_head_) {
    ++tally.promises_kept_in_view;
    if (by > last_promise_) return about(head, "its promise moved later though nothing happened");
  }
  last_head_ = head;
  last_promise_ = by;
  return {};
}

// In order, each by the rule: a job that is over before the promise may use everything, one that
// outlasts it only what is free both now and then, and closes no domain around itself.
Status Site::settle_backfill(Instant now, JobId head, Reader& decisions, Tally& tally) {
  const Instant promise = waiting_.at(head).promised;
  const Ask first = ask_of(waiting_.at(head).job);
  Reserve reserve(cluster_, first, rules_.placement, promise, now);
  std::set<std::pair<bool, Ask>> unfit;  // within a turn nothing comes free
  for (const JobId id : queue()) {
    if (id == head) continue;
    const Job job = waiting_.at(id).job;
    const bool in_time = job.estimate <= promise - now;
    const bool foretold = in_time || reserve.known();
    const Cluster seen = in_time || !foretold ? cluster_ : reserve.seen_beside(cluster_);
    const bool allowed = in_time || !job.wish.exclusive;
    const bool fits = allowed && !unfit.contains({in_time, ask_of(job)}) &&
                      Fit(world_now(seen), ask_of(job)).fits();
    if (!fits) unfit.insert({in_time, ask_of(job)});
    const JobStarted* started = decisions.take<JobStarted>(id);
    if (started == nullptr && fits && foretold)
      return about(id, "it fits, delays no promise, and is left waiting");
    if (started == nullptr) continue;
    if (!fits) return about(id, "it takes what is kept for the first in line, or closes a domain");
    ++(in_time ? tally.backfilled_before : tally.backfilled_beside);
    WEIR_TRY(start(now, *started, foretold ? &seen : nullptr, tally));
    if (!in_time) reserve.take(started->lease);
    if (promise != Instant::far_future() && !Fit(world_at(cluster_, promise, now), first).fits())
      return about(id, fmt::format("it was let past job {} and breaks the promise made to that one",
                                   head.value()));
  }
  return decisions.expect_end();
}

Status Site::start(Instant now, const JobStarted& decision, const Cluster* seen, Tally& tally) {
  const Job& job = waiting_.at(decision.job).job;
  const Fit fit(world_now(cluster_), ask_of(job));
  if (const Status sound = check_lease(fit, decision.lease, now, job.estimate); !sound)
    return about(decision.job, sound.error().message);
  std::vector<NodeId> nodes;
  for (const LeasePart& part : decision.lease.parts) nodes.push_back(part.node);
  if (seen != nullptr) {
    const Fit by_rule(world_now(*seen), ask_of(job));
    if (rules_.placement == "weir") {
      if (const Status tight = check_tightness(by_rule, nodes); !tight)
        return about(decision.job, tight.error().message);
      if (nodes != choose_weir(by_rule))
        return about(decision.job, "weir chose other nodes by its rule");
    }
    if (const Status usual = check_usual_gpu(by_rule, decision.lease); !usual && picks_no_gpu())
      return about(decision.job, usual.error().message);
    if (rules_.placement == "firstfit" && nodes != choose_first_fit(by_rule))
      return about(decision.job, "firstfit chose other nodes by its rule");
  }
  count(fit, decision.lease, tally);
  cluster_.leases[decision.job] = decision.lease;
  waiting_.erase(decision.job);
  return {};
}

}  // namespace weir::slow
