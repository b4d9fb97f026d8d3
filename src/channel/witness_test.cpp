#include "channel/witness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/test_site.hpp"

namespace weir::channel {
namespace {

using ::testing::HasSubstr;

constexpr Duration kPatience{30'000'000};

class RecordingWitness : public WitnessHandler {
 public:
  explicit RecordingWitness(std::string name) : name_(std::move(name)) {}

  EventLog log;
  AnswerWitness kept;
  bool answers = true;

  void asked(node::AskWitness question, AnswerWitness answer) override {
    if (answers)
      answer({name_, question.number, true});
    else
      kept = std::move(answer);
    log.add("asked by " + question.from);
  }

 private:
  const std::string name_;
};

struct Live {
  TestSite site;
  identity::AgentIdentity witness_identity = site.agent("w1");
  identity::AgentIdentity asker = site.agent("n1");
  RecordingWitness witness{"w1"};
  std::unique_ptr<WitnessServer> server = start();
  std::unique_ptr<WitnessClient> client =
      std::make_unique<WitnessClient>(asker.files(), LinkOptions{});
  EventLog log;

  std::unique_ptr<WitnessServer> start() {
    return WitnessServer::start("127.0.0.1:0", witness_identity.files(), {}, witness).value();
  }
  [[nodiscard]] node::Peer peer(const std::string& name = "w1") const {
    return {name, "127.0.0.1:" + std::to_string(server->port())};
  }
  void ask(const node::Peer& peer, const std::string& from = "n1", Duration patience = kPatience) {
    client->ask(peer, {from, 7}, patience, [this](const Result<node::WitnessAnswer>& answer) {
      log.add(answer ? "answer of " + answer->from + " to " + std::to_string(answer->number) +
                           (answer->has_controller ? " yes" : " no")
                     : "error: " + answer.error().message);
    });
  }
};

TEST(Witness, IsAskedAndAnswers) {
  Live live;
  live.ask(live.peer());
  ASSERT_TRUE(live.log.wait_for("answer of w1 to 7 yes"));
  EXPECT_EQ(live.witness.log.first("asked"), "asked by n1");
}

TEST(Witness, NobodySpeaksInAnotherNodesName) {
  Live live;
  live.ask(live.peer(), "n2");
  ASSERT_TRUE(live.log.wait_for("error: witness w1: the certificate is not that of node n2"));
  EXPECT_TRUE(live.witness.log.all().empty());
}

TEST(Witness, AnotherNodeAtItsAddressIsNotAsked) {
  Live live;
  live.ask(live.peer("w2"));
  ASSERT_TRUE(live.log.wait_for("error: witness w2: "));
  EXPECT_TRUE(live.witness.log.all().empty());
}

TEST(Witness, OneThatIsGoneIsAnErrorAndMayComeBack) {
  Live live;
  const node::Peer before = live.peer();
  live.ask(before);
  ASSERT_TRUE(live.log.wait_for("answer of w1"));
  live.server.reset();
  live.ask(before);
  ASSERT_TRUE(live.log.wait_for("error: witness w1: "));
  live.server =
      WitnessServer::start(before.address, live.witness_identity.files(), {}, live.witness).value();
  live.ask(before);
  EXPECT_TRUE(live.log.wait_for("answer of w1", 2));
}

TEST(Witness, OneThatDoesNotAnswerInTimeIsAnError) {
  Live live;
  live.witness.answers = false;
  live.ask(live.peer(), "n1", Duration(100'000));
  ASSERT_TRUE(live.log.wait_for("error: witness w1: "));
  EXPECT_THAT(live.log.first("error"), HasSubstr("Deadline"));
}

TEST(Witness, BothEndsStopThoughAnAnswerIsMissing) {
  Live live;
  live.witness.answers = false;
  live.ask(live.peer());
  ASSERT_TRUE(live.witness.log.wait_for("asked by n1"));
  live.client.reset();
  EXPECT_EQ(live.log.count("error: "), 1U) << "the callback was called";
  live.server.reset();
  live.witness.kept({"w1", 7, true});  // does nothing
}

}  // namespace
}  // namespace weir::channel
