// Sessions: the sessions of a Server, in the order of their events that server.hpp promises.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "channel/server.hpp"

namespace grpc {
class CallbackServerContext;
template <class Request, class Response>
class ServerBidiReactor;
}  // namespace grpc

namespace weir::wire {
class AgentMessage;
class ControllerMessage;
}  // namespace weir::wire

namespace weir::channel {

class Session;

// Thread safe.
class Sessions {
 public:
  using Reactor = grpc::ServerBidiReactor<wire::AgentMessage, wire::ControllerMessage>;

  Sessions(ServerHandler& handler, LinkOptions link);
  ~Sessions();
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // Of an agent that has just connected.
  Reactor* accept(grpc::CallbackServerContext* context);

  Sent send(SessionId session, const FromController& message);
  void close(SessionId session, const std::string& why);
  // From now on every session is refused, and those that are there end.
  void close_all(const std::string& why);
  void wait_until_empty();

  [[nodiscard]] ServerFigures figures() const { return {skipped_, refused_}; }

 private:
  friend class Session;

  // What a session tells of itself.
  void open(Session& session);
  void done(const std::shared_ptr<Session>& session);

  std::shared_ptr<Session> find(SessionId session) const;

  ServerHandler& handler_;
  const LinkOptions link_;
  // Held while a session opens or closes, the handler's calls included: so the handler hears of the
  // sessions of one node in their order. Taken before every other mutex.
  std::mutex order_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool closing_ = false;
  std::uint64_t last_ = 0;
  std::map<SessionId, std::shared_ptr<Session>> all_;
  std::map<std::string, SessionId> of_node_;  // those that have opened
  std::atomic<std::uint64_t> skipped_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
};

}  // namespace weir::channel
