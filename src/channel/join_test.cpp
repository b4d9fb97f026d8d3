// How a node gets its first certificate, and the next.
#include <deque>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/test_site.hpp"

namespace weir::channel {
namespace {

using ::testing::HasSubstr;

// A controller that admits by its identity.
class AdmittingHandler : public RecordingHandler {
 public:
  explicit AdmittingHandler(TestSite& site) : site_(site) {}

  void join(JoinAsked asked, Admit admit) override {
    log.add("join " + asked.node);
    const std::lock_guard lock(mutex_);
    admit(admission(site_.controller().join(asked.secret, asked.node, asked.request, now)));
  }
  void renewal(const std::string& node, const std::string& request, Admit admit) override {
    log.add("renewal " + node);
    const std::lock_guard lock(mutex_);
    admit(admission(site_.controller().renew(node, request, kThen)));
  }

  Instant now = kThen;

 private:
  static Result<Admission> admission(Result<identity::Issued> issued) {
    return Admission{WEIR_TRY(std::move(issued)), "127.0.0.1:7410"};
  }

  TestSite& site_;
  std::mutex mutex_;
};

struct Live {
  TestSite site;
  AdmittingHandler handler{site};
  std::unique_ptr<Server> server = site.server(handler);

  std::string token(Duration life = kDay) {
    return site.controller().make_token("", kThen, life).value();
  }
  identity::AgentIdentity fresh(const std::string& name) const {
    return identity::AgentIdentity::open(site.folder() / name).value();
  }
  Result<Admission> join(identity::AgentIdentity& agent, const std::string& name,
                         const std::string& token) const {
    JoinOptions options;
    options.joining = "127.0.0.1:" + std::to_string(server->joining_port());
    options.token = token;
    options.node = name;
    options.request = agent.request().value();
    options.now = kThen;
    return channel::join(options);
  }
  static std::string why(const Result<Admission>& refused) {
    return refused ? "admitted" : refused.error().message;
  }
};

TEST(Join, ByATokenOnceThenByItsCertificate) {
  Live live;
  const std::string token = live.token();
  auto agent = live.fresh("n1");
  const auto admitted = live.join(agent, "n1", token);
  ASSERT_TRUE(admitted) << admitted.error().message;
  EXPECT_EQ(admitted->agents, "127.0.0.1:7410");
  ASSERT_TRUE(agent.accept(admitted->issued, "n1"));

  TestAgent session("n1", TestSite::client_options(agent.files(), live.server->agents_port()));
  EXPECT_TRUE(live.handler.log.wait_for("received n1 hello"));

  auto thief = live.fresh("n2");
  const auto refused = live.join(thief, "n2", token);
  EXPECT_THAT(Live::why(refused), HasSubstr("the join token has been used"));
  EXPECT_EQ(refused.error().code, Errc::kBadInput);
}

TEST(Join, AnExpiredTokenIsRefused) {
  Live live;
  const std::string token = live.token(kDay);
  live.handler.now = kThen + kDay;
  auto agent = live.fresh("n1");
  EXPECT_THAT(Live::why(live.join(agent, "n1", token)), HasSubstr("expired at 2024-01-02"));
}

TEST(Join, TheSecretIsNotSentToAnotherController) {
  Live live;
  TestSite other;
  const std::string token = other.controller().make_token("", kThen, kDay).value();
  auto agent = live.fresh("n1");
  EXPECT_THAT(Live::why(live.join(agent, "n1", token)),
              HasSubstr("not the one that the token names"));
  EXPECT_EQ(live.handler.log.count("join"), 0U);
}

TEST(Join, ATokenThatIsNoneIsRefusedBeforeAnythingIsSent) {
  Live live;
  auto agent = live.fresh("n1");
  EXPECT_THAT(Live::why(live.join(agent, "n1", "weir-x")), HasSubstr("weir token create"));
  EXPECT_EQ(live.handler.log.count("join"), 0U);
}

TEST(Join, AnAnswerWithAnotherAuthorityIsRefused) {
  Live live;
  const std::string token = live.token();
  // The authority is changed between token and answer, and the old one dropped at once.
  ASSERT_TRUE(live.site.controller().prepare_authority(kThen));
  ASSERT_TRUE(live.site.controller().change_authority(kThen));
  ASSERT_TRUE(live.site.controller().drop_old_authorities());
  auto agent = live.fresh("n1");
  EXPECT_THAT(Live::why(live.join(agent, "n1", token)), HasSubstr("that the token names"));
}

TEST(Join, NobodyJoinsWhereNothingListensForIt) {
  TestSite site;
  RecordingHandler handler;
  ServerOptions options = site.server_options();
  options.joining.clear();
  const auto server = Server::start(options, handler).value();
  EXPECT_EQ(server->joining_port(), 0);
}

TEST(Renewal, GivesACertificateForTheSameNode) {
  Live live;
  auto agent = live.site.agent("n1");
  TestAgent session("n1", TestSite::client_options(agent.files(), live.server->agents_port()));
  ASSERT_TRUE(live.handler.log.wait_for("received n1 hello"));
  EventLog log;
  Admission admission;
  session.client().renew(agent.request().value(), [&](Result<Admission> result) {
    if (result) admission = *result;
    log.add(result ? "renewed" : "refused: " + result.error().message);
  });
  ASSERT_TRUE(log.wait_for("renewed"));
  EXPECT_EQ(live.handler.log.first("renewal"), "renewal n1");
  EXPECT_TRUE(agent.accept(admission.issued, "n1"));
}

TEST(Renewal, WithoutASessionIsAnError) {
  TestSite site;
  const auto agent = site.agent("n1");
  RecordingSink sink("n1");
  Client client(TestSite::client_options(agent.files(), 1), sink);
  ASSERT_TRUE(sink.log.wait_for("failed"));
  EventLog log;
  // An attempt to connect may be under way: then it is refused with that attempt.
  client.renew("request",
               [&](const Result<Admission>& result) { log.add(result ? "renewed" : "refused"); });
  EXPECT_TRUE(log.wait_for("refused"));
}

// A controller that answers later, or never.
class SlowHandler : public RecordingHandler {
 public:
  void join(JoinAsked asked, Admit admit) override {
    {
      const std::lock_guard lock(mutex_);
      waiting.push_back(std::move(admit));
    }
    log.add("join " + asked.node);
  }

  std::deque<Admit> waiting;

 private:
  std::mutex mutex_;
};

TEST(Join, AServerStopsThoughSomebodyWaitsForAnAnswer) {
  TestSite site;
  SlowHandler handler;
  auto server = site.server(handler);
  JoinOptions options;
  options.joining = "127.0.0.1:" + std::to_string(server->joining_port());
  options.token = site.controller().make_token("", kThen, kDay).value();
  options.node = "n1";
  options.now = kThen;
  Result<Admission> result = bad_input("none yet");
  std::thread joiner([&] { result = join(options); });
  EXPECT_TRUE(handler.log.wait_for("join n1"));
  server.reset();
  joiner.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::kIo);
  handler.waiting.front()(bad_input("too late"));  // does nothing
}

}  // namespace
}  // namespace weir::channel
