#include "sim/faults/controller_host.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/replay.hpp"

namespace weir::sim::faults {
namespace {

// In 100,000, at each of the points where the controller may die.
constexpr std::uint32_t kCrash = 25;
constexpr std::uint32_t kSlowDisk = 2000;
constexpr ControllerStarted kWatchRules{ms(12'000), ms(2000)};

std::vector<std::uint8_t> bytes_of(const state::State& state) {
  ByteWriter out;
  state.encode(out);
  return {out.bytes().begin(), out.bytes().end()};
}

bool went_well(const state::StepRecord& step) {
  return std::ranges::all_of(step.ends, [](const TaskEnd& end) {
    return end.cause == EndCause::kExited && end.code == 0;
  });
}

}  // namespace

StepSpec spec_of(const state::State& state, NodeId node, StepId step) {
  const state::JobRecord& job = *state.find(step.job);
  const state::WorkRecord& work = *state.work(step.job);
  StepSpec spec;
  spec.step = step;
  spec.token = work.token;
  spec.time_limit = work.work->rules.time_limit;
  spec.on_partition = work.work->rules.on_partition;
  const std::uint32_t tasks = work.work->program.tasks_per_node;
  for (std::uint32_t part = 0; part < job.lease.parts.size(); ++part) {
    if (job.lease.parts[part].node != node) continue;
    for (std::uint32_t gpu = 0; gpu < 32; ++gpu)
      if ((job.lease.parts[part].gpus >> gpu & 1) != 0) spec.devices.push_back(std::to_string(gpu));
    for (std::uint32_t i = 0; i < tasks; ++i) {
      TaskSpec& task = spec.tasks.emplace_back();
      task.rank = part * tasks + i;
      task.argv = work.work->program.argv;
    }
  }
  return spec;
}

ControllerHost::ControllerHost(Kernel& kernel, Network& network, Ledger& ledger)
    : kernel_(kernel), network_(network), ledger_(ledger) {}

engine::DeskSite ControllerHost::desk_site() {
  engine::DeskSite site;
  site.heartbeat = ms(1000);
  site.silence = ms(4000);
  site.spec = spec_of;
  site.address = [](const std::string& name) { return name + ":1"; };
  site.cell = [](const node::Hello& hello) {
    return DomainId(static_cast<std::uint32_t>(hello.name.back()) % 2);
  };
  return site;
}

core::FrameSink ControllerHost::sink() {
  return [this](ByteSpan frame) -> Status {
    frame_.assign(frame.begin(), frame.end());
    return {};
  };
}

void ControllerHost::later(Duration delay, std::function<void()> what) {
  kernel_.after(delay, [this, life = life_, what = std::move(what)] {
    if (life_ == life) what();
  });
}

void ControllerHost::create(const Locality& locality) {
  sched::Settings settings;
  settings.backfill = sched::Backfill::kEasy;
  settings.refuse_impossible = false;
  auto made = core::Engine::make(settings, sink());
  journal_ = frame_;
  durable_state_ = bytes_of(made->state());
  start();
  queue(LocalityLearned{locality});
}

void ControllerHost::start() {
  ++life_;
  auto recovered = core::Engine::recover(journal_, sink());
  if (!recovered) return kernel_.violated("cannot recover: " + recovered.error().message);
  engine_ = std::make_unique<core::Engine>(std::move(*recovered));
  if (bytes_of(engine_->state()) != durable_state_)
    kernel_.violated("the recovered state is another one than that which was on disk");
  desk_.emplace(desk_site());
  kernel_.note("ctl", fmt::format("starts: turn bytes {}", journal_.size()));
  queue(kWatchRules);
  network_.controller_listens();
  tick();
}

void ControllerHost::mend() {
  if (!up()) start();
}

void ControllerHost::crash(std::string_view when) {
  if (!up()) return;
  ++crashes_;
  kernel_.note("ctl", fmt::format("crashes {}", when));
  // What was written and not synced may have reached the disk all the same, from the front.
  std::size_t kept = kernel_.below(pending_.size() + 1);
  for (std::size_t i = 0; i < kept; ++i) keep(pending_[i]);
  ++life_;
  engine_.reset();
  desk_.reset();
  queue_.clear();
  pending_.clear();
  turn_is_due_ = syncing_ = false;
  network_.controller_died(/*its_kernel_tells=*/kernel_.chance(700));
  kernel_.after(kernel_.between(ms(50), ms(kernel_.chance(300) ? 60'000 : 4000)),
                [this] { mend(); });
}

bool ControllerHost::submit(WorkSubmitted submission, std::function<void(JobId)> answer) {
  if (!up()) return false;
  queue(std::move(submission), std::move(answer));
  return true;
}

void ControllerHost::say(Event event) {
  if (up()) queue(std::move(event));
}

void ControllerHost::queue(Event event, Answer answer) {
  queue_.push_back({std::move(event), std::move(answer)});
  if (std::exchange(turn_is_due_, true)) return;
  later(kernel_.between(ms(0), ms(3)), [this] { turn(); });
}

void ControllerHost::take(engine::DeskWork work) {
  for (Event& event : work.events) queue(std::move(event));
  for (const engine::Sent& sent : work.messages) network_.send_down(sent.to, sent.message);
  for (const ConnectionId connection : work.closed) network_.close_at_controller(connection);
}

void ControllerHost::heard(ConnectionId connection, const node::ToController& message) {
  if (!up()) return;
  if (kernel_.strikes(kCrash)) return crash("on a message");
  take(desk_->heard(kernel_.now(), connection, message, state()));
}

void ControllerHost::closed(ConnectionId connection) {
  if (up()) take(desk_->closed(connection, state()));
}

void ControllerHost::tick() {
  take(desk_->tick(kernel_.now(), state()));
  if (state().next_wake() <= kernel_.now()) queue(TimePassed{});
  later(ms(250), [this] { tick(); });
}

void ControllerHost::turn() {
  turn_is_due_ = false;
  if (kernel_.strikes(kCrash)) return crash("before a turn");
  std::vector<Queued> batch = std::exchange(queue_, {});
  std::vector<Event> events;
  for (const Queued& queued : batch) events.push_back(queued.event);
  auto result = engine_->turn(kernel_.now(), std::move(events));
  if (!result) return kernel_.violated("a turn failed: " + result.error().message);
  check(*result);
  std::set<std::size_t> rejected;
  for (const core::Rejected& one : result->rejected) {
    rejected.insert(one.index);
    kernel_.note("ctl", fmt::format("rejects: {}", one.error.message));
  }
  if (result->number != 0) {
    Pending pending{result->number, frame_, bytes_of(state()), {}, result->finished};
    std::size_t next = 0;
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (std::holds_alternative<WorkSubmitted>(batch[i].event) && !rejected.contains(i))
        pending.answers.emplace_back(result->submitted.at(next++), batch[i].answer);
    pending_.push_back(std::move(pending));
  }
  take(desk_->after(*result, state()));
  if (kernel_.strikes(kCrash)) return crash("between the journal's write and its sync");
  sync();
}

// What the core believes, after each turn.
void ControllerHost::check(const core::TurnResult& turn) {
  if (const Status audit = state().pool().audit(); !audit)
    kernel_.violated("the pool: " + audit.error().message);
  for (const JobId id : state().jobs()) {
    const state::WorkRecord* work = state().work(id);
    if (work == nullptr || work->ending) continue;
    for (const state::StepRecord& step : work->steps)
      if (step.phase == StepPhase::kEnded && !went_well(step))
        kernel_.violated(
            fmt::format("half of job {}'s gang has failed, the rest goes on", id.value()));
  }
  for (const Decision& decision : turn.decisions) {
    kernel_.note("ctl", core::describe(decision, state()));
    if (const auto* started = std::get_if<JobStarted>(&decision))
      if (ledger_.alive(started->job))
        kernel_.violated(
            fmt::format("job {} starts while a task of it lives", started->job.value()));
  }
  for (const state::Finished& finished : turn.finished) {
    kernel_.note("ctl", fmt::format("job {} {}: {}", finished.id.value(),
                                    state::to_text(finished.state), finished.reason));
    ledger_.check(finished);
  }
}

void ControllerHost::sync() {
  if (pending_.empty() || std::exchange(syncing_, true)) return;
  const std::size_t count = pending_.size();
  const Duration takes = kernel_.strikes(kSlowDisk) ? kernel_.between(ms(100), ms(2500))
                                                    : kernel_.between(ms(1), ms(8));
  later(takes, [=, this] { synced(count); });
}

void ControllerHost::keep(Pending& pending) {
  journal_.insert(journal_.end(), pending.frame.begin(), pending.frame.end());
  durable_state_ = std::move(pending.state);
  for (state::Finished& finished : pending.finished) {
    const JobId id = finished.id;
    if (!history_.emplace(id, std::move(finished)).second)
      kernel_.violated(fmt::format("job {} has ended twice", id.value()));
  }
}

void ControllerHost::synced(std::size_t count) {
  syncing_ = false;
  std::vector<Pending> done(
      std::make_move_iterator(pending_.begin()),
      std::make_move_iterator(pending_.begin() + static_cast<std::ptrdiff_t>(count)));
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
  for (Pending& one : done) keep(one);
  if (kernel_.strikes(kCrash)) return crash("after a sync");
  for (const Pending& one : done)
    for (const auto& [job, answer] : one.answers) answer(job);
  for (const engine::Sent& sent : desk_->durable(done.back().turn)) {
    if (kernel_.strikes(kCrash)) return crash("while it sends commands");
    network_.send_down(sent.to, sent.message);
  }
  sync();
}

}  // namespace weir::sim::faults
