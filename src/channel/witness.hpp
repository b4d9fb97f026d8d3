// What agents say to each other: "have you lost the controller, too?". Every agent listens for it,
// and asks its witnesses. Both ends show their certificates; nobody speaks in another node's name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "channel/link_options.hpp"
#include "identity/credentials.hpp"
#include "node/messages.hpp"

namespace weir::channel {

// To be called once, on any thread, now or later; when the asker is gone it does nothing.
using AnswerWitness = std::function<void(node::WitnessAnswer)>;

// Called on gRPC's threads, several at a time. Must not block and must not throw. `from` in a
// message is the node of the certificate.
class WitnessHandler {
 public:
  virtual ~WitnessHandler() = default;

  virtual void asked(node::AskWitness question, AnswerWitness answer) = 0;
};

class WitnessServer {
 public:
  // Listens on host:port. The handler outlives the server. Errors: as Server::start.
  static Result<std::unique_ptr<WitnessServer>> start(const std::string& address,
                                                      const identity::CredentialFiles& credentials,
                                                      const LinkOptions& link,
                                                      WitnessHandler& handler);
  // Returns when no call of the handler runs or will come.
  ~WitnessServer();
  WitnessServer(const WitnessServer&) = delete;
  WitnessServer& operator=(const WitnessServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

 private:
  class Impl;
  explicit WitnessServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Keeps a connection to each witness that it has spoken to; one that failed is made anew, with the
// credentials as they are then. Any thread.
class WitnessClient {
 public:
  WitnessClient(identity::CredentialFiles credentials, LinkOptions link);
  // Returns when all calls have ended; their callbacks are called with an error.
  ~WitnessClient();
  WitnessClient(const WitnessClient&) = delete;
  WitnessClient& operator=(const WitnessClient&) = delete;

  // `done` is called once, on one of gRPC's threads or this one, within `patience`. Errors: kIo,
  // the witness is not reached, is another node, or does not answer in time.
  void ask(const node::Peer& witness, const node::AskWitness& question, Duration patience,
           std::function<void(Result<node::WitnessAnswer>)> done);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir::channel
