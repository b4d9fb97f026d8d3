// Both ends of the stream, over real sockets.
#include <fstream>
#include <latch>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/test_site.hpp"
#include "channel/test_values.hpp"

namespace weir::channel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FromAgent words(node::ToController message) { return FromAgent(std::move(message)); }
FromController words(node::ToAgent message) { return FromController(std::move(message)); }

// A controller that listens and an agent that has greeted it.
struct Live {
  TestSite site;
  RecordingHandler handler;
  std::unique_ptr<Server> server = site.server(handler);
  identity::AgentIdentity identity = site.agent("n1");

  [[nodiscard]] ClientOptions options(const identity::AgentIdentity& agent) const {
    return TestSite::client_options(agent.files(), server->agents_port());
  }
  [[nodiscard]] ClientOptions options() const { return options(identity); }
};

TEST(Session, MessagesArriveBothWays) {
  Live live;
  TestAgent agent("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  Values values(7);
  const std::vector<FromAgent> up = {
      words(values.make<node::StepChanged>()), words(values.make<node::Heartbeat>()),
      words(values.make<node::WitnessSays>()), values.make<OutputPart>()};
  for (const FromAgent& message : up) EXPECT_EQ(agent.client().send(message), Sent::kQueued);
  const std::vector<FromController> down = {
      words(values.make<node::Welcome>()),    words(values.make<node::HeartbeatSeen>()),
      words(values.make<node::StartStep>()),  words(values.make<node::EndStep>()),
      words(values.make<node::ForgetStep>()), values.make<OutputWanted>()};
  for (const FromController& message : down)
    EXPECT_EQ(live.server->send(live.handler.session_of("n1"), message), Sent::kQueued);

  ASSERT_TRUE(live.handler.log.wait_for("received n1 output"));
  ASSERT_TRUE(agent.log().wait_for("received", down.size()));
  const auto heard = live.handler.messages();
  EXPECT_EQ(std::vector(heard.begin() + 1, heard.end()), up);
  EXPECT_EQ(agent.sink().messages(), down);
  EXPECT_THAT(live.handler.log.all(),
              ElementsAre("opened n1", "received n1 hello", "received n1 step",
                          "received n1 heartbeat", "received n1 witness", "received n1 output"));
}

TEST(Session, AGreetingOfTenThousandStepsArrives) {
  Live live;
  node::Hello hello;
  hello.name = "n1";
  Values values(1);
  for (int i = 0; i < 10'000; ++i) hello.steps.push_back(values.make<StepReport>());
  TestAgent agent("n1", live.options(), hello);
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  EXPECT_EQ(live.handler.messages().front(), words(hello));
}

TEST(Session, AGreetingInAnotherNodesNameIsRefusedByName) {
  Live live;
  node::Hello hello;
  hello.name = "n2";
  TestAgent agent("n1", live.options(), hello);
  ASSERT_TRUE(agent.log().wait_for("closed: "));
  EXPECT_EQ(agent.log().first("closed"),
            "closed: the certificate is that of node n1, the greeting that of n2");
  EXPECT_TRUE(live.handler.log.all().empty());
  EXPECT_GE(live.server->figures().refused, 1U);
}

TEST(Session, NothingIsHeardBeforeTheGreeting) {
  Live live;
  RecordingSink sink("n1");
  Client client(live.options(), sink);
  ASSERT_TRUE(sink.log.wait_for("opened"));
  client.send(words(node::Heartbeat{1, 0}));
  ASSERT_TRUE(sink.log.wait_for("closed: the first message of a session must be a greeting"));
  EXPECT_TRUE(live.handler.log.all().empty());
}

TEST(Session, WhatIsOutOfRangeEndsItByName) {
  Live live;
  TestAgent agent("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  agent.client().send(words(node::WitnessSays{1, "", Duration(1)}));
  ASSERT_TRUE(live.handler.log.wait_for("closed n1: witness_says.about: empty"));
  // It comes again.
  EXPECT_TRUE(live.handler.log.wait_for("received n1 hello", 2));
}

TEST(Session, AMessageThatIsTooLargeIsNotSent) {
  Live live;
  TestAgent agent("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  OutputPart part;
  part.data.resize(limits::kChannelMessageBytes);
  EXPECT_EQ(agent.client().send(part), Sent::kTooLarge);
  node::StartStep start;
  start.spec.directory.resize(limits::kChannelMessageBytes);
  EXPECT_EQ(live.server->send(live.handler.session_of("n1"), words(start)), Sent::kTooLarge);
  agent.client().send(words(node::Heartbeat{1, 0}));
  EXPECT_TRUE(live.handler.log.wait_for("received n1 heartbeat")) << "the session goes on";
}

TEST(Session, ANewerSessionOfANodeReplacesTheEarlier) {
  Live live;
  TestAgent first("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  const SessionId before = live.handler.session_of("n1");
  TestAgent second("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("opened n1", 2));
  const auto events = live.handler.log.all();
  ASSERT_GE(events.size(), 4U);
  EXPECT_EQ(events[2], "closed n1: a newer session of the same node has come");
  EXPECT_EQ(events[3], "opened n1");
  EXPECT_EQ(live.server->send(before, words(node::HeartbeatSeen{1})), Sent::kGone);
  EXPECT_TRUE(first.log().wait_for("closed: a newer session"));
}

TEST(Session, TheControllerClosesOneByName) {
  Live live;
  TestAgent agent("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  live.server->close(live.handler.session_of("n1"), "silent for 30 s");
  EXPECT_TRUE(live.handler.log.wait_for("closed n1: silent for 30 s"));
  EXPECT_TRUE(agent.log().wait_for("closed: silent for 30 s"));
  EXPECT_TRUE(live.handler.log.wait_for("received n1 hello", 2));
}

// Takes nothing until it is told to.
class BlockedSink : public RecordingSink {
 public:
  using RecordingSink::RecordingSink;
  std::latch go{1};

  void received(FromController message) override {
    go.wait();
    RecordingSink::received(std::move(message));
  }
};

TEST(Session, AnAgentThatTakesNothingLosesItsSession) {
  TestSite site;
  RecordingHandler handler;
  ServerOptions options = site.server_options();
  options.link.queue_bytes = std::size_t{1} << 20;
  const auto server = Server::start(options, handler).value();
  const auto identity = site.agent("n1");
  BlockedSink sink("n1");
  Client client(TestSite::client_options(identity.files(), server->agents_port()), sink);
  sink.greet_with(client);
  ASSERT_TRUE(handler.log.wait_for("received n1 hello"));

  node::StartStep start;
  start.spec.step = {JobId(1), 1};
  start.spec.tasks.resize(1);
  start.spec.tasks[0].argv = {std::string(100'000, 'x')};
  Sent sent = Sent::kQueued;
  int count = 0;
  while (sent == Sent::kQueued && ++count < 10'000)
    sent = server->send(handler.session_of("n1"), words(start));
  EXPECT_EQ(sent, Sent::kFull) << count << " messages; "
                               << ::testing::PrintToString(handler.log.all());
  EXPECT_TRUE(handler.log.wait_for("closed n1: the agent took nothing for too long"));
  sink.go.count_down();
  EXPECT_TRUE(handler.log.wait_for("received n1 hello", 2)) << "and comes again";
  sink.forget_client();
}

TEST(Session, TheAgentComesBackAfterARestartOfTheController) {
  Live live;
  TestAgent agent("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  ServerOptions options = live.site.server_options();
  options.agents = "127.0.0.1:" + std::to_string(live.server->agents_port());
  live.server.reset();
  EXPECT_TRUE(agent.log().wait_for("closed: the controller stops"));
  EXPECT_EQ(live.handler.log.first("closed"), "closed n1: the controller stops");
  EXPECT_EQ(agent.client().send(words(node::Heartbeat{1, 0})), Sent::kGone);
  ASSERT_TRUE(agent.log().wait_for("failed: "));
  live.server = Server::start(options, live.handler).value();
  EXPECT_TRUE(live.handler.log.wait_for("received n1 hello", 2));
}

TEST(Session, TheControllerHearsThatAnAgentHasGone) {
  Live live;
  TestAgent agent("n1", live.options());
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  agent.stop();
  EXPECT_TRUE(live.handler.log.wait_for("closed n1: "));
  EXPECT_EQ(live.server->send(live.handler.session_of("n1"), words(node::HeartbeatSeen{1})),
            Sent::kGone);
}

TEST(Session, APortInUseIsRefusedByName) {
  Live live;
  ServerOptions options = live.site.server_options();
  options.agents = "127.0.0.1:" + std::to_string(live.server->agents_port());
  const auto refused = Server::start(options, live.handler);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(options.agents + ": cannot be listened on"));
}

// Established connections to this port, as the kernel counts them at the listening end.
std::size_t established(std::uint16_t port) {
  const std::string at_port = fmt::format(":{:04X}", port);
  std::size_t count = 0;
  for (const char* path : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
    std::ifstream table(path);
    for (std::string line; std::getline(table, line);) {
      std::istringstream fields(line);
      std::string number;
      std::string local;
      std::string remote;
      std::string state;
      fields >> number >> local >> remote >> state;
      if (local.ends_with(at_port) && state == "01") ++count;
    }
  }
  return count;
}

TEST(Session, SixtyFourAgentsInOneProcessHaveSixtyFourConnections) {
  Live live;
  std::vector<std::unique_ptr<TestAgent>> agents;
  for (int i = 0; i < 64; ++i) {
    const std::string name = "many" + std::to_string(i);
    const auto identity = live.site.agent(name);
    agents.push_back(std::make_unique<TestAgent>(name, live.options(identity)));
  }
  ASSERT_TRUE(live.handler.log.wait_for("received many", 64));
  EXPECT_EQ(live.handler.log.count("opened many"), 64U);
  EXPECT_EQ(established(live.server->agents_port()), 64U);
  // The server goes first, with all of them open.
  live.server.reset();
  EXPECT_EQ(live.handler.log.count("closed many"), 64U);
}

}  // namespace
}  // namespace weir::channel
