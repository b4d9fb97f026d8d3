// Server: the controller's end of the channel. Two listeners: one for agents, who show their
// certificates, and one where nodes join by a token.
//
// No thread for each agent: gRPC's own few threads carry all sessions and call the handler.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/id.hpp"
#include "base/result.hpp"
#include "channel/link_options.hpp"
#include "channel/messages.hpp"
#include "identity/controller_identity.hpp"

namespace weir::channel {

// Numbered from 1 in the order in which they opened; never used again by this Server.
using SessionId = Id<struct SessionTag, std::uint64_t>;

// What a node that joined, or asked for a new certificate, gets.
struct Admission {
  identity::Issued issued;
  std::string agents;  // host:port of the agents' listener; empty: it knows already

  friend bool operator==(const Admission&, const Admission&) = default;
};
// To be called once, on any thread, now or later; after the Server is gone it does nothing.
using Admit = std::function<void(Result<Admission>)>;

struct JoinAsked {
  std::string secret;   // of the token
  std::string node;     // what it says it is called
  std::string request;  // for a certificate
  std::string from;     // its address, for the log
};

// Called on gRPC's threads, several at a time: of one session, one after another in the order
// opened, received..., closed; of sessions of the same node, the earlier is closed before the later
// opens. Must not block and must not throw: push into a queue and wake who reads it. May call
// send() and close().
class ServerHandler {
 public:
  virtual ~ServerHandler() = default;

  // After a Hello whose name is that of the certificate. The Hello itself is received() next.
  virtual void opened(SessionId session, const std::string& node, const std::string& from) = 0;
  virtual void received(SessionId session, FromAgent message) = 0;
  virtual void closed(SessionId session, const std::string& why) = 0;

  // `node` is that of the certificate.
  virtual void renewal(const std::string& node, const std::string& request, Admit admit) = 0;
  virtual void join(JoinAsked asked, Admit admit) = 0;
};

struct ServerOptions {
  std::string agents = "0.0.0.0:7410";   // host:port; port 0: any that is free
  std::string joining = "0.0.0.0:7411";  // empty: nobody can join
  identity::CredentialFiles credentials;
  LinkOptions link;
};

struct ServerFigures {
  std::uint64_t skipped = 0;  // messages of kinds that this program does not know
  std::uint64_t refused = 0;  // sessions that ended for what the agent sent
};

class Server {
 public:
  // The handler outlives the Server. Errors: kIo, an address that cannot be listened on or
  // credentials that cannot be read; kCorrupt.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options,
                                               ServerHandler& handler);
  // Closes all sessions and returns when no call of the handler runs or will come.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t agents_port() const;
  [[nodiscard]] std::uint16_t joining_port() const;  // 0: none
  [[nodiscard]] ServerFigures figures() const;

  // Never blocks. Any thread.
  Sent send(SessionId session, const FromController& message);
  // The handler hears closed() soon, with this reason. Any thread.
  void close(SessionId session, const std::string& why);

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir::channel
