#include "agent/node_agent.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "os/boot_clock.hpp"
#include "os/durable.hpp"
#include "os/files.hpp"
#include "os/machine.hpp"

namespace weir::agent {
namespace {

enum Key : std::uint64_t { kStop, kInbox, kKeeper, kTimer };

// Of how many ended steps the output is kept.
constexpr std::size_t kKeptSteps = 256;

Instant monotonic() { return Instant(os::since_boot().count()); }

constexpr std::size_t kFenceBytes = 64;
constexpr Duration kPatience{1'000'000};

Result<node::KeepFence> read_fence(const std::filesystem::path& file) {
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return node::KeepFence{};
  const auto bytes = WEIR_TRY(os::read_file(file, kFenceBytes));
  ByteReader in(bytes);
  node::KeepFence fence;
  fence.epoch = in.unsigned_number();
  fence.forgotten = in.unsigned_number();
  if (!in.ok() || !in.at_end())
    return corrupt(file.string() + ": this is no fence of an agent; expected two numbers");
  return fence;
}

}  // namespace

NodeAgent::NodeAgent(AgentOptions options, identity::AgentIdentity identity,
                     std::unique_ptr<StepKeeper> keeper, os::Poller poller, os::BootTimer timer)
    : options_(std::move(options)),
      identity_(std::move(identity)),
      keeper_(std::move(keeper)),
      poller_(std::move(poller)),
      timer_(std::move(timer)) {}

Result<std::unique_ptr<NodeAgent>> NodeAgent::open(AgentOptions options) {
  identity::AgentIdentity identity =
      WEIR_TRY(identity::AgentIdentity::open(options.state / "identity"));
  if (!identity.has_joined()) WEIR_TRY(join(options, identity));
  if (identity.node() != options.name)
    return bad_input(
        fmt::format("{}: it has joined as node {}, not {}; start it under that name "
                    "or with another folder",
                    options.state.string(), identity.node(), options.name));
  if (options.controller.empty())
    options.controller = WEIR_TRY(os::read_text(options.state / "controller", 4096));
  auto keeper = WEIR_TRY(StepKeeper::open({options.state, options.stepd}));
  os::Poller poller = WEIR_TRY(os::Poller::create());
  os::BootTimer timer = WEIR_TRY(os::BootTimer::create());
  std::unique_ptr<NodeAgent> agent(new NodeAgent(std::move(options), std::move(identity),
                                                 std::move(keeper), std::move(poller),
                                                 std::move(timer)));
  WEIR_TRY(agent->start());
  return agent;
}

Status NodeAgent::join(const AgentOptions& options, identity::AgentIdentity& identity) {
  if (options.token.empty() || options.joining.empty())
    return bad_input(
        fmt::format("node {} has not joined yet: give it a token (`weir token create` "
                    "on the controller) and the address where nodes join",
                    options.name));
  channel::JoinOptions joining;
  joining.joining = options.joining;
  joining.token = options.token;
  joining.node = options.name;
  joining.request = WEIR_TRY(identity.request());
  joining.now = os::wall_clock();
  const channel::Admission admission = WEIR_TRY(channel::join(joining));
  WEIR_TRY(identity.accept(admission.issued, options.name));
  const std::string& agents = options.controller.empty() ? admission.agents : options.controller;
  return os::write_durably(
      options.state / "controller",
      ByteSpan(reinterpret_cast<const std::uint8_t*>(agents.data()), agents.size()));
}

Status NodeAgent::start() {
  const node::KeepFence fence = WEIR_TRY(read_fence(fence_file()));
  const std::string boot = WEIR_TRY(os::boot_id());
  // A step that lives must not be told as one that is not here.
  while (!keeper_->settled()) {
    os::wait_readable(keeper_->fd(), kPatience);
    keeper_->on_ready();
  }
  machine_.emplace(
      node::AgentSettings{options_.name, boot, WEIR_VERSION, options_.kind, options_.rails}, fence,
      keeper_->reports(), monotonic());
  witness_server_ =
      WEIR_TRY(channel::WitnessServer::start(options_.witness, identity_.files(), {}, *this));
  witness_client_ =
      std::make_unique<channel::WitnessClient>(identity_.files(), channel::LinkOptions{});
  connect();
  return {};
}

void NodeAgent::connect() {
  client_.reset();
  channel::ClientOptions client;
  client.controller = options_.controller;
  client.credentials = identity_.files();
  client.seed = std::hash<std::string>{}(options_.name);
  channel::ClientSink& sink = *this;  // only here is it known to be one
  client_ = std::make_unique<channel::Client>(std::move(client), sink);
}

Status NodeAgent::run(int stop) {
  WEIR_TRY(poller_.watch(stop, kStop));
  WEIR_TRY(poller_.watch(inbox_.fd(), kInbox));
  WEIR_TRY(poller_.watch(keeper_->fd(), kKeeper));
  WEIR_TRY(poller_.watch(timer_.fd(), kTimer));
  for (;;) {
    Instant wake = machine_->next_wake();
    if (!dropped_.empty()) wake = std::min(wake, dropped_.front().at);
    timer_.set(wake == Instant::far_future() ? std::nullopt
                                             : std::optional(Duration(wake.microseconds())));
    for (const os::Ready& ready : poller_.wait(std::nullopt)) {
      if (ready.key == kStop) return {};
      if (ready.key == kTimer) timer_.acknowledge();
    }
    for (Incoming& incoming : inbox_.take()) WEIR_TRY(take(std::move(incoming)));
    for (const StepReport& report : keeper_->on_ready())
      WEIR_TRY(carry_out(machine_->step_changed(monotonic(), report)));
    WEIR_TRY(carry_out(machine_->tick(monotonic())));
    drop_old_steps(monotonic());
    renew_if_due();
  }
}

void NodeAgent::failed(const std::string& why) {
  options_.log("controller " + options_.controller + " not reached: " + why);
}

Status NodeAgent::take(Incoming incoming) {
  const Instant now = monotonic();
  if (std::holds_alternative<SessionOpened>(incoming)) {
    options_.log("session with " + options_.controller + " is open");
    return carry_out(machine_->connected(now, static_cast<std::uint64_t>(now.microseconds())));
  }
  if (const auto* closed = std::get_if<SessionClosed>(&incoming)) {
    options_.log("session closed: " + closed->why);
    return carry_out(machine_->disconnected(now));
  }
  if (const auto* message = std::get_if<channel::FromController>(&incoming))
    return take_message(*message);
  if (auto* asked = std::get_if<Asked>(&incoming)) {
    to_answer_[{asked->question.from, asked->question.number}] = std::move(asked->answer);
    return carry_out(machine_->take(now, node::BetweenAgents(asked->question)));
  }
  if (const auto* answer = std::get_if<node::WitnessAnswer>(&incoming))
    return carry_out(machine_->take(now, node::BetweenAgents(*answer)));
  renewing_ = false;
  const auto& admission = std::get<Result<channel::Admission>>(incoming);
  if (!admission) {
    options_.log("certificate not renewed: " + admission.error().message);
    return {};
  }
  if (const Status taken = identity_.accept(admission->issued, options_.name); !taken)
    options_.log("certificate not renewed: " + taken.error().message);
  return {};
}

Status NodeAgent::take_message(const channel::FromController& message) {
  if (const auto* wanted = std::get_if<channel::OutputWanted>(&message)) {
    answer_output(*wanted);
    return {};
  }
  return carry_out(machine_->take(monotonic(), std::get<node::ToAgent>(message)));
}

// In order; what a fence guards is not carried out when it cannot be kept.
Status NodeAgent::carry_out(node::Actions actions) {
  for (node::Action& action : actions) {
    if (auto* send_this = std::get_if<node::ToTheController>(&action)) {
      send(std::move(send_this->message));
    } else if (const auto* peer = std::get_if<node::ToPeer>(&action)) {
      ask(*peer);
    } else if (const auto* run = std::get_if<node::RunStep>(&action)) {
      WEIR_TRY(run_step(run->spec));
    } else if (const auto* stop = std::get_if<node::StopStep>(&action)) {
      if (const Status ended = keeper_->end(stop->step, stop->cause); !ended)
        options_.log("step not ended: " + ended.error().message);
    } else if (const auto* drop = std::get_if<node::DropStep>(&action)) {
      dropped_.push_back({monotonic() + options_.keep_output, drop->step});
    } else if (const auto* fence = std::get_if<node::KeepFence>(&action)) {
      ByteWriter out;
      out.unsigned_number(fence->epoch);
      out.unsigned_number(fence->forgotten);
      WEIR_TRY(os::write_durably(fence_file(), out.bytes()));
    } else if (const auto* deadline = std::get_if<node::MoveDeadline>(&action)) {
      keeper_->set_partition_deadline(deadline->at - monotonic());
    } else if (const auto* close = std::get_if<node::CloseSession>(&action)) {
      options_.log("session given up: " + close->reason);
      connect();
      WEIR_TRY(carry_out(machine_->disconnected(monotonic())));
    }
  }
  return {};
}

void NodeAgent::send(node::ToController message) {
  if (auto* hello = std::get_if<node::Hello>(&message)) {
    hello->gpus = options_.gpus;
    hello->witness_address = fmt::format(":{}", witness_server_->port());
    hello->wall_clock_us = os::wall_clock().microseconds();
  } else if (auto* beat = std::get_if<node::Heartbeat>(&message)) {
    beat->wall_clock_us = os::wall_clock().microseconds();
  }
  client_->send(channel::FromAgent(std::move(message)));
}

Status NodeAgent::run_step(const StepSpec& spec) {
  auto started = keeper_->start(spec);
  if (!started) {
    StepReport report{spec.step, spec.token, StepPhase::kEnded, {}};
    for (const TaskSpec& task : spec.tasks)
      report.ends.push_back({task.rank, EndCause::kNotStarted, 0, started.error().message});
    return carry_out(machine_->step_changed(monotonic(), report));
  }
  return carry_out(machine_->step_changed(monotonic(), *started));
}

void NodeAgent::ask(const node::ToPeer& action) {
  if (const auto* answer = std::get_if<node::WitnessAnswer>(&action.message)) {
    const auto waiting = to_answer_.find({action.peer.name, answer->number});
    if (waiting == to_answer_.end()) return;
    waiting->second(*answer);
    to_answer_.erase(waiting);
    return;
  }
  const auto& question = std::get<node::AskWitness>(action.message);
  witness_client_->ask(action.peer, question, Duration(5'000'000),
                       [this](Result<node::WitnessAnswer> answer) {
                         if (answer) inbox_.push(*std::move(answer));
                       });
}

void NodeAgent::answer_output(const channel::OutputWanted& wanted) {
  channel::OutputPart part;
  part.request = wanted.request;
  auto output = keeper_->read_output(wanted.step, wanted.rank, wanted.offset,
                                     static_cast<std::size_t>(wanted.most));
  if (!output) {
    part.error = output.error().message;
  } else {
    const auto reports = keeper_->reports();
    const auto report = std::ranges::find(reports, wanted.step, &StepReport::step);
    part.offset = output->offset;
    part.end = output->bytes.size() < wanted.most && report != reports.end() &&
               report->phase == StepPhase::kEnded;
    part.data = std::move(output->bytes);
  }
  client_->send(channel::FromAgent(std::move(part)));
}

// The controller has forgotten them; what they wrote stays readable for a while.
void NodeAgent::drop_old_steps(Instant now) {
  while (!dropped_.empty() && (dropped_.front().at <= now || dropped_.size() > kKeptSteps)) {
    if (const Status forgotten = keeper_->forget(dropped_.front().step); !forgotten)
      options_.log("step not dropped: " + forgotten.error().message);
    dropped_.erase(dropped_.begin());
  }
}

void NodeAgent::renew_if_due() {
  if (renewing_ || os::wall_clock() < identity_.renewal() || !machine_->has_session()) return;
  const auto request = identity_.request();
  if (!request) return;
  renewing_ = true;
  client_->renew(*request, [this](Result<channel::Admission> admission) {
    inbox_.push(std::move(admission));
  });
}

}  // namespace weir::agent
