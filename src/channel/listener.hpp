// Listener: one port that serves one service, for the .cpp files of this folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "channel/link_options.hpp"
#include "identity/credentials.hpp"

namespace grpc {
class Server;
class Service;
}  // namespace grpc

namespace weir::channel {

struct ListenerOptions {
  std::string address;  // host:port; port 0: any that is free
  identity::CredentialFiles credentials;
  LinkOptions link;
  bool asks_for_certificate = true;
};

class Listener {
 public:
  Listener();
  ~Listener();  // stops
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Errors: kIo, the address; what server_credentials() says.
  Status start(const ListenerOptions& options, grpc::Service& service);
  // Returns when no call of the service runs or will come.
  void stop();

  // 0 before start().
  [[nodiscard]] std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }

 private:
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

}  // namespace weir::channel
