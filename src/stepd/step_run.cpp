#include "stepd/step_run.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.hpp"
#include "os/best_effort.hpp"
#include "stepd/identity.hpp"

namespace weir::stepd {
namespace {

// Keys of the poller; those of watchers follow kWatchers.
constexpr std::uint64_t kSignals = 1;
constexpr std::uint64_t kTimer = 2;
constexpr std::uint64_t kReports = std::uint64_t{1} << 32;
constexpr std::uint64_t kOutputs = std::uint64_t{2} << 32;
constexpr std::uint64_t kWatchers = std::uint64_t{3} << 32;
constexpr Duration kSaveAgain{1'000'000};
constexpr std::size_t kBlock = 64 * 1024;

rlimit raise_open_files() {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit raised{before.rlim_max, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

// Everything waits but SIGCHLD, which is read: nobody but SIGKILL ends a stepd.
os::Descriptor watch_children() {
  sigset_t set;
  sigfillset(&set);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return os::Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

os::GroupWish wish_of(const StepSpec& spec, Isolation isolation) {
  os::GroupWish wish;
  wish.memory_bytes = std::uint64_t{spec.memory_mib} << 20;
  wish.cpu_milli = spec.cpu_milli;
  for (const std::string& file : spec.closed)
    if (std::ranges::find(spec.devices, file) == spec.devices.end()) wish.closed.emplace_back(file);
  wish.kill_all = isolation == Isolation::kSession;
  return wish;
}

}  // namespace

StepRun::StepRun(RunSetting setting, os::Poller poller, os::BootTimer timer, os::DurableLog record)
    : setting_(std::move(setting)),
      poller_(std::move(poller)),
      timer_(std::move(timer)),
      record_(std::move(record)),
      signals_(watch_children()),
      watchers_(poller_, kWatchers, setting_.self),
      report_{setting_.spec.step, setting_.spec.token, StepPhase::kStarting, {}},
      partition_at_(setting_.partition_deadline) {}

Status StepRun::run(RunSetting setting) {
  os::Poller poller = WEIR_TRY(os::Poller::create());
  os::BootTimer timer = WEIR_TRY(os::BootTimer::create());
  os::DurableLog record = WEIR_TRY(os::DurableLog::open(kRecordFile));
  StepRun run(std::move(setting), std::move(poller), std::move(timer), std::move(record));
  WEIR_TRY(run.start_listening());
  run.start_tasks();
  run.loop();
  run.watchers_.finish();
  return {};
}

Status StepRun::start_listening() {
  WEIR_TRY(poller_.watch(signals_.get(), kSignals));
  WEIR_TRY(poller_.watch(timer_.fd(), kTimer));
  watchers_.add(std::move(setting_.connection));
  return watchers_.listen_at(kSocketFile);
}

void StepRun::start_tasks() {
  const StepSpec& spec = setting_.spec;
  const auto identity = identity_of(spec);
  if (!identity) return refuse_all(identity.error().message);
  const os::GroupWish wish = wish_of(spec, setting_.isolation);
  if (!wish.empty()) {
    auto group = os::StepGroup::create(setting_.cgroup_root, setting_.group_name, wish);
    // A user's own stepd has no groups to give; root's must have them.
    if (!group && ::geteuid() == 0) return refuse_all(group.error().message);
    const std::string why =
        group ? group->not_enforced()
              : "memory, CPU and devices are not limited: " + group.error().message;
    if (group) group_ = *std::move(group);
    if (!why.empty()) setting_.limits += (setting_.limits.empty() ? "" : "; ") + why;
  }
  std::array<int, 2> go{};
  if (::pipe2(go.data(), O_CLOEXEC) != 0) return refuse_all("a pipe cannot be made");
  const os::Descriptor go_read(go[0]);
  go_ = os::Descriptor(go[1]);
  TaskSetting shared;
  shared.spec = &spec;
  shared.user = &*identity;
  shared.group = group_ ? &*group_ : nullptr;
  shared.files = raise_open_files();
  shared.die_with_parent = setting_.isolation == Isolation::kSession;
  shared.go = go[0];
  shared.go_end = go[1];
  tasks_.reserve(spec.tasks.size());
  for (const TaskSpec& task : spec.tasks) {
    auto process = fork_task(shared, task);
    Task& added = tasks_.emplace_back(Task{TaskProcess{}, OutputLog(task.rank)});
    const std::size_t index = tasks_.size() - 1;
    if (!process) {
      added.failure = process.error().message;
      on_end(index, {});
      continue;
    }
    added.process = *std::move(process);
    by_pid_.emplace(added.process.pid, index);
    os::best_effort(poller_.watch(added.process.report.get(), kReports + index));
    if (added.process.output.is_open())
      os::best_effort(poller_.watch(added.process.output.get(), kOutputs + index));
  }
}

// Before a task was forked.
void StepRun::refuse_all(const std::string& why) {
  for (const TaskSpec& task : setting_.spec.tasks) {
    unsaved_.push_back(
        {task.rank, EndCause::kNotStarted, 0, why.substr(0, limits::kEndDetailBytes)});
    ++ended_;
  }
}

void StepRun::loop() {
  for (;;) {
    give_up_when_one_failed();
    let_go_when_ready();
    if (all_ended()) reap();
    if (all_ended() && !gone_) {
      kill_tree();
      reap();
    }
    save_and_tell();
    if (saved_end_) return;
    set_timer();
    for (const os::Ready& ready : poller_.wait(std::nullopt)) on_ready(ready);
  }
}

void StepRun::on_ready(const os::Ready& ready) {
  if (ready.key >= kWatchers) {
    for (const Request& request : watchers_.on_ready(ready, report_)) on_request(request);
  } else if (ready.key >= kOutputs) {
    read_output(ready.key - kOutputs);
  } else if (ready.key >= kReports) {
    read_report(ready.key - kReports);
  } else if (ready.key == kTimer) {
    timer_.acknowledge();
    on_timer();
  } else {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) > 0) {
    }
    reap();
  }
}

void StepRun::on_request(const Request& request) {
  if (const End* end = std::get_if<End>(&request)) {
    begin_ending(end->cause, end->at_once);
  } else if (const auto* deadline = std::get_if<PartitionDeadline>(&request)) {
    partition_at_.reset();
    if (deadline->from_now) partition_at_ = os::since_boot() + *deadline->from_now;
  }
}

void StepRun::on_timer() {
  const Duration now = os::since_boot();
  const auto passed = [now](std::optional<Duration>& at) {
    if (!at || *at > now) return false;
    at.reset();
    return true;
  };
  // Elsewhere the job starts at this deadline: here nothing may live on, for no grace.
  if (passed(partition_at_)) begin_ending(EndCause::kLeaseEnded, true);
  if (passed(limit_at_)) begin_ending(EndCause::kTimeLimit, false);
  if (ending_ && passed(ending_->kill_at)) kill_tree();
  static_cast<void>(passed(save_again_at_));
}

void StepRun::set_timer() {
  if (setting_.spec.on_partition != OnPartition::kEnd) partition_at_.reset();
  std::optional<Duration> next;
  for (const auto& at : {limit_at_, partition_at_, save_again_at_,
                         ending_ ? ending_->kill_at : std::optional<Duration>()})
    if (at && (!next || *at < *next)) next = at;
  timer_.set(next);
}

void StepRun::close_pipe(os::Descriptor& pipe) {
  if (!pipe.is_open()) return;
  poller_.forget(pipe.get());
  pipe.close();
}

void StepRun::read_report(std::size_t index) {
  Task& task = tasks_[index];
  if (!task.process.report.is_open()) return;
  std::array<char, limits::kEndDetailBytes + 2> bytes{};
  for (;;) {
    const ssize_t count = ::read(task.process.report.get(), bytes.data(), bytes.size());
    if (count < 0) return;
    if (count == 0) break;
    std::string_view said(bytes.data(), static_cast<std::size_t>(count));
    if (said.front() == kReady) {
      task.ready = true;
      said.remove_prefix(1);
    }
    if (!said.empty()) task.failure = said.substr(1);
  }
  close_pipe(task.process.report);
  task.executing = task.let_go && task.failure.empty();
  if (task.executing && std::ranges::all_of(tasks_, &Task::executing) &&
      report_.phase == StepPhase::kStarting) {
    report_.phase = StepPhase::kRunning;
    changed_ = true;
  }
}

void StepRun::read_output(std::size_t index) {
  Task& task = tasks_[index];
  if (!task.process.output.is_open()) return;
  std::array<std::uint8_t, kBlock> bytes;
  // The largest pipe's worth a turn: a task that writes without end must not keep us from others.
  for (int round = 0; round < 16; ++round) {
    const ssize_t count = ::read(task.process.output.get(), bytes.data(), bytes.size());
    if (count < 0) return;
    if (count == 0) return close_pipe(task.process.output);
    task.log.append(ByteSpan(bytes).first(static_cast<std::size_t>(count)));
  }
}

void StepRun::let_go_when_ready() {
  if (!go_.is_open() || ending_ || !std::ranges::all_of(tasks_, &Task::ready)) return;
  Started started{report_.step,  report_.token,      {},
                  setting_.self, setting_.isolation, setting_.limits};
  for (const TaskSpec& task : setting_.spec.tasks) started.ranks.push_back(task.rank);
  if (const Status saved = record_.append(to_frame(Record(std::move(started)))); !saved) {
    for (Task& task : tasks_) task.failure = saved.error().message;
    return give_up_when_one_failed();
  }
  const std::vector<char> bytes(tasks_.size());
  for (Task& task : tasks_) task.let_go = true;
  static_cast<void>(::write(go_.get(), bytes.data(), bytes.size()) < 0);
  go_.close();
  if (setting_.spec.time_limit > Duration(0))
    limit_at_ = os::since_boot() + setting_.spec.time_limit;
}

void StepRun::give_up_when_one_failed() {
  const auto failed = [](const Task& task) { return !task.failure.empty(); };
  if (!ending_ && std::ranges::any_of(tasks_, failed)) begin_ending(EndCause::kWithOthers, true);
}

void StepRun::begin_ending(EndCause cause, bool at_once) {
  if (all_ended()) return;
  const bool first = !ending_;
  if (first) ending_ = Ending{cause, std::nullopt};
  const bool kill = at_once || go_.is_open() || setting_.spec.grace <= Duration(0) ||
                    setting_.spec.end_signal == SIGKILL;
  if (kill) {
    ending_->kill_at.reset();
    kill_tree();
  } else if (first) {
    ending_->kill_at = os::since_boot() + setting_.spec.grace;
    signal_tasks(static_cast<int>(setting_.spec.end_signal));
    signal_tasks(SIGCONT);  // one that is stopped could not act on it
  }
}

// Each task leads a process group, so that a shell's children hear it too.
void StepRun::signal_tasks(int signal) {
  for (const auto& [pid, index] : by_pid_)
    if (!tasks_[index].ended) ::kill(-pid, signal);
}

void StepRun::kill_tree() {
  for (const auto& [pid, index] : by_pid_) ::kill(pid, SIGKILL);
  if (setting_.isolation == Isolation::kNamespace) {
    // As pid 1 of a namespace this is everybody else in it, at once: none escapes by forking.
    ::kill(-1, SIGKILL);
    return;
  }
  if (group_) os::best_effort(group_->kill_all());
  // What lost its parent is our child (we are its subreaper), so the tree is whole.
  std::vector<pid_t> ours{::getpid()};
  const std::vector<os::ProcessState> all = os::all_processes();
  for (std::size_t i = 0; i < ours.size(); ++i)
    for (const os::ProcessState& process : all)
      if (process.parent == ours[i] && std::ranges::find(ours, process.pid) == ours.end()) {
        ours.push_back(process.pid);
        ::kill(process.pid, SIGKILL);
      }
}

void StepRun::reap() {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid < 0) gone_ = errno == ECHILD;
    if (pid <= 0) return;
    const auto found = by_pid_.find(pid);
    if (found == by_pid_.end()) continue;
    const std::size_t index = found->second;
    by_pid_.erase(found);
    on_end(index, os::exit_of(status));
  }
}

void StepRun::on_end(std::size_t index, const os::Exit& exit) {
  read_report(index);
  read_output(index);
  Task& task = tasks_[index];
  task.ended = true;
  ++ended_;
  unsaved_.push_back(end_of(task, setting_.spec.tasks[index].rank, exit));
  if (!task.let_go) begin_ending(EndCause::kWithOthers, true);
}

TaskEnd StepRun::end_of(const Task& task, std::uint32_t rank, const os::Exit& exit) {
  if (!task.failure.empty()) return {rank, EndCause::kNotStarted, 0, task.failure};
  const std::string how = exit.by_signal ? "ended by signal " + std::to_string(exit.code)
                                         : "exited with status " + std::to_string(exit.code);
  const std::uint64_t kills = group_ ? group_->memory_kills() : 0;
  const bool memory = kills > std::exchange(memory_kills_seen_, kills);
  if (ending_) return {rank, ending_->cause, exit.code, task.let_go ? how : "not yet started"};
  if (!task.let_go) return {rank, EndCause::kNotStarted, 0, how + " before it was started"};
  if (memory && exit.by_signal && exit.code == SIGKILL)
    return {rank, EndCause::kOutOfMemory, exit.code,
            "the step used more than its " + std::to_string(setting_.spec.memory_mib) + " MiB"};
  const std::string detail = memory             ? "a process of it was killed over its memory"
                             : exit.dumped_core ? "dumped core"
                                                : "";
  return {rank, exit.by_signal ? EndCause::kSignalled : EndCause::kExited, exit.code, detail};
}

void StepRun::save_and_tell() {
  const bool finished = all_ended() && gone_;
  if (save_again_at_ || (unsaved_.empty() && !finished && !changed_)) return;
  std::vector<std::uint8_t> bytes;
  const auto add = [&bytes](const Record& record) {
    const std::vector<std::uint8_t> frame = to_frame(record);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  };
  std::ranges::sort(unsaved_, {}, &TaskEnd::rank);
  if (!unsaved_.empty()) add(TasksEnded{unsaved_});
  if (finished) {
    finish();
    add(Ended{});
  }
  if (!bytes.empty() && !record_.append(bytes)) {
    save_again_at_ = os::since_boot() + kSaveAgain;
    return;
  }
  report_.ends.insert(report_.ends.end(), unsaved_.begin(), unsaved_.end());
  std::ranges::sort(report_.ends, {}, &TaskEnd::rank);
  unsaved_.clear();
  if (finished) report_.phase = StepPhase::kEnded;
  saved_end_ = finished;
  changed_ = false;
  watchers_.tell(report_);
}

// Nothing of the step is left but its folder.
void StepRun::finish() {
  for (std::size_t index = 0; index < tasks_.size(); ++index) {
    read_output(index);
    close_pipe(tasks_[index].process.output);
  }
  if (group_) os::best_effort(group_->remove());
  ::unlink(kSocketFile);
}

}  // namespace weir::stepd
