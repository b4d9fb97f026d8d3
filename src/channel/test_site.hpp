// For tests of the channel: a site's identities in a folder of its own, and handlers that write
// down what they hear. Waiting is for events, with a limit that only a failure reaches.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "channel/test_events.hpp"
#include "identity/agent_identity.hpp"
#include "identity/controller_identity.hpp"
#include "support/folder.hpp"

namespace weir::channel {

// Certificates are made at a fixed time and live long, so that no test looks at a clock.
inline constexpr Instant kThen{std::int64_t{1'704'067'200} * 1'000'000};  // 2024-01-01
inline constexpr Duration kDay{std::int64_t{86'400} * 1'000'000};

class TestSite {
 public:
  TestSite() : controller_(open_controller()) {}

  identity::ControllerIdentity& controller() { return controller_; }
  // Of a node that has joined.
  identity::AgentIdentity agent(const std::string& name) {
    auto agent = identity::AgentIdentity::open(folder_.path() / name).value();
    renew(agent, name);
    return agent;
  }
  void renew(identity::AgentIdentity& agent, const std::string& name) {
    const auto issued = controller_.renew(name, agent.request().value(), kThen).value();
    EXPECT_TRUE(agent.accept(issued, name));
  }
  [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }

  [[nodiscard]] ServerOptions server_options() const {
    ServerOptions options;
    options.agents = "127.0.0.1:0";
    options.joining = "127.0.0.1:0";
    options.credentials = controller_.files();
    options.link.reload = Duration(1'000'000);
    return options;
  }
  std::unique_ptr<Server> server(ServerHandler& handler) const {
    return Server::start(server_options(), handler).value();
  }
  static ClientOptions client_options(const identity::CredentialFiles& files, std::uint16_t port) {
    ClientOptions options;
    options.controller = "127.0.0.1:" + std::to_string(port);
    options.credentials = files;
    options.backoff = {Duration(10'000), Duration(100'000)};
    return options;
  }

 private:
  [[nodiscard]] identity::ControllerIdentity open_controller() const {
    identity::ControllerOptions options;
    options.certificate_life = 365 * 18 * kDay;
    return identity::ControllerIdentity::open(folder_.path() / "controller", options, kThen)
        .value();
  }

  testing::TestFolder folder_;
  identity::ControllerIdentity controller_;
};

// A client that greets as `node`, and its sink.
class TestAgent {
 public:
  TestAgent(const std::string& node, const ClientOptions& options, node::Hello hello = {})
      : sink_(node), client_(std::make_unique<Client>(options, sink_)) {
    sink_.greet_with(*client_, std::move(hello));
  }
  ~TestAgent() { stop(); }
  TestAgent(const TestAgent&) = delete;
  TestAgent& operator=(const TestAgent&) = delete;

  void stop() {
    sink_.forget_client();
    client_.reset();
  }
  Client& client() { return *client_; }
  RecordingSink& sink() { return sink_; }
  EventLog& log() { return sink_.log; }

 private:
  RecordingSink sink_;
  std::unique_ptr<Client> client_;
};

}  // namespace weir::channel
