#include "loaded_pool.hpp"

#include <utility>

#include "base/assert.hpp"

namespace weir::bench {
namespace {

constexpr int kRefillTries = 20;
// Timed jobs may hold this part of the pool before they are the ones to end, so that the load
// stays one of the mix.
constexpr std::uint64_t kProbePart = 64;

std::unique_ptr<sched::Placer> weir_placer() {
  for (const sched::PlacerEntry& entry : sched::placers())
    if (entry.name == "weir") return entry.make();
  WEIR_ASSERT(false && "placers() has Weir's own");
}

}  // namespace

LoadedPool::LoadedPool(const Cluster& cluster, double load, std::uint64_t seed)
    : cluster_(cluster),
      target_gpus_(static_cast<std::uint64_t>(load * static_cast<double>(cluster.gpus()))),
      rng_(seed),
      placer_(weir_placer()),
      slow_(cluster) {
  WEIR_ASSERT(pool_.learn(cluster.locality).has_value());
  for (const Node& node : cluster.nodes) WEIR_ASSERT(pool_.join(node).has_value());
  for (const Job& job : mix_.jobs()) mix_asks_.push_back(ask("mix", job));
  // The last few GPUs take a while to meet a job that is small enough.
  for (int idle = 0; leased() < target_gpus_ && idle < 1000; ++idle) {
    const std::uint64_t before = leased();
    refill();
    if (leased() > before) idle = 0;
  }
}

Ask LoadedPool::ask(std::string name, const Job& job) const {
  return {std::move(name),
          job,
          {job.gang, job.requirement, job.wish},
          sched::resolve(job.gang, job.requirement, job.wish, pool_.classes(),
                         /*any_grade=*/false)};
}

bool LoadedPool::decide(const Ask& ask) {
  decided_.reset();
  const auto placement = placer_->place(pool_.free(), ask.request, rng_);
  if (!placement) return false;
  RunningJob& running = decided_.emplace();
  running.job = JobId(next_job_++);
  running.gpus = ask.job.gang.gpus();
  running.lease.until = Instant() + ask.job.estimate;
  running.lease.spans = placement->spans;
  running.lease.parts.reserve(placement->nodes.size());
  for (const NodeId node : placement->nodes)
    running.lease.parts.push_back(pool_.part_on(node, ask.job.gang.per_node));
  pool_.grant(running.job, running.lease);
  return true;
}

std::optional<Level> LoadedPool::decided_level() const {
  return decided_ ? std::optional(decided_->lease.spans) : std::nullopt;
}

void LoadedPool::book(const Ask& ask) {
  if (!slow_.may_serve(ask.job, decided_->lease) || !slow_.take(decided_->lease)) ++wrong_leases_;
}

void LoadedPool::settle(const Ask& ask) {
  if (decided_) {
    book(ask);
    probe_gpus_ += decided_->gpus;
    probes_.push_back(*std::exchange(decided_, std::nullopt));
  }
  while (leased() > target_gpus_) {
    const bool probe =
        !probes_.empty() && (base_.empty() || probe_gpus_ * kProbePart > cluster_.gpus() ||
                             rng_.below(running()) < probes_.size());
    end_random(probe ? probes_ : base_);
  }
  if (!base_.empty()) end_random(base_);
  refill();
}

void LoadedPool::end_random(std::vector<RunningJob>& jobs) {
  std::swap(jobs[static_cast<std::size_t>(rng_.below(jobs.size()))], jobs.back());
  const RunningJob& job = jobs.back();
  pool_.release(job.job, job.lease);
  slow_.give_back(job.lease);
  if (&jobs == &probes_) probe_gpus_ -= job.gpus;
  jobs.pop_back();
}

void LoadedPool::refill() {
  for (int i = 0; i < kRefillTries && leased() < target_gpus_; ++i) {
    const Ask& next = draw();
    if (leased() + next.job.gang.gpus() > target_gpus_ || !decide(next)) continue;
    book(next);
    base_.push_back(*std::exchange(decided_, std::nullopt));
  }
}

double LoadedPool::load() const {
  return static_cast<double>(leased()) / static_cast<double>(cluster_.gpus());
}

}  // namespace weir::bench
