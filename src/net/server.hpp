// Server: HTTP/1.1 on a UNIX socket, one thread for all connections.
//
// Each request goes to the handler, on the server's thread; the answer may come at once or later
// and from any thread, as a whole or as a stream. Requests of one connection are answered one by
// one, in their order. No client can hold anything up: heads, bodies, silence and what waits to be
// read are limited, and whoever exceeds a limit gets an error or loses the connection.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "net/message.hpp"
#include "net/parser.hpp"
#include "net/responder.hpp"

namespace weir::net {

class Core;  // the server's insides

// Must not block: it runs on the server's thread.
using Handler = std::function<void(Request request, Responder responder)>;

struct ServerLimits {
  MessageLimits message{};
  std::size_t connections = limits::kHttpConnections;
  std::size_t stream_bytes = limits::kHttpStreamBytes;
  std::size_t pipeline_bytes = limits::kHttpPipelineBytes;
  Duration idle = limits::kHttpIdle;    // between two requests
  Duration read = limits::kHttpRead;    // for a whole request, from its first byte
  Duration write = limits::kHttpWrite;  // without the client taking a byte
};

struct ServerOptions {
  std::filesystem::path socket;
  mode_t mode = 0600;  // of the socket
  ServerLimits limits{};
  // Gets a line for the log: who was cut off and why. On the server's thread.
  std::function<void(std::string_view line)> log{};
};

class Server {
 public:
  // Listens when it returns. Errors: those of listen_at(); kIo.
  static Result<std::unique_ptr<Server>> start(ServerOptions options, Handler handler);

  // Closes all connections, ends the thread and removes the socket. Responders may live on; what
  // they say goes nowhere.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

 private:
  explicit Server(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  std::shared_ptr<Core> core_;
};

}  // namespace weir::net
