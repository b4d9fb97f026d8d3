#include "engine/agent_desk.hpp"

#include <algorithm>
#include <utility>

#include "base/limits.hpp"

namespace weir::engine {
namespace {

// Reports that wait until their session is taken; more than a node has steps is no agent of ours.
constexpr std::size_t kEarlyMessages = limits::kStepsPerNode;

}  // namespace

NodeId node_of(const Command& command) {
  return std::visit(
      [](const auto& content) {
        if constexpr (requires { content.witness; }) {
          return content.witness;
        } else {
          return content.node;
        }
      },
      command);
}

NodeId AgentDesk::find_node(const std::string& name, const state::State& state) {
  for (; nodes_known_ < state.pool().nodes(); ++nodes_known_)
    names_.emplace(state.pool().node(NodeId(nodes_known_)).name, NodeId(nodes_known_));
  const auto found = names_.find(name);
  return found == names_.end() ? NodeId::none() : found->second;
}

DeskWork AgentDesk::heard(Instant now, ConnectionId from, node::ToController message,
                          const state::State& state) {
  DeskWork work;
  const auto known = sessions_.find(from);
  if (known != sessions_.end() && !known->second.gone) {
    known->second.heard = now;
    on(work, from, message, state);
    return work;
  }
  auto* hello = std::get_if<node::Hello>(&message);
  if (known != sessions_.end() || hello == nullptr) {
    work.closed.push_back(from);
    return work;
  }
  Session& session = sessions_[from];
  session.hello = std::move(*hello);
  session.heard = now;
  greet(work, from, state);
  return work;
}

// A node that the core does not know joins first; its session is taken a turn later.
void AgentDesk::greet(DeskWork& work, ConnectionId id, const state::State& state) {
  Session& session = sessions_.at(id);
  unsettled_.insert(id);
  session.node = find_node(session.hello.name, state);
  if (!session.node.is_none()) return ask(work, session);
  const bool joining = std::ranges::any_of(sessions_, [&](const auto& other) {
    return other.first != id && other.second.phase == Phase::kJoining &&
           other.second.hello.name == session.hello.name;
  });
  if (joining) return;
  Node node;
  node.name = session.hello.name;
  node.kind = session.hello.kind;
  node.rails = session.hello.rails;
  node.cell = site_.cell(session.hello);
  node.availability = Availability::kDown;  // until its session is taken
  work.events.emplace_back(NodeJoined{std::move(node)});
}

void AgentDesk::ask(DeskWork& work, Session& session) const {
  session.phase = Phase::kAsking;
  work.events.emplace_back(AgentConnected{session.node, session.hello.boot, session.hello.session,
                                          std::move(session.hello.steps)});
  session.hello.steps.clear();
}

void AgentDesk::on(DeskWork& work, ConnectionId id, const node::ToController& message,
                   const state::State& state) {
  Session& session = sessions_.at(id);
  if (const auto* beat = std::get_if<node::Heartbeat>(&message)) {
    // Of a session that the core has given up, or has not taken for good, nothing is proved.
    if (session.phase != Phase::kOpen || !is_taken(session, state)) return;
    work.messages.push_back({id, node::HeartbeatSeen{beat->number}});
    if (beat->welcome <= session.known_welcome ||
        beat->welcome != state.agent(session.node).welcome)
      return;
    session.known_welcome = beat->welcome;
    work.events.emplace_back(WitnessesKnown{session.node, beat->welcome});
    return;
  }
  if (session.phase == Phase::kJoining || session.phase == Phase::kAsking) {
    if (session.early.size() < kEarlyMessages) {
      session.early.push_back(message);
    } else {
      work.closed.push_back(id);
      lose(work, id, state);
    }
    return;
  }
  if (const auto* change = std::get_if<node::StepChanged>(&message)) {
    work.events.emplace_back(StepReported{session.node, change->report});
  } else if (const auto* says = std::get_if<node::WitnessSays>(&message)) {
    const NodeId about = find_node(says->about, state);
    if (!about.is_none())
      work.events.emplace_back(WitnessSaid{session.node, about, says->query, says->unheard});
  }
}

DeskWork AgentDesk::closed(ConnectionId connection, const state::State& state) {
  DeskWork work;
  const auto session = sessions_.find(connection);
  if (session != sessions_.end() && !session->second.gone) lose(work, connection, state);
  return work;
}

bool AgentDesk::is_taken(const Session& session, const state::State& state) const {
  if (session.node.is_none()) return false;
  const state::AgentRecord& record = state.agent(session.node);
  return record.connected && record.boot == session.hello.boot &&
         record.session == session.hello.session;
}

bool AgentDesk::other_is_asking(ConnectionId id, NodeId node) const {
  return std::ranges::any_of(unsettled_, [&](ConnectionId other) {
    const Session& session = sessions_.at(other);
    return other != id && session.phase == Phase::kAsking && session.node == node;
  });
}

// AgentLost names a session by a number that counts within a boot. So it is said only while the
// state shows this very session and no other of the node is queued before it.
void AgentDesk::lose(DeskWork& work, ConnectionId id, const state::State& state) {
  Session& lost = sessions_.at(id);
  lost.gone = true;
  if (lost.phase == Phase::kAsking || other_is_asking(id, lost.node)) {
    unsettled_.insert(id);
    return;
  }
  if (is_taken(lost, state)) work.events.emplace_back(AgentLost{lost.node, lost.hello.session});
  erase(id);
}

void AgentDesk::erase(ConnectionId id) {
  const auto session = sessions_.find(id);
  const auto current = current_.find(session->second.node);
  if (current != current_.end() && current->second == id) current_.erase(current);
  unsettled_.erase(id);
  sessions_.erase(session);
}

DeskWork AgentDesk::tick(Instant now, const state::State& state) {
  DeskWork work;
  std::vector<ConnectionId> silent;
  for (const auto& [id, session] : sessions_)
    if (!session.gone && now - session.heard > site_.silence) silent.push_back(id);
  for (const ConnectionId id : silent) {
    work.closed.push_back(id);
    lose(work, id, state);
  }
  return work;
}

Instant AgentDesk::next_wake() const {
  Instant next = Instant::far_future();
  for (const auto& [id, session] : sessions_)
    if (!session.gone) next = std::min(next, session.heard + site_.silence + Duration(1));
  return next;
}

DeskWork AgentDesk::after(const core::TurnResult& turn, const state::State& state) {
  DeskWork work;
  settle(work, state);
  for (const Command& command : turn.commands) {
    const auto to = current_.find(node_of(command));
    if (to == current_.end()) continue;
    if (auto message = message_for(command, sessions_.at(to->second), state))
      outbox_.push_back({turn.number, {to->second, std::move(*message)}});
  }
  return work;
}

// Sessions that were asked for have been taken now, or refused.
void AgentDesk::settle(DeskWork& work, const state::State& state) {
  const std::vector<ConnectionId> ids(unsettled_.begin(), unsettled_.end());
  for (const ConnectionId id : ids) {
    Session& session = sessions_.at(id);
    if (session.phase == Phase::kJoining) {
      session.node = find_node(session.hello.name, state);
      if (session.node.is_none()) {
        work.closed.push_back(id);  // the core does not take such a node
        erase(id);
      } else {
        ask(work, session);
      }
    } else if (session.phase == Phase::kAsking) {
      settle_asking(work, id, state);
    } else {
      lose(work, id, state);
    }
  }
}

void AgentDesk::settle_asking(DeskWork& work, ConnectionId id, const state::State& state) {
  Session& session = sessions_.at(id);
  if (!is_taken(session, state)) {
    // Refused, or followed by a newer one in the same turn.
    if (!session.gone) work.closed.push_back(id);
    return erase(id);
  }
  unsettled_.erase(id);
  session.phase = Phase::kTaken;
  const auto [current, first] = current_.emplace(session.node, id);
  if (!first) {
    const ConnectionId before = std::exchange(current->second, id);
    if (!sessions_.at(before).gone) work.closed.push_back(before);
    erase(before);
  }
  for (const node::ToController& message : std::exchange(session.early, {}))
    on(work, id, message, state);
  if (session.gone) lose(work, id, state);
}

std::vector<Sent> AgentDesk::durable(std::uint64_t turn) {
  std::vector<Sent> leave;
  std::size_t count = 0;
  for (; count < outbox_.size() && outbox_[count].turn <= turn; ++count) {
    Sent& sent = outbox_[count].sent;
    const auto session = sessions_.find(sent.to);
    if (session == sessions_.end() || session->second.gone) continue;
    if (std::holds_alternative<node::Welcome>(sent.message) &&
        session->second.phase == Phase::kTaken)
      session->second.phase = Phase::kOpen;
    leave.push_back(std::move(sent));
  }
  outbox_.erase(outbox_.begin(), outbox_.begin() + static_cast<std::ptrdiff_t>(count));
  return leave;
}

node::Welcome AgentDesk::welcome(const Session& session, const state::State& state) const {
  const state::AgentRecord& record = state.agent(session.node);
  node::Welcome message;
  message.session = session.hello.session;
  message.number = record.welcome;
  message.epoch = state.epoch();
  message.heartbeat = site_.heartbeat;
  message.silence = site_.silence;
  message.deadline = state.watch_rules().deadline;
  for (const NodeId witness : record.witnesses) {
    const std::string& name = state.pool().node(witness).name;
    message.witnesses.push_back({name, site_.address(name)});
  }
  return message;
}

std::optional<node::ToAgent> AgentDesk::message_for(const Command& command, const Session& session,
                                                    const state::State& state) const {
  if (std::holds_alternative<WelcomeTo>(command)) return welcome(session, state);
  if (const auto* start = std::get_if<StartStepOn>(&command)) {
    // Within its turn, the attempt may have been ended already.
    const state::WorkRecord* work = state.work(start->step.job);
    if (work == nullptr || work->attempt != start->step.attempt || work->steps.empty())
      return std::nullopt;
    return node::StartStep{state.epoch(), site_.spec(state, start->node, start->step)};
  }
  if (const auto* end = std::get_if<EndStepOn>(&command))
    return node::EndStep{state.epoch(), end->step, end->token, end->cause};
  if (const auto* forget = std::get_if<ForgetStepOn>(&command))
    return node::ForgetStep{state.epoch(), forget->step};
  const auto& ask = std::get<AskWitnessOf>(command);
  return node::WitnessQuery{ask.query, state.pool().node(ask.about).name};
}

}  // namespace weir::engine
