#include "net/client.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include "net/parser.hpp"
#include "net/unix_socket.hpp"

namespace weir::net {
namespace {

using Clock = std::chrono::steady_clock;

// Waits for `events`; false: the time is over first. None: forever.
bool wait_for(int socket, short events, const std::optional<Clock::time_point>& deadline) {
  for (;;) {
    int timeout = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
      timeout = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
    }
    pollfd wanted{socket, events, 0};
    const int ready = ::poll(&wanted, 1, timeout);
    if (ready > 0) return true;
    if (ready == 0 && timeout >= 0 && Clock::now() >= *deadline) return false;
    if (ready < 0 && errno != EINTR) return true;  // the call itself will say what is wrong
  }
}

// What the server did to an idle connection: nothing is there to be read but its end.
bool has_ended(int socket) {
  char byte = 0;
  const ssize_t count = ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

}  // namespace

struct Client::Reply {
  explicit Reply(bool to_head) : parser(to_head) {}

  ResponseParser parser;
  Clock::time_point deadline;
  const OnChunk* on_chunk = nullptr;
  std::string body;
  bool enough = false;
};

std::unexpected<Error> Client::broken(std::string_view what) const {
  return io_error(
      fmt::format("{}: {}: whether the request was carried out is not known; look at "
                  "the controller's log",
                  options_.socket.string(), what));
}

std::unexpected<Error> Client::too_late() const {
  return io_error(fmt::format("{}: the controller gave no answer within {}",
                              options_.socket.string(), format_duration(options_.answer)));
}

Status Client::connect() {
  // A request that was never sent can be sent anew without doing anything twice.
  if (socket_ && !has_ended(socket_->get())) return {};
  socket_.reset();
  socket_.emplace(WEIR_TRY(connect_to(options_.socket)));
  return {};
}

Status Client::send(std::string_view bytes, const Reply& reply) {
  while (!bytes.empty()) {
    if (!wait_for(socket_->get(), POLLOUT, reply.deadline)) return too_late();
    const ssize_t count =
        ::send(socket_->get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return {};  // refused halfway: the answer that says why may be there to read
    } else if (errno != EAGAIN && errno != EINTR) {
      return broken(std::generic_category().message(errno));
    }
  }
  return {};
}

Result<bool> Client::pass_body(Reply& reply) const {
  if (!reply.parser.has_head()) return true;
  const std::string piece = reply.parser.take_body();
  if (piece.empty()) return true;
  // What an error says is no piece of what was asked for.
  if (reply.on_chunk != nullptr && reply.parser.head().status == 200)
    return (*reply.on_chunk)(piece);
  if (reply.body.size() + piece.size() > options_.body_bytes)
    return over_limit(fmt::format("{}: the answer is longer than {} bytes",
                                  options_.socket.string(), options_.body_bytes));
  reply.body += piece;
  return true;
}

Status Client::receive(Reply& reply) {
  std::array<char, 65536> input{};
  for (;;) {
    const bool endless = reply.on_chunk != nullptr && reply.parser.has_head();
    if (!wait_for(socket_->get(), POLLIN, endless ? std::nullopt : std::optional(reply.deadline)))
      return too_late();
    const ssize_t count = ::recv(socket_->get(), input.data(), input.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count > 0) reply.parser.add({input.data(), static_cast<std::size_t>(count)});
    const Parsed parsed = count > 0 ? reply.parser.parse() : reply.parser.end();
    reply.enough = !WEIR_TRY(pass_body(reply));
    if (reply.enough || parsed == Parsed::kMessage) return {};
    if (parsed == Parsed::kFailed) return broken(reply.parser.failure());
  }
}

Result<Response> Client::exchange(const Call& call, const OnChunk* on_chunk) {
  WEIR_TRY(connect());
  Reply reply(call.method == "HEAD");
  reply.deadline = Clock::now() + std::chrono::microseconds(options_.answer.count());
  reply.on_chunk = on_chunk;
  Fields fields = call.fields;
  if (!call.content_type.empty()) fields.push_back({"Content-Type", call.content_type});
  Status done = send(format_request(call.method, call.target, fields, call.body), reply);
  if (done) done = receive(reply);
  if (!done || reply.enough || !reply.parser.keep_alive()) socket_.reset();
  if (!done) return std::unexpected(done.error());
  Response response = reply.parser.head();
  response.body = std::move(reply.body);
  return response;
}

Result<Response> Client::call(const Call& call) { return exchange(call, nullptr); }

Result<Response> Client::stream(const Call& call, const OnChunk& on_chunk) {
  return exchange(call, &on_chunk);
}

}  // namespace weir::net
