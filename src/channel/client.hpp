// Client: the agent's end of the channel. It connects, and connects again whenever the session
// breaks, waiting longer from time to time; what is said in a session, the Hello first, is its
// user's. One connection of its own for each Client, also when many are in one process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "channel/backoff.hpp"
#include "channel/link_options.hpp"
#include "channel/messages.hpp"
#include "channel/server.hpp"
#include "identity/credentials.hpp"

namespace weir::channel {

// Called on gRPC's threads, one call at a time: opened, received..., closed, and again; failed for
// each attempt that did not open. Must not block and must not throw. May call send().
class ClientSink {
 public:
  virtual ~ClientSink() = default;

  virtual void opened() = 0;
  virtual void received(FromController message) = 0;
  virtual void closed(const std::string& why) = 0;
  virtual void failed(const std::string& why) = 0;
};

struct ClientOptions {
  std::string controller;  // host:port of its agents' listener
  // Read again for each attempt to connect, so a renewed certificate is shown from then on.
  identity::CredentialFiles credentials;
  LinkOptions link;
  BackoffLimits backoff;
  std::uint64_t seed = 0;  // of the chance in the waits: another for each node
};

class Client {
 public:
  // The sink outlives the Client.
  Client(ClientOptions options, ClientSink& sink);
  // Ends the session and returns when no call of the sink runs or will come. Not from the sink.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Never blocks. kFull: the session is closed, and the next one begins with a Hello that tells
  // all. Any thread.
  Sent send(const FromAgent& message);

  // Asks for a new certificate for the name in the present one. `done` is called once, on one of
  // gRPC's threads; not at all when the Client goes first. Errors: no session is open, the
  // controller refuses.
  void renew(const std::string& request, std::function<void(Result<Admission>)> done);

  // Messages of kinds that this program does not know.
  [[nodiscard]] std::uint64_t skipped() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct JoinOptions {
  std::string joining;  // host:port of the controller's listener for joining
  std::string token;    // as `weir token create` printed it
  std::string node;
  std::string request;  // for a certificate
  LinkOptions link;
  Duration patience{30'000'000};
  Instant now;
};

// Joins. The secret is sent only to a server whose authority is the one that the token names; an
// answer that holds another authority is refused. Blocks for `patience` at most.
// Errors: kBadInput, the token, the server, or the answer of the server; kIo, it is not reached.
Result<Admission> join(const JoinOptions& options);

}  // namespace weir::channel
