// What the controller's core thread makes of requests and of what agents say.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "controller/controller.hpp"
#include "engine/step_builder.hpp"
#include "os/machine.hpp"

namespace weir::controller {
namespace {

// "ipv4:10.0.0.7:4711", "ipv6:%5B::1%5D:4711" as gRPC writes peers: the host.
std::string host_of(std::string_view peer) {
  if (const std::size_t scheme = peer.find(':');
      scheme != std::string_view::npos && peer.substr(0, 2) == "ip")
    peer.remove_prefix(scheme + 1);
  return std::string(peer.substr(0, peer.rfind(':')));
}

}  // namespace

void Controller::take(Incoming incoming) {
  std::visit([this](auto& content) { take(std::move(content)); }, incoming);
}

RequestView Controller::view() {
  std::string closed;
  if (const auto error = journal_->error()) closed = "no new work is taken: " + error->message;
  return {engine_->state(),
          engine_->planner(),
          *store_,
          clock_.at(os::since_boot()),
          ::getuid(),
          std::move(closed),
          fmt::format("{}:{}", options_.names.front(), agents_->joining_port()),
          [this](const std::string& node, Duration life) { return make_token(node, life); }};
}

void Controller::take(HttpAsked asked) {
  static const Requests requests;
  Outcome outcome = requests.handle(asked.request, view());
  if (const auto* response = std::get_if<net::Response>(&outcome)) {
    asked.responder.respond(*response);
  } else if (auto* change = std::get_if<Change>(&outcome)) {
    replies_.push_back({std::move(asked.responder), events_.size(),
                        std::holds_alternative<WorkSubmitted>(change->event), change->job});
    events_.push_back(std::move(change->event));
  } else {
    const auto& wanted = std::get<LogsWanted>(outcome);
    auto place = place_of(wanted.job, wanted.rank);
    if (!place)
      return asked.responder.respond(net::error_response(
          404, fmt::format("job {} has no task {} whose output is kept on a node",
                           wanted.job.value(), wanted.rank)));
    net::Response head;
    head.fields.push_back({"Content-Type", "text/plain; charset=utf-8"});
    logs_.start(asked.responder.stream(head), *std::move(place), wanted.follow);
  }
}

std::optional<StepPlace> Controller::place_of(JobId job, std::uint32_t rank) const {
  if (const state::WorkRecord* work = engine_->state().work(job)) {
    const std::size_t part = rank / work->work->program.tasks_per_node;
    if (part >= work->steps.size()) return std::nullopt;
    return StepPlace{
        engine_->state().pool().node(work->steps[part].node).name, {job, work->attempt}, rank};
  }
  for (const auto& [id, places] : ended_) {
    const std::size_t part = rank / places.tasks_per_node;
    if (id == job && part < places.nodes.size())
      return StepPlace{places.nodes[part], {job, places.attempt}, rank};
  }
  return std::nullopt;
}

void Controller::take(AgentOpened opened) {
  NodePresence& node = nodes_[opened.node];
  node.address = host_of(opened.from);
  node.session = opened.session;
  session_of_[opened.session] = opened.node;
}

void Controller::take(AgentSaid said) {
  if (const auto* part = std::get_if<channel::OutputPart>(&said.message)) {
    logs_.part(clock_.at(os::since_boot()), *part);
    return;
  }
  heard(said.session, std::get<node::ToController>(said.message));
}

void Controller::heard(channel::SessionId session, const node::ToController& message) {
  const auto name = session_of_.find(session);
  if (name == session_of_.end()) return;
  NodePresence& node = nodes_[name->second];
  if (const auto* hello = std::get_if<node::Hello>(&message)) {
    node.gpus = hello->gpus;
    node.witness = hello->witness_address.starts_with(':') ? node.address + hello->witness_address
                                                           : hello->witness_address;
    node.skew_us = hello->wall_clock_us - os::wall_clock().microseconds();
  } else if (const auto* beat = std::get_if<node::Heartbeat>(&message)) {
    node.skew_us = beat->wall_clock_us - os::wall_clock().microseconds();
  }
  do_desk(desk_->heard(clock_.at(os::since_boot()), session.value(), message, engine_->state()));
}

void Controller::take(AgentClosed closed) {
  const auto name = session_of_.find(closed.session);
  if (name == session_of_.end()) return;
  NodePresence& node = nodes_[name->second];
  if (node.session == closed.session) {
    node.session = channel::SessionId::none();
    logs_.node_gone(name->second);
  }
  session_of_.erase(name);
  do_desk(desk_->closed(closed.session.value(), engine_->state()));
}

void Controller::take(RenewalAsked asked) {
  auto issued = identity_.renew(asked.node, asked.request, os::wall_clock());
  if (!issued) return asked.admit(std::unexpected(issued.error()));
  asked.admit(channel::Admission{*std::move(issued), {}});
}

void Controller::take(Joining joining) {
  const channel::JoinAsked& asked = joining.asked;
  auto issued = identity_.join(asked.secret, asked.node, asked.request, os::wall_clock());
  if (!issued) {
    options_.log(fmt::format("node {} at {} may not join: {}", asked.node, asked.from,
                             issued.error().message));
    return joining.admit(std::unexpected(issued.error()));
  }
  options_.log(fmt::format("node {} has joined from {}", asked.node, asked.from));
  joining.admit(channel::Admission{
      *std::move(issued), fmt::format("{}:{}", options_.names.front(), agents_->agents_port())});
}

// ---- to the agents

void Controller::do_desk(engine::DeskWork work) {
  for (Event& event : work.events) events_.push_back(std::move(event));
  send(work.messages);
  for (const engine::ConnectionId connection : work.closed)
    agents_->close(channel::SessionId(connection), "the session is over");
}

void Controller::send(const std::vector<engine::Sent>& messages) {
  for (const engine::Sent& message : messages)
    agents_->send(channel::SessionId(message.to), channel::FromController(message.message));
}

StepSpec Controller::spec_of(const state::State& state, NodeId node, StepId step) const {
  const auto address = [&](NodeId id) -> std::string {
    const auto found = nodes_.find(state.pool().node(id).name);
    return found == nodes_.end() ? std::string() : found->second.address;
  };
  engine::StepFacts facts;
  if (const auto found = nodes_.find(state.pool().node(node).name); found != nodes_.end()) {
    for (const node::GpuOfNode& gpu : found->second.gpus) {
      facts.node.gpu_uuids.push_back(gpu.uuid);
      facts.node.gpu_devices.push_back(gpu.device);
    }
  }
  facts.master_address = address(state.work(step.job)->steps.front().node);
  auto built = engine::build_step(state, step, node, facts);
  if (built) return std::move(built->spec);
  // A node that tells wrong things of its GPUs: the step must fail there by name, not vanish.
  options_.log("step not built: " + built.error().message);
  StepSpec spec;
  spec.step = step;
  spec.token = state.work(step.job)->token;
  spec.user = state.work(step.job)->work->program.user;
  spec.directory = state.work(step.job)->work->program.directory;
  TaskSpec& task = spec.tasks.emplace_back();
  task.argv.push_back(fmt::format("/weir: {}", built.error().message));
  return spec;
}

}  // namespace weir::controller
