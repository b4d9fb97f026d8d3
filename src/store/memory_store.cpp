#include "store/memory_store.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/history.hpp"

namespace weir::store {

Result<Recovered> MemoryStore::recover() {
  const std::lock_guard guard(mutex_);
  Recovered recovered{header_, std::nullopt, {}, {}};
  if (!snapshots_.empty()) recovered.snapshot = snapshots_.back();
  const std::uint64_t from = snapshots_.empty() ? 0 : snapshots_.back().turn;
  for (const Frame& frame : frames_)
    if (frame.number > from) recovered.frames.push_back(frame);
  return recovered;
}

Status MemoryStore::commit(const TurnWrite& turn) {
  const std::lock_guard guard(mutex_);
  if (failed_) return std::unexpected(*failed_);
  const std::uint64_t next = header_ ? last_ + 1 : 0;
  if (turn.number != next)
    return bad_input(
        fmt::format("turn {} is to be committed, turn {} is the next", turn.number, next));
  if (injected_) {
    if (injected_->code != Errc::kDiskFull) failed_ = injected_;
    return std::unexpected(*injected_);
  }
  if (turn.number == 0)
    header_ = turn.frame;
  else
    frames_.push_back({turn.number, turn.frame});
  for (const FinishedJob& job : turn.finished) finished_[job.job] = job;
  last_ = turn.number;
  return {};
}

Status MemoryStore::save_snapshot(std::uint64_t turn, ByteSpan bytes) {
  const std::lock_guard guard(mutex_);
  if (turn > last_ || !header_)
    return bad_input(fmt::format("a snapshot of turn {} before that turn is committed", turn));
  if (!snapshots_.empty() && snapshots_.back().turn >= turn)
    return bad_input(fmt::format("a snapshot of turn {}, but there is one of turn {}", turn,
                                 snapshots_.back().turn));
  snapshots_.push_back({turn, {bytes.begin(), bytes.end()}});
  if (snapshots_.size() > 2) snapshots_.erase(snapshots_.begin());
  if (snapshots_.size() < 2) return {};
  const std::uint64_t through = snapshots_.front().turn;
  std::erase_if(frames_, [&](const Frame& frame) { return frame.number <= through; });
  return {};
}

Result<std::vector<FinishedJob>> MemoryStore::history(const HistoryFilter& filter) {
  WEIR_TRY(check_limit(filter));
  const std::lock_guard guard(mutex_);
  std::vector<FinishedJob> jobs;
  const HistoryPlace place = first_place(filter);
  for (const auto& [id, job] : finished_)
    if (selects(filter, job) && (filter.job || is_behind({job.ended, id}, place)))
      jobs.push_back(job);
  std::ranges::sort(jobs, [](const FinishedJob& a, const FinishedJob& b) {
    return is_behind({b.ended, b.job}, {a.ended, a.job});
  });
  if (jobs.size() > filter.limit) jobs.resize(filter.limit);
  return jobs;
}

Result<std::uint64_t> MemoryStore::prune_history(Instant older_than, std::size_t most) {
  const std::lock_guard guard(mutex_);
  std::vector<HistoryPlace> old;
  for (const auto& [id, job] : finished_)
    if (job.ended < older_than) old.push_back({job.ended, id});
  std::ranges::sort(old, is_behind);
  if (old.size() > most) old.resize(most);
  for (const HistoryPlace& place : old) finished_.erase(place.job);
  return old.size();
}

Status MemoryStore::backup(const std::filesystem::path& path) {
  return bad_input(fmt::format(
      "{}: this controller keeps its state in memory: there is nothing to back up", path.string()));
}

void MemoryStore::fail_with(std::optional<Error> error) {
  const std::lock_guard guard(mutex_);
  injected_ = std::move(error);
}

}  // namespace weir::store
