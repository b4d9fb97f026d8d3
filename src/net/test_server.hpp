// For tests: a server in a folder of its own, and a raw socket to it that reads with a deadline.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "net/client.hpp"
#include "net/server.hpp"
#include "net/unix_socket.hpp"
#include "support/folder.hpp"

namespace weir::net::testing {

inline constexpr int kDeadlineMs = 20'000;

constexpr Duration milliseconds(std::int64_t count) { return Duration(count * 1'000); }

// A connection that sends and receives bytes as they are.
class RawClient {
 public:
  explicit RawClient(const std::filesystem::path& path)
      : socket_(connect_to(path).value_or(os::Descriptor(-1))) {
    EXPECT_TRUE(socket_.is_open());
  }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      pollfd wanted{socket_.get(), POLLOUT, 0};
      ASSERT_EQ(::poll(&wanted, 1, kDeadlineMs), 1);
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0) return;  // the server has closed: what it said can still be read
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void end_sending() const { ::shutdown(socket_.get(), SHUT_WR); }

  // Everything until the server closes, or until `end` has come.
  std::string read(std::string_view end = {}) {
    while (end.empty() || !input_.contains(end)) {
      pollfd wanted{socket_.get(), POLLIN, 0};
      if (::poll(&wanted, 1, kDeadlineMs) != 1) {
        ADD_FAILURE() << "nothing came in time, after: " << input_;
        break;
      }
      char bytes[4096];
      const ssize_t count = ::recv(socket_.get(), bytes, sizeof bytes, 0);
      if (count <= 0) break;
      input_.append(bytes, static_cast<std::size_t>(count));
    }
    const std::size_t at = end.empty() ? input_.size() : input_.find(end) + end.size();
    std::string read = input_.substr(0, at);
    input_.erase(0, at);
    return read;
  }
  [[nodiscard]] int descriptor() const { return socket_.get(); }

 private:
  os::Descriptor socket_;
  std::string input_;
};

class ServerTest : public ::testing::Test {
 protected:
  // Before what a test's handlers refer to.
  void TearDown() override { server_.reset(); }
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "weir.sock"; }

  void start(Handler handler, ServerLimits limits = {}) {
    ServerOptions options{path(), 0600, limits, [this](std::string_view line) {
                            const std::lock_guard guard(mutex_);
                            log_.emplace_back(line);
                          }};
    auto started = Server::start(std::move(options), std::move(handler));
    ASSERT_TRUE(started) << started.error().message;
    server_ = *std::move(started);
  }
  // Answers with method, target and body.
  void start_echo(ServerLimits limits = {}) {
    start(
        [](const Request& request, Responder responder) {
          responder.respond(
              {200, {}, request.method + " " + request.target.text + " " + request.body});
        },
        limits);
  }
  std::vector<std::string> log() {
    const std::lock_guard guard(mutex_);
    return log_;
  }
  [[nodiscard]] Client client() const { return Client({.socket = path()}); }

  weir::testing::TestFolder folder_;
  std::mutex mutex_;
  std::vector<std::string> log_;
  std::unique_ptr<Server> server_;
};

}  // namespace weir::net::testing
