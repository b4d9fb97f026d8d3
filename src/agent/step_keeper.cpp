#include "agent/step_keeper.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "agent/step_remains.hpp"
#include "os/best_effort.hpp"
#include "os/cgroup.hpp"
#include "os/durable.hpp"

namespace weir::agent {
namespace {

namespace fs = std::filesystem;

// A step's descriptors, as what is added to its key; 0 alone is the timer.
constexpr std::uint64_t kConnection = 0;
constexpr std::uint64_t kLauncher = 1;
constexpr std::uint64_t kEnding = 2;
constexpr std::uint64_t kKeysPerStep = 3;
constexpr std::uint64_t kTimer = 0;

// Between looks at a step whose stepd is neither there nor gone: it starts, or it just ends.
constexpr Duration kFirstLook{1'000};
constexpr Duration kLastLook{200'000};

// Ends of all ranks: those that are known, and the others as told.
std::vector<TaskEnd> complete(std::vector<TaskEnd> ends, const std::vector<std::uint32_t>& ranks,
                              EndCause cause, const std::string& detail) {
  for (const std::uint32_t rank : ranks)
    if (std::ranges::find(ends, rank, &TaskEnd::rank) == ends.end())
      ends.push_back({rank, cause, 0, detail.substr(0, limits::kEndDetailBytes)});
  std::ranges::sort(ends, {}, &TaskEnd::rank);
  return ends;
}

}  // namespace

StepKeeper::StepKeeper(KeeperSetting setting, os::Poller poller, os::BootTimer timer)
    : setting_(std::move(setting)),
      poller_(std::move(poller)),
      timer_(std::move(timer)),
      steps_folder_(setting_.state / "steps") {}

Result<std::unique_ptr<StepKeeper>> StepKeeper::open(KeeperSetting setting) {
  if (setting.stepd.empty()) {
    const fs::path self = WEIR_TRY(os::own_program());
    setting.stepd = self.parent_path() / "weir-stepd";
  }
  os::Poller poller = WEIR_TRY(os::Poller::create());
  os::BootTimer timer = WEIR_TRY(os::BootTimer::create());
  std::unique_ptr<StepKeeper> keeper(
      new StepKeeper(std::move(setting), std::move(poller), std::move(timer)));
  WEIR_TRY(keeper->poller_.watch(keeper->timer_.fd(), kTimer));
  WEIR_TRY(keeper->find_steps());
  keeper->set_timer();
  return keeper;
}

Status StepKeeper::find_steps() {
  std::error_code failure;
  fs::create_directories(steps_folder_, failure);
  StepFolder::remove_rests(steps_folder_);
  std::vector<StepId> found;
  for (const auto& entry : fs::directory_iterator(steps_folder_, failure))
    if (const auto id = StepFolder::step_of(entry.path().filename().string())) found.push_back(*id);
  if (failure) return io_error(steps_folder_.string() + ": cannot be read: " + failure.message());
  for (const StepId& id : found) add_found(id);
  return {};
}

void StepKeeper::add_found(StepId id) {
  Step& step = add(id);
  if (const auto spec = step.folder.spec())
    take_spec(step, *spec);
  else
    step.failure = spec.error().message;
  if (const StepHistory history = step.folder.history(); history.started) {
    step.report.token = history.started->token;
    step.ranks = history.started->ranks;
  }
  look(id, step);
}

StepKeeper::Step& StepKeeper::add(StepId id) {
  Step& step = steps_.emplace(id, StepFolder(steps_folder_, id)).first->second;
  step.report.step = id;
  step.key = next_key_ * kKeysPerStep;
  keys_.emplace(next_key_++, id);
  return step;
}

void StepKeeper::take_spec(Step& step, const StepSpec& spec) {
  step.report.token = spec.token;
  step.on_partition = spec.on_partition;
  step.ranks.clear();
  for (const TaskSpec& task : spec.tasks) {
    step.ranks.push_back(task.rank);
    if (!task.output.empty()) step.own_files.emplace(task.rank, task.output);
  }
}

Result<StepReport> StepKeeper::start(const StepSpec& spec) {
  if (const auto found = steps_.find(spec.step); found != steps_.end()) {
    Step& step = found->second;
    if (step.ranks.empty() && step.report.phase == StepPhase::kEnded) {
      // It was ended before it came.
      take_spec(step, spec);
      step.report.ends =
          complete({}, step.ranks, EndCause::kNotStarted, "it was ended before it was started");
    }
    return step.report;
  }
  const StepFolder folder(steps_folder_, spec.step);
  if (const Status created = folder.create(spec); !created) {
    os::best_effort(folder.remove());
    return std::unexpected(created.error());
  }
  Step& step = add(spec.step);
  take_spec(step, spec);
  step.known = true;
  if (const Status spawned = spawn(step); !spawned) {
    step.failure = spawned.error().message;
    look(spec.step, step);
  }
  set_timer();
  return step.report;
}

Status StepKeeper::spawn(Step& step) {
  auto [ours, theirs] = WEIR_TRY(os::connected_pair());
  os::Launch launch{setting_.stepd, {"--connection", "3"}, theirs.get()};
  launch.arguments.insert(launch.arguments.end(), {"--cgroup-root", setting_.cgroup_root.string()});
  if (!setting_.namespaces) launch.arguments.emplace_back("--no-namespace");
  if (partition_at_)
    launch.arguments.insert(launch.arguments.end(),
                            {"--deadline", std::to_string(partition_at_->count())});
  launch.arguments.push_back(fs::absolute(step.folder.path()).string());
  step.launcher = WEIR_TRY(os::spawn(launch));
  WEIR_TRY(poller_.watch(step.launcher->pidfd.get(), step.key + kLauncher));
  attach(step, std::move(ours));
  return {};
}

void StepKeeper::attach(Step& step, os::Descriptor connection) {
  step.connection.emplace(std::move(connection));
  step.frames = {};
  step.look_again_at.reset();
  if (!poller_.watch(step.connection->fd(), step.key + kConnection)) {
    step.connection.reset();
    return look_again(step);
  }
  send(step, stepd::Hello{});
  send(step, stepd::Watch{});
  if (step.on_partition == OnPartition::kEnd && partition_at_)
    send(step, stepd::PartitionDeadline{*partition_at_ - os::since_boot()});
  for (const stepd::Request& request : std::exchange(step.unsent, {})) send(step, request);
}

void StepKeeper::detach(Step& step) {
  if (!step.connection) return;
  poller_.forget(step.connection->fd());
  step.connection.reset();
}

void StepKeeper::send(Step& step, const stepd::Request& request) {
  if (!step.connection) {
    step.unsent.push_back(request);
    return;
  }
  step.connection->queue(stepd::to_frame(request));
  flush(step);
}

void StepKeeper::flush(Step& step) {
  static_cast<void>(step.connection->flush());  // a broken one shows when it is read
  const bool more = step.connection->queued() > 0;
  os::best_effort(poller_.change(step.connection->fd(), step.key + kConnection,
                                 more ? os::Interest::kReadAndWrite : os::Interest::kRead));
}

std::vector<StepReport> StepKeeper::on_ready() {
  for (std::vector<os::Ready> ready; !(ready = poller_.wait(Duration(0))).empty();)
    for (const os::Ready& one : ready) on_ready(one);
  set_timer();
  std::vector<StepReport> reports;
  for (const StepId& id : std::exchange(changed_, {}))
    if (const auto found = steps_.find(id); found != steps_.end())
      reports.push_back(found->second.report);
  return reports;
}

void StepKeeper::on_ready(const os::Ready& ready) {
  if (ready.key == kTimer) {
    timer_.acknowledge();
    for (auto& [id, step] : steps_)
      if (step.look_again_at && *step.look_again_at <= os::since_boot()) look(id, step);
    return;
  }
  const auto key = keys_.find(ready.key / kKeysPerStep);
  if (key == keys_.end()) return;
  const StepId id = key->second;
  Step& step = steps_.at(id);
  switch (ready.key % kKeysPerStep) {
    case kConnection: on_connection(id, step, ready.readable); break;
    case kLauncher: {
      if (!step.launcher) return;
      const auto exit = os::reap(*step.launcher);
      if (!exit) return;
      if (step.failure.empty() && (exit->by_signal || exit->code != 0))
        step.failure = "weir-stepd ended before it had begun";
      poller_.forget(step.launcher->pidfd.get());
      step.launcher.reset();
      if (!step.connection && step.report.phase != StepPhase::kEnded) look(id, step);
      break;
    }
    default:
      if (!step.ending) return;
      poller_.forget(step.ending->get());
      step.ending.reset();
      look(id, step);
  }
}

void StepKeeper::on_connection(StepId id, Step& step, bool readable) {
  if (!step.connection) return;
  flush(step);
  if (!readable) return;
  bool open = step.connection->receive(step.frames.room());
  for (;;) {
    const auto payload = step.frames.next();
    if (!payload) open = false;
    if (!payload || !*payload) break;
    const auto answer = stepd::parse_answer(**payload);
    if (!answer) {
      open = false;
      break;
    }
    on_answer(id, step, *answer);
  }
  if (open) return;
  detach(step);
  if (step.report.phase != StepPhase::kEnded) look(id, step);
}

void StepKeeper::on_answer(StepId id, Step& step, const stepd::Answer& answer) {
  if (const auto* failure = std::get_if<stepd::Failure>(&answer)) {
    step.failure = failure->text;
  } else if (const auto* report = std::get_if<stepd::Report>(&answer)) {
    step.looks = 0;
    change(id, step, report->report);
  }
}

void StepKeeper::change(StepId id, Step& step, StepReport report) {
  report.step = id;
  if (step.known && step.report == report) return;
  step.known = true;
  step.report = std::move(report);
  changed_.insert(id);
}

void StepKeeper::look(StepId id, Step& step) {
  step.look_again_at.reset();
  const auto lock = os::try_lock(step.folder.file(stepd::kLockFile));
  if (lock && *lock) {
    // One that is only about to take the lock finds a record, or is waited for.
    if (!step.launcher) look_at_record(id, step);
    return;
  }
  if (!step.connection)
    if (auto connection = os::connect_local(step.folder.file(stepd::kSocketFile)))
      return attach(step, *std::move(connection));
  look_again(step);
}

void StepKeeper::look_again(Step& step) {
  const Duration pause = std::min(kLastLook, kFirstLook * (1 << std::min(step.looks++, 10)));
  step.look_again_at = os::since_boot() + pause;
}

// We hold the lock: no stepd runs, and none begins.
void StepKeeper::look_at_record(StepId id, Step& step) {
  const StepHistory history = step.folder.history();
  if (history.started && !history.ended) {
    auto ending = still_ending(history.started->stepd);
    if (!ending) return look_again(step);
    if (*ending) {
      step.ending = *std::move(*ending);
      if (!poller_.watch(step.ending->get(), step.key + kEnding)) look_again(step);
      return;
    }
  }
  settle(id, step, history);
}

void StepKeeper::settle(StepId id, Step& step, const StepHistory& history) {
  const auto group = os::group_name(step.folder.path());
  if (!group || !clear_remains(history.started, setting_.cgroup_root, *group))
    return look_again(step);
  StepReport report = step.report;
  report.phase = StepPhase::kEnded;
  report.ends = history.ends;
  if (!history.ended) {
    const std::string why = history.started ? "its weir-stepd was killed; how it ended is not known"
                            : step.failure.empty()
                                ? "the agent or its weir-stepd died before the tasks were started"
                                : step.failure;
    report.ends = complete(history.ends, step.ranks,
                           history.started ? EndCause::kUnknown : EndCause::kNotStarted, why);
    std::vector<TaskEnd> added;
    std::ranges::copy_if(report.ends, std::back_inserter(added), [&](const TaskEnd& end) {
      return std::ranges::find(history.ends, end.rank, &TaskEnd::rank) == history.ends.end();
    });
    if (!step.folder.append_end(added)) return look_again(step);
  }
  std::error_code ignored;
  fs::remove(step.folder.file(stepd::kSocketFile), ignored);
  step.unsent.clear();
  change(id, step, std::move(report));
}

Status StepKeeper::end(StepId id, EndCause cause, bool at_once) {
  const auto found = steps_.find(id);
  if (found != steps_.end()) {
    if (found->second.report.phase != StepPhase::kEnded)
      send(found->second, stepd::End{cause, at_once});
    return {};
  }
  const StepFolder folder(steps_folder_, id);
  WEIR_TRY(folder.create());
  WEIR_TRY(folder.append_end({}));
  Step& step = add(id);
  StepReport report = step.report;
  report.phase = StepPhase::kEnded;
  change(id, step, std::move(report));
  return {};
}

Status StepKeeper::forget(StepId id) {
  const auto found = steps_.find(id);
  if (found == steps_.end()) return {};
  Step& step = found->second;
  if (step.report.phase != StepPhase::kEnded)
    return bad_input("step " + std::to_string(id.job.value()) + "." + std::to_string(id.attempt) +
                     " still runs here and cannot be forgotten");
  WEIR_TRY(step.folder.remove());
  detach(step);
  if (step.launcher) {
    // It has done its work long before its step ended.
    poller_.forget(step.launcher->pidfd.get());
    static_cast<void>(os::wait_readable(step.launcher->pidfd.get(), kLastLook));
    static_cast<void>(os::reap(*step.launcher));
  }
  keys_.erase(step.key / kKeysPerStep);
  changed_.erase(id);
  steps_.erase(found);
  return {};
}

void StepKeeper::set_partition_deadline(std::optional<Duration> from_now) {
  partition_at_.reset();
  if (from_now) partition_at_ = os::since_boot() + *from_now;
  for (auto& [id, step] : steps_)
    if (step.on_partition == OnPartition::kEnd && step.connection)
      send(step, stepd::PartitionDeadline{from_now});
}

std::vector<StepReport> StepKeeper::reports() const {
  std::vector<StepReport> reports;
  for (const auto& [id, step] : steps_) reports.push_back(step.report);
  return reports;
}

bool StepKeeper::settled() const {
  return std::ranges::all_of(steps_, [](const auto& entry) { return entry.second.known; });
}

Result<Output> StepKeeper::read_output(StepId id, std::uint32_t rank, std::uint64_t offset,
                                       std::size_t most) const {
  const auto found = steps_.find(id);
  if (found == steps_.end()) return bad_input("this node keeps nothing of that step");
  const Step& step = found->second;
  if (std::ranges::find(step.ranks, rank) == step.ranks.end())
    return bad_input("rank " + std::to_string(rank) + " does not run on this node");
  if (const auto file = step.own_files.find(rank); file != step.own_files.end())
    return bad_input("rank " + std::to_string(rank) + " writes to its own file, " + file->second);
  return step.folder.read_output(rank, offset, most);
}

void StepKeeper::set_timer() {
  std::optional<Duration> next;
  for (const auto& [id, step] : steps_)
    if (step.look_again_at && (!next || *step.look_again_at < *next)) next = step.look_again_at;
  timer_.set(next);
}

}  // namespace weir::agent
