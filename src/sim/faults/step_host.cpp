#include "sim/faults/step_host.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::sim::faults {
namespace {

// In 100,000.
constexpr std::uint32_t kStartFails = 2500;
constexpr std::uint32_t kCrash = 600;

// What the task's program says that it does: argv is "task", milliseconds, status, and the rank
// that exits with this status; all others exit with 0.
struct Plan {
  Duration lasts{0};
  std::int64_t status = 0;
};

Plan plan_of(const TaskSpec& task) {
  Plan plan;
  plan.lasts = ms(static_cast<std::int64_t>(parse_unsigned(task.argv.at(1)).value_or(0)));
  if (parse_unsigned(task.argv.at(3)) == task.rank)
    plan.status = static_cast<std::int64_t>(parse_unsigned(task.argv.at(2)).value_or(0));
  return plan;
}

}  // namespace

void StepHost::note(StepId step, std::string_view what) {
  kernel_.note(fmt::format("n{}", node_),
               fmt::format("step {}.{} {}", step.job.value(), step.attempt, what));
}

StepHost::Stepd* StepHost::living(StepId step, std::uint64_t life) {
  const auto found = stepds_.find(step);
  return found == stepds_.end() || found->second.life != life ? nullptr : &found->second;
}

void StepHost::intend(const StepSpec& spec) {
  Record& record = records_[spec.step];
  record.report = {spec.step, spec.token, StepPhase::kStarting, {}};
  for (const TaskSpec& task : spec.tasks) record.ranks.push_back(task.rank);
}

void StepHost::fork(const StepSpec& spec, Instant deadline) {
  Stepd& stepd = stepds_[spec.step];
  stepd.spec = spec;
  stepd.deadline = deadline;
  stepd.life = ++lives_;
  kernel_.after(kernel_.between(ms(1), ms(kernel_.chance(50) ? 3000 : 30)),
                [=, this, step = spec.step, life = stepd.life] { begin(step, life); });
}

void StepHost::begin(StepId step, std::uint64_t life) {
  Stepd* stepd = living(step, life);
  if (stepd == nullptr) return;
  if (kernel_.strikes(kCrash)) return die(step);
  Record& record = records_.at(step);
  if (kernel_.strikes(kStartFails)) {
    for (const TaskSpec& task : stepd->spec.tasks)
      record.report.ends.push_back({task.rank, EndCause::kNotStarted, 0, "no such directory"});
    note(step, "cannot be started");
    return finish(step);
  }
  start_tasks(*stepd);
  if (kernel_.strikes(kCrash)) return die(step);
  record.report.phase = StepPhase::kRunning;
  if (kernel_.strikes(kCrash)) return die(step);
  tell_soon(step);
  watch_deadline(step, life);
}

void StepHost::start_tasks(Stepd& stepd) {
  const StepId step = stepd.spec.step;
  note(step, "runs");
  stepd.begun = true;
  ledger_.started(node_, stepd.spec);
  for (const TaskSpec& task : stepd.spec.tasks) {
    stepd.alive.push_back(task.rank);
    const Plan plan = plan_of(task);
    TaskEnd end{task.rank, EndCause::kExited, plan.status, ""};
    Duration lasts = plan.lasts;
    const Duration limit = stepd.spec.time_limit;
    if (limit > Duration::zero() && lasts > limit) {
      lasts = limit;
      end = {task.rank, EndCause::kTimeLimit, 15, ""};
    }
    kernel_.after(lasts, [=, this, life = stepd.life] { task_over(step, life, end); });
  }
}

void StepHost::task_over(StepId step, std::uint64_t life, TaskEnd end) {
  Stepd* stepd = living(step, life);
  if (stepd == nullptr || std::erase(stepd->alive, end.rank) == 0) return;
  ledger_.over(node_, step, end);
  if (kernel_.strikes(kCrash)) return die(step);
  records_.at(step).report.ends.push_back(end);
  if (kernel_.strikes(kCrash)) return die(step);
  if (stepd->alive.empty()) {
    finish(step);
  } else if (end.cause != EndCause::kExited || end.code != 0) {
    end_all(step, life, EndCause::kWithOthers);
  }
}

void StepHost::end_all(StepId step, std::uint64_t life, EndCause cause) {
  const Stepd* stepd = living(step, life);
  if (stepd == nullptr) return;
  const std::vector<std::uint32_t> ranks = stepd->alive;
  for (const std::uint32_t rank : ranks) task_over(step, life, {rank, cause, 9, ""});
}

void StepHost::watch_deadline(StepId step, std::uint64_t life) {
  const Stepd* stepd = living(step, life);
  if (stepd == nullptr || stepd->spec.on_partition != OnPartition::kEnd) return;
  if (clock.read(kernel_.now()) >= stepd->deadline) {
    note(step, "is over its lease's deadline");
    return end_all(step, life, EndCause::kLeaseEnded);
  }
  const Instant seen = stepd->deadline;
  kernel_.after(clock.until(kernel_.now(), seen), [=, this] {
    const Stepd* then = living(step, life);
    if (then != nullptr && then->deadline == seen) watch_deadline(step, life);
  });
}

void StepHost::move_deadline(Instant at) {
  for (auto& [step, stepd] : stepds_) {
    if (stepd.spec.on_partition != OnPartition::kEnd) continue;
    stepd.deadline = at;
    if (stepd.begun) watch_deadline(step, stepd.life);
  }
}

void StepHost::stop(StepId step, std::uint64_t token, EndCause cause) {
  if (const auto found = stepds_.find(step); found != stepds_.end()) {
    const std::uint64_t life = found->second.life;
    if (found->second.begun) {
      kernel_.after(kernel_.between(ms(0), ms(1500)), [=, this] { end_all(step, life, cause); });
      return;
    }
    for (const TaskSpec& task : found->second.spec.tasks)
      records_.at(step).report.ends.push_back({task.rank, cause, 0, "ended before it started"});
    return finish(step);
  }
  const auto [record, is_new] = records_.try_emplace(step);
  if (is_new) {
    record->second.report = {step, token, StepPhase::kEnded, {}};
    note(step, "is void");
  }
  if (record->second.report.phase == StepPhase::kEnded) tell_soon(step);
}

void StepHost::finish(StepId step) {
  Record& record = records_.at(step);
  std::ranges::sort(record.report.ends, {}, &TaskEnd::rank);
  record.report.phase = StepPhase::kEnded;
  const Stepd& stepd = stepds_.at(step);
  if (stepd.begun) ledger_.left(node_, stepd.spec);
  stepds_.erase(step);
  note(step, "has ended");
  // Killed here, it has told nobody; the agent finds the record.
  tell_soon(step);
}

void StepHost::die(StepId step) {
  const Stepd stepd = std::move(stepds_.at(step));
  stepds_.erase(step);
  note(step, "its stepd dies");
  for (const std::uint32_t rank : stepd.alive)
    ledger_.over(node_, step, {rank, EndCause::kUnknown, 9, ""});
  if (stepd.begun) ledger_.left(node_, stepd.spec);
  kernel_.after(kernel_.between(ms(1), ms(300)), [=, this] { reap(step); });
}

// The agent sees that no stepd is there: what is not on disk, nobody knows.
void StepHost::reap(StepId step) {
  const auto record = records_.find(step);
  if (record == records_.end() || stepds_.contains(step)) return;
  StepReport& report = record->second.report;
  if (report.phase != StepPhase::kEnded) {
    for (const std::uint32_t rank : record->second.ranks)
      if (std::ranges::find(report.ends, rank, &TaskEnd::rank) == report.ends.end())
        report.ends.push_back({rank, EndCause::kUnknown, 0, "its stepd has died"});
    std::ranges::sort(report.ends, {}, &TaskEnd::rank);
    report.phase = StepPhase::kEnded;
  }
  told(report);
}

std::vector<StepReport> StepHost::found() {
  std::vector<StepReport> reports;
  std::vector<StepId> dead;
  for (const auto& [step, record] : records_)
    if (!stepds_.contains(step)) dead.push_back(step);
  for (const StepId step : dead) reap(step);
  for (const auto& [step, record] : records_) reports.push_back(record.report);
  return reports;
}

void StepHost::drop(StepId step) {
  if (stepds_.contains(step))
    kernel_.violated(
        fmt::format("step {}.{} is dropped while it lives", step.job.value(), step.attempt));
  records_.erase(step);
}

void StepHost::power_off() {
  for (const auto& [step, stepd] : std::exchange(stepds_, {})) {
    for (const std::uint32_t rank : stepd.alive)
      ledger_.over(node_, step, {rank, EndCause::kUnknown, 9, ""});
    if (stepd.begun) ledger_.left(node_, stepd.spec);
  }
}

bool StepHost::kill_one() {
  if (stepds_.empty()) return false;
  auto victim = stepds_.begin();
  std::advance(victim, static_cast<std::ptrdiff_t>(kernel_.below(stepds_.size())));
  die(StepId(victim->first));
  return true;
}

void StepHost::tell_soon(StepId step) {
  kernel_.after(kernel_.between(ms(0), ms(5)), [=, this] {
    const auto record = records_.find(step);
    if (record != records_.end()) told(record->second.report);
  });
}

}  // namespace weir::sim::faults
