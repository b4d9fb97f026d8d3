// For tests: a controller that answers what a test tells it to and remembers what it was asked.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/server.hpp"
#include "support/command.hpp"
#include "support/folder.hpp"

namespace weir::cli::testing {

struct Asked {
  std::string call;  // "POST /v1/jobs"
  std::string body;
};

class ControllerTest : public ::testing::Test {
 protected:
  void TearDown() override { server_.reset(); }
  [[nodiscard]] std::string socket() const { return (folder_.path() / "weir.sock").string(); }

  // From the next request on. The last of several answers of one call stays.
  void answer(const std::string& call, net::Response response) {
    const std::lock_guard guard(mutex_);
    answers_[call].push_back(std::move(response));
  }
  void answer_json(const std::string& call, std::string body, unsigned status = 200) {
    answer(call, net::json_response(status, std::move(body)));
  }

  void start() {
    auto started = net::Server::start(
        {.socket = socket()}, [this](const net::Request& request, net::Responder responder) {
          responder.respond(serve(request));
        });
    ASSERT_TRUE(started) << started.error().message;
    server_ = *std::move(started);
  }

  // weir WORDS... --socket ours; the flag stands behind the first `words` words.
  weir::testing::CommandRun run(std::vector<std::string> words, std::size_t before = 1) {
    if (server_ == nullptr) start();
    const std::vector<std::string> flag{"--socket", socket()};
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(before), flag.begin(), flag.end());
    return weir::testing::run_weir(words);
  }

  std::vector<Asked> asked() {
    const std::lock_guard guard(mutex_);
    return asked_;
  }
  std::vector<std::string> calls() {
    std::vector<std::string> found;
    for (const Asked& one : asked()) found.push_back(one.call);
    return found;
  }

  weir::testing::TestFolder folder_;
  // Called with each request, on the server's thread.
  std::function<void(const std::string& call)> on_call_;
  std::unique_ptr<net::Server> server_;

 private:
  net::Response serve(const net::Request& request) {
    const std::string call = request.method + " " + request.target.text;
    if (on_call_) on_call_(call);
    const std::lock_guard guard(mutex_);
    asked_.push_back({call, request.body});
    const auto found = answers_.find(call);
    if (found == answers_.end()) return net::error_response(404, "nothing is at " + call);
    net::Response response = found->second.front();
    if (found->second.size() > 1) found->second.erase(found->second.begin());
    return response;
  }

  std::mutex mutex_;
  std::map<std::string, std::vector<net::Response>> answers_;
  std::vector<Asked> asked_;
};

}  // namespace weir::cli::testing
