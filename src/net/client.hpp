// Client: blocking HTTP/1.1 requests over a UNIX socket, for the command line and for tests.
//
// One connection, kept between requests and made anew when the server has closed it. One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "net/message.hpp"
#include "os/descriptor.hpp"

namespace weir::net {

struct ClientOptions {
  std::filesystem::path socket;
  // How long an answer may take, its head alone where it is a stream.
  Duration answer = Duration(std::int64_t{60} * 1'000'000);
  // The most that is kept of an answer that is no stream.
  std::size_t body_bytes = std::size_t{1} << 30;
};

// A request as the client sends it.
struct Call {
  std::string method = "GET";
  std::string target{};  // percent-encoded (net/target.hpp)
  std::string body{};
  std::string content_type{};
  Fields fields{};
};

// Gets a piece of the body; false ends the call.
using OnChunk = std::function<bool(std::string_view piece)>;

class Client {
 public:
  explicit Client(ClientOptions options) : options_(std::move(options)) {}

  // The answer, whatever its status. Errors (kIo): nobody listens (the message says how to start a
  // controller), the connection broke, the time is over; kLimit: the answer is too long.
  Result<Response> call(const Call& call);

  // The same, but each piece of a body with status 200 goes to `on_chunk` as it comes, for as long
  // as it takes; that answer has no body. A call that `on_chunk` ended counts as well done.
  Result<Response> stream(const Call& call, const OnChunk& on_chunk);

 private:
  struct Reply;

  Status connect();
  Result<Response> exchange(const Call& call, const OnChunk* on_chunk);
  Status send(std::string_view bytes, const Reply& reply);
  Status receive(Reply& reply);
  // Hands on what came of the body; false: that is enough.
  Result<bool> pass_body(Reply& reply) const;
  [[nodiscard]] std::unexpected<Error> broken(std::string_view what) const;
  [[nodiscard]] std::unexpected<Error> too_late() const;

  ClientOptions options_;
  std::optional<os::Descriptor> socket_;
};

}  // namespace weir::net
