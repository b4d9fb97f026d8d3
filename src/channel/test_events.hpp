// For tests of the channel: handlers that write down what they hear, in the order they hear it.
// Waiting is for events, with a limit that only a failure reaches.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "channel/client.hpp"
#include "channel/server.hpp"

namespace weir::channel {

// Events in the order they came, and a way to wait for them. Thread safe.
class EventLog {
 public:
  void add(std::string event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    changed_.notify_all();
  }
  // Waits until one begins with this, `times` times; false after half a minute.
  bool wait_for(const std::string& begin, std::size_t times = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30),
                             [&] { return count_locked(begin) >= times; });
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  std::size_t count(const std::string& begin) {
    const std::lock_guard lock(mutex_);
    return count_locked(begin);
  }
  // The first that begins with this.
  std::string first(const std::string& begin) {
    for (const std::string& event : all())
      if (event.starts_with(begin)) return event;
    return "no event: " + begin;
  }

 private:
  std::size_t count_locked(const std::string& begin) {
    std::size_t count = 0;
    for (const std::string& event : events_) count += event.starts_with(begin) ? 1U : 0U;
    return count;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> events_;
};

// "opened n1", "received n1 hello", "closed n1: why"
class RecordingHandler : public ServerHandler {
 public:
  EventLog log;

  void opened(SessionId session, const std::string& node, const std::string& from) override {
    {
      const std::lock_guard lock(mutex_);
      nodes_[session] = node;
      latest_[node] = session;
      from_.push_back(from);
    }
    log.add("opened " + node);
  }
  void received(SessionId session, FromAgent message) override {
    const auto* words = std::get_if<node::ToController>(&message);
    constexpr const char* kNames[] = {"hello", "step", "heartbeat", "witness"};
    const std::string what = words == nullptr ? "output" : kNames[words->index()];
    std::string node;
    {
      const std::lock_guard lock(mutex_);
      node = nodes_[session];
      messages_.push_back(std::move(message));
    }
    log.add("received " + node + " " + what);
  }
  void closed(SessionId session, const std::string& why) override {
    std::string node;
    {
      const std::lock_guard lock(mutex_);
      node = nodes_[session];
    }
    log.add("closed " + node + ": " + why);
  }
  void renewal(const std::string& node, const std::string& /*request*/, Admit admit) override {
    log.add("renewal " + node);
    admit(bad_input("nothing is renewed here"));
  }
  void join(JoinAsked asked, Admit admit) override {
    log.add("join " + asked.node);
    admit(bad_input("nobody joins here"));
  }

  SessionId session_of(const std::string& node) {
    const std::lock_guard lock(mutex_);
    return latest_[node];
  }
  std::vector<FromAgent> messages() {
    const std::lock_guard lock(mutex_);
    return messages_;
  }

 private:
  std::mutex mutex_;
  std::map<SessionId, std::string> nodes_;
  std::map<std::string, SessionId> latest_;
  std::vector<std::string> from_;
  std::vector<FromAgent> messages_;
};

// An agent that greets. "opened", "received", "closed: why", "failed: why"
class RecordingSink : public ClientSink {
 public:
  explicit RecordingSink(std::string node) : node_(std::move(node)) {}

  EventLog log;

  // The client whose sink this is; it greets as soon as it is known and open.
  void greet_with(Client& client, node::Hello hello = {}) {
    const std::lock_guard lock(mutex_);
    client_ = &client;
    hello_ = std::move(hello);
    if (hello_.name.empty()) hello_.name = node_;
    if (open_) client_->send(FromAgent(node::ToController(hello_)));
  }
  void forget_client() {
    const std::lock_guard lock(mutex_);
    client_ = nullptr;
  }

  void opened() override {
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
      if (client_ != nullptr) client_->send(FromAgent(node::ToController(hello_)));
    }
    log.add("opened");
  }
  void received(FromController message) override {
    {
      const std::lock_guard lock(mutex_);
      messages_.push_back(std::move(message));
    }
    log.add("received");
  }
  void closed(const std::string& why) override {
    {
      const std::lock_guard lock(mutex_);
      open_ = false;
    }
    log.add("closed: " + why);
  }
  void failed(const std::string& why) override { log.add("failed: " + why); }

  std::vector<FromController> messages() {
    const std::lock_guard lock(mutex_);
    return messages_;
  }

 private:
  const std::string node_;
  std::mutex mutex_;
  Client* client_ = nullptr;
  node::Hello hello_;
  bool open_ = false;
  std::vector<FromController> messages_;
};

}  // namespace weir::channel
