// The agent's rules, one by one: what comes in as messages and instants, what it does as words.
#include "node/agent.hpp"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace weir::node {
namespace {

constexpr Instant at(std::int64_t second) { return Instant(second * 1'000'000); }
constexpr Duration long_of(std::int64_t seconds) { return Duration(seconds * 1'000'000); }

std::string words(StepId step) { return fmt::format("{}.{}", step.job.value(), step.attempt); }

std::string words(const StepReport& report) {
  const char* phases[] = {"starting", "running", "ended"};
  return fmt::format("{} {}", words(report.step), phases[static_cast<int>(report.phase)]);
}

struct Words {
  std::string operator()(const ToTheController& action) const {
    return std::visit(*this, action.message);
  }
  std::string operator()(const Hello& hello) const {
    std::string text = fmt::format("hello {}", hello.session);
    for (const StepReport& report : hello.steps) text += " " + words(report);
    return text;
  }
  std::string operator()(const StepChanged& change) const { return "tell " + words(change.report); }
  std::string operator()(const Heartbeat& beat) const {
    return fmt::format("beat {} by {}", beat.number, beat.welcome);
  }
  std::string operator()(const WitnessSays& says) const {
    return fmt::format("unheard {} for {}", says.about, says.unheard.count() / 1'000'000);
  }
  std::string operator()(const ToPeer& action) const {
    if (const auto* answer = std::get_if<WitnessAnswer>(&action.message))
      return fmt::format("answer {} {}", action.peer.name, answer->has_controller);
    return "ask " + action.peer.name;
  }
  std::string operator()(const RunStep& run) const { return "run " + words(run.spec.step); }
  std::string operator()(const StopStep& stop) const {
    return fmt::format("stop {} token {}", words(stop.step), stop.token);
  }
  std::string operator()(const DropStep& drop) const { return "drop " + words(drop.step); }
  std::string operator()(const KeepFence& fence) const {
    return fmt::format("fence {} {}", fence.epoch, fence.forgotten);
  }
  std::string operator()(const MoveDeadline& move) const {
    return fmt::format("deadline {}", move.at.microseconds() / 1'000'000);
  }
  std::string operator()(const CloseSession& /*close*/) const { return "close"; }
};

std::string words(const Actions& actions) {
  std::string text;
  for (const Action& action : actions)
    text += (text.empty() ? "" : ", ") + std::visit(Words{}, action);
  return text;
}

StepId step(std::uint64_t job, std::uint32_t attempt = 1) { return {JobId(job), attempt}; }

StepReport report(StepId id, StepPhase phase, std::uint64_t token = 1) {
  return {id, token, phase, {}};
}

StartStep start(StepId id, std::uint64_t token = 1, std::uint64_t epoch = 1) {
  StartStep message;
  message.epoch = epoch;
  message.spec.step = id;
  message.spec.token = token;
  message.spec.tasks.resize(1);
  return message;
}

Welcome welcome(std::uint64_t session = 1, std::uint64_t number = 1, std::uint64_t epoch = 1) {
  Welcome message;
  message.session = session;
  message.number = number;
  message.epoch = epoch;
  message.heartbeat = long_of(2);
  message.silence = long_of(10);
  message.deadline = long_of(60);
  message.witnesses = {{"w1", "w1:1"}, {"w2", "w2:1"}};
  return message;
}

Agent agent_with(const std::vector<StepReport>& kept, const KeepFence& fence = {}) {
  AgentSettings settings;
  settings.name = "n0";
  settings.boot = "boot";
  return {settings, fence, kept, at(0)};
}

// Welcomed at second 1 in session 1, of epoch 1; goes to its deadline at 61.
Agent joined(const std::vector<StepReport>& kept = {}) {
  Agent agent = agent_with(kept, {1, 0});
  agent.connected(at(1), 1);
  agent.take(at(1), ToAgent{welcome()});
  return agent;
}

std::uint64_t question_in(const Actions& actions) {
  for (const Action& action : actions)
    if (const auto* peer = std::get_if<ToPeer>(&action))
      if (const auto* ask = std::get_if<AskWitness>(&peer->message)) return ask->number;
  return 0;
}

TEST(Agent, SaysHelloWithAllStepsThatItKeeps) {
  Agent agent =
      agent_with({report(step(2), StepPhase::kEnded), report(step(1), StepPhase::kRunning)});
  EXPECT_EQ(words(agent.connected(at(1), 7)), "hello 7 1.1 running 2.1 ended");
  EXPECT_TRUE(agent.has_session());
}

TEST(Agent, StartsEachStepOnceAndAnswersWithItsPresentState) {
  Agent agent = joined();
  EXPECT_EQ(words(agent.take(at(2), ToAgent{start(step(1))})), "run 1.1");
  EXPECT_EQ(words(agent.take(at(2), ToAgent{start(step(1))})), "tell 1.1 starting");
  EXPECT_EQ(words(agent.step_changed(at(3), report(step(1), StepPhase::kRunning))),
            "tell 1.1 running");
  EXPECT_EQ(words(agent.take(at(4), ToAgent{start(step(1))})), "tell 1.1 running");
  EXPECT_EQ(words(agent.take(at(4), ToAgent{start(step(1, 2), 2)})), "run 1.2")
      << "another attempt is another step";
}

TEST(Agent, KnowsAfterARestartWhatItHasStarted) {
  Agent agent = joined({report(step(1), StepPhase::kRunning)});
  EXPECT_EQ(words(agent.take(at(2), ToAgent{start(step(1))})), "tell 1.1 running");
}

TEST(Agent, StartsNothingBeforeItIsWelcome) {
  Agent agent = agent_with({}, {1, 0});
  agent.connected(at(1), 1);
  EXPECT_EQ(words(agent.take(at(1), ToAgent{start(step(1))})), "close")
      << "it would run without a deadline";
}

TEST(Agent, StopsAStepAndVoidsOneThatIsNotHere) {
  Agent agent = joined();
  agent.take(at(2), ToAgent{start(step(1))});
  EXPECT_EQ(words(agent.take(at(2), ToAgent{EndStep{1, step(1), 1, EndCause::kCancelled}})),
            "stop 1.1 token 1");
  EXPECT_EQ(words(agent.take(at(2), ToAgent{EndStep{1, step(2), 9, EndCause::kCancelled}})),
            "stop 2.1 token 9");
  EXPECT_EQ(words(agent.take(at(2), ToAgent{start(step(2), 9)})), "tell 2.1 starting")
      << "voided, also before the record of it is written";
  EXPECT_EQ(words(agent.step_changed(at(3), report(step(2), StepPhase::kEnded, 9))),
            "tell 2.1 ended");
  EXPECT_EQ(words(agent.take(at(3), ToAgent{start(step(2), 9)})), "tell 2.1 ended");
}

TEST(Agent, AStepThatNeverWasHereHasTheTokenOfItsCommand) {
  // Its record on the disk has none.
  Agent agent = joined();
  agent.take(at(2), ToAgent{EndStep{1, step(2), 9, EndCause::kCancelled}});
  agent.step_changed(at(3), report(step(2), StepPhase::kEnded, 0));
  EXPECT_EQ(agent.steps().at(step(2)).token, 9U);
  Agent again = joined({report(step(2), StepPhase::kEnded, 0)});
  again.take(at(2), ToAgent{EndStep{1, step(2), 9, EndCause::kCancelled}});
  EXPECT_EQ(again.steps().at(step(2)).token, 9U);
}

TEST(Agent, TellsTheEndAgainWhenItIsToldToEndWhatHasEnded) {
  Agent agent = joined({report(step(1), StepPhase::kEnded)});
  EXPECT_EQ(words(agent.take(at(2), ToAgent{EndStep{1, step(1), 1, EndCause::kCancelled}})),
            "tell 1.1 ended");
}

TEST(Agent, ForgetsEndedStepsOnlyAndKeepsTheFenceBefore) {
  Agent agent = joined({report(step(1), StepPhase::kRunning, 5)});
  EXPECT_EQ(words(agent.take(at(2), ToAgent{ForgetStep{1, step(1)}})), "") << "it runs";
  EXPECT_EQ(words(agent.take(at(2), ToAgent{ForgetStep{1, step(8)}})), "") << "never heard of";
  agent.step_changed(at(3), report(step(1), StepPhase::kEnded, 5));
  EXPECT_EQ(words(agent.take(at(4), ToAgent{ForgetStep{1, step(1)}})), "fence 1 5, drop 1.1");
  EXPECT_TRUE(agent.steps().empty());
}

TEST(Agent, RefusesLateCommandsToStartWhatItMayHaveForgotten) {
  for (const bool restarted : {false, true}) {
    Agent agent = joined({report(step(1), StepPhase::kEnded, 5)});
    agent.take(at(2), ToAgent{ForgetStep{1, step(1)}});
    if (restarted) {
      agent = agent_with({}, {1, 5});
      agent.connected(at(3), 2);
      agent.take(at(3), ToAgent{welcome(2)});
    }
    EXPECT_EQ(words(agent.take(at(4), ToAgent{start(step(1), 5)})), "tell 1.1 ended");
    EXPECT_EQ(words(agent.take(at(4), ToAgent{start(step(3), 4)})), "tell 3.1 ended");
    EXPECT_EQ(words(agent.take(at(4), ToAgent{start(step(4), 6)})), "run 4.1");
  }
}

TEST(Agent, RefusesASurplusOfSteps) {
  std::vector<StepReport> kept;
  for (std::size_t i = 0; i < limits::kStepsPerNode; ++i)
    kept.push_back(report(step(i + 1), StepPhase::kRunning));
  Agent agent = joined(kept);
  EXPECT_EQ(words(agent.take(at(2), ToAgent{start(step(1'000'000))})), "tell 1000000.1 ended");
}

struct EpochCase {
  const char* what;
  ToAgent message;
};

TEST(Agent, IgnoresAControllerThatHasBeenFollowedByAnother) {
  for (const EpochCase& one :
       {EpochCase{"start", start(step(1), 1, 1)},
        EpochCase{"end", EndStep{1, step(2), 2, EndCause::kCancelled}},
        EpochCase{"forget", ForgetStep{1, step(3)}}, EpochCase{"welcome", welcome(1, 9, 1)}}) {
    Agent agent = agent_with({report(step(3), StepPhase::kEnded)}, {2, 0});
    agent.connected(at(1), 1);
    agent.take(at(1), ToAgent{welcome(1, 1, 2)});
    EXPECT_EQ(words(agent.take(at(2), one.message)), "close") << one.what;
    EXPECT_EQ(agent.deadline(), at(61)) << one.what;
    EXPECT_EQ(agent.steps().size(), 1U) << one.what;
  }
}

TEST(Agent, KeepsTheFenceOfANewerControllerBeforeWhatFollows) {
  Agent agent = joined();
  EXPECT_EQ(words(agent.take(at(2), ToAgent{start(step(1), 1, 3)})), "fence 3 0, run 1.1");
  agent.disconnected(at(3));
  agent.connected(at(3), 2);
  EXPECT_EQ(words(agent.take(at(4), ToAgent{welcome(2, 2, 4)})),
            "fence 4 0, deadline 63, beat 2 by 2");
}

TEST(Agent, GoesByTheInstantsAtWhichItAsked) {
  Agent agent = agent_with({}, {1, 0});
  EXPECT_EQ(agent.deadline(), Instant::far_future());
  agent.connected(at(1), 1);
  EXPECT_EQ(words(agent.take(at(5), ToAgent{welcome()})), "deadline 61, beat 1 by 1")
      << "60 after Hello, not after Welcome";
  EXPECT_EQ(words(agent.take(at(9), ToAgent{HeartbeatSeen{1}})), "deadline 65")
      << "60 after the heartbeat was sent";
  EXPECT_EQ(words(agent.take(at(9), ToAgent{HeartbeatSeen{1}})), "") << "doubled";
  EXPECT_EQ(words(agent.take(at(9), ToAgent{HeartbeatSeen{77}})), "") << "never sent";
}

TEST(Agent, TakesAnswersToLaterHeartbeatsForEarlierOnesToo) {
  Agent agent = joined();
  agent.tick(at(3));
  agent.tick(at(5));
  EXPECT_EQ(words(agent.take(at(6), ToAgent{HeartbeatSeen{3}})), "deadline 65");
  EXPECT_EQ(words(agent.take(at(7), ToAgent{HeartbeatSeen{2}})), "") << "late, and it proves less";
}

TEST(Agent, BeatsOnlyInASessionThatWasTaken) {
  Agent agent = agent_with({}, {1, 0});
  agent.connected(at(1), 1);
  EXPECT_EQ(words(agent.tick(agent.next_wake())), "");
  agent = joined();
  EXPECT_EQ(agent.next_wake(), at(3));
  EXPECT_EQ(words(agent.tick(at(2))), "");
  EXPECT_EQ(words(agent.tick(at(3))), "beat 2 by 1");
}

TEST(Agent, AWelcomeOfAnotherSessionProvesNothing) {
  Agent agent = joined();
  agent.disconnected(at(20));
  agent.connected(at(30), 2);
  EXPECT_EQ(words(agent.take(at(31), ToAgent{welcome(1, 9)})), "");
  EXPECT_EQ(agent.deadline(), at(61));
  EXPECT_EQ(words(agent.take(at(31), ToAgent{welcome(2, 2)})), "deadline 90, beat 2 by 2");
}

TEST(Agent, GoesByTheLatestWelcome) {
  Agent agent = joined();
  Welcome later = welcome(1, 3);
  later.witnesses = {{"w3", ""}};
  EXPECT_EQ(words(agent.take(at(2), ToAgent{later})), "beat 2 by 3") << "no new proof";
  EXPECT_EQ(words(agent.take(at(2), ToAgent{welcome(1, 2)})), "") << "overtaken";
  EXPECT_EQ(words(agent.disconnected(at(4))), "ask w3");
}

TEST(Agent, AsksItsWitnessesWhileItHasNoSession) {
  Agent agent = agent_with({}, {1, 0});
  EXPECT_EQ(words(agent.tick(at(1))), "") << "it was told none yet";
  agent = joined();
  EXPECT_EQ(words(agent.tick(at(3))), "beat 2 by 1") << "no questions in a session";
  EXPECT_EQ(words(agent.disconnected(at(4))), "ask w1, ask w2");
  EXPECT_EQ(words(agent.tick(at(5))), "");
  EXPECT_EQ(words(agent.tick(at(6))), "ask w1, ask w2");
}

TEST(Agent, OnlyAControllerThatIsDownExcusesItsSilence) {
  Agent agent = joined();
  const std::uint64_t question = question_in(agent.disconnected(at(40)));
  EXPECT_EQ(words(agent.take(at(41), BetweenAgents{WitnessAnswer{"w1", question, true}})), "");
  EXPECT_EQ(words(agent.take(at(41), BetweenAgents{WitnessAnswer{"w1", question + 1, false}})), "")
      << "never asked";
  EXPECT_EQ(words(agent.take(at(45), BetweenAgents{WitnessAnswer{"w2", question, false}})),
            "deadline 100")
      << "60 after the question";
  EXPECT_EQ(words(agent.take(at(46), BetweenAgents{WitnessAnswer{"w1", question, false}})), "");
}

TEST(Agent, AnswersToTheAgentBeforeItProveNothing) {
  Agent agent = joined();
  const std::uint64_t before = question_in(agent.disconnected(at(40)));
  AgentSettings settings;
  settings.name = "n0";
  settings.boot = "boot";
  Agent again(settings, {1, 0}, {}, at(50));
  again.connected(at(51), 2);
  again.take(at(51), ToAgent{welcome(2, 2)});
  const std::uint64_t after = question_in(again.disconnected(at(60)));
  EXPECT_NE(before, after);
  EXPECT_EQ(words(again.take(at(61), BetweenAgents{WitnessAnswer{"w1", before, false}})), "");
}

TEST(Agent, NeverMovesItsDeadlineBack) {
  Agent agent = joined();
  const std::uint64_t question = question_in(agent.disconnected(at(2)));
  agent.connected(at(20), 2);
  agent.take(at(21), ToAgent{welcome(2, 2)});
  EXPECT_EQ(agent.deadline(), at(80));
  EXPECT_EQ(words(agent.take(at(22), BetweenAgents{WitnessAnswer{"w1", question, false}})), "");
}

TEST(Agent, AnswersAsAWitness) {
  Agent agent = agent_with({}, {1, 0});
  const BetweenAgents asked{AskWitness{"n9", 4}};
  EXPECT_EQ(words(agent.take(at(1), asked)), "answer n9 false");
  agent.connected(at(2), 1);
  EXPECT_EQ(words(agent.take(at(2), asked)), "answer n9 false") << "no word of it yet";
  agent.take(at(3), ToAgent{welcome()});
  EXPECT_EQ(words(agent.take(at(3), asked)), "answer n9 true");
  EXPECT_EQ(words(agent.take(at(14), asked)), "answer n9 false") << "silent for 11 seconds";
}

TEST(Agent, SaysHowLongItHasNotHeardOfANode) {
  Agent agent = joined();
  const ToAgent query{WitnessQuery{1, "n9"}};
  EXPECT_EQ(words(agent.take(at(7), query)), "unheard n9 for 7") << "since it was started";
  agent.take(at(8), BetweenAgents{AskWitness{"n9", 1}});
  agent.take(at(9), BetweenAgents{AskWitness{"n8", 1}});
  EXPECT_EQ(words(agent.take(at(12), query)), "unheard n9 for 4");
}

TEST(Agent, ClosesASilentSession) {
  Agent agent = joined();
  for (std::int64_t second = 3; second <= 11; second += 2) agent.tick(at(second));
  EXPECT_EQ(words(agent.tick(at(13))), "close, beat 7 by 1");
  EXPECT_EQ(words(agent.disconnected(at(13))), "ask w1, ask w2");
  EXPECT_FALSE(agent.has_session());
  // Nor does it wait for ever for a Welcome.
  agent.connected(at(20), 2);
  EXPECT_EQ(words(agent.tick(at(30))), "");
  EXPECT_EQ(words(agent.tick(at(31))), "close");
}

TEST(Agent, TakesNothingFromAControllerWithoutASession) {
  Agent agent = joined();
  agent.disconnected(at(2));
  EXPECT_EQ(words(agent.take(at(3), ToAgent{start(step(1))})), "");
  EXPECT_EQ(words(agent.take(at(3), ToAgent{HeartbeatSeen{1}})), "");
  EXPECT_EQ(agent.deadline(), at(61));
}

struct PhaseCase {
  StepPhase known;
  StepPhase told;
  const char* does;
};

TEST(Agent, LetsNoPhaseGoBack) {
  using enum StepPhase;
  for (const PhaseCase& one :
       {PhaseCase{kStarting, kStarting, "tell 1.1 starting"},
        PhaseCase{kStarting, kRunning, "tell 1.1 running"},
        PhaseCase{kStarting, kEnded, "tell 1.1 ended"}, PhaseCase{kRunning, kStarting, ""},
        PhaseCase{kRunning, kRunning, ""}, PhaseCase{kRunning, kEnded, "tell 1.1 ended"},
        PhaseCase{kEnded, kStarting, ""}, PhaseCase{kEnded, kRunning, ""},
        PhaseCase{kEnded, kEnded, ""}}) {
    Agent agent = joined({report(step(1), one.known)});
    EXPECT_EQ(words(agent.step_changed(at(2), report(step(1), one.told))), one.does)
        << static_cast<int>(one.known) << " to " << static_cast<int>(one.told);
  }
}

TEST(Agent, KeepsChangesForTheNextSession) {
  Agent agent = joined({report(step(1), StepPhase::kRunning)});
  agent.disconnected(at(2));
  EXPECT_EQ(words(agent.step_changed(at(3), report(step(1), StepPhase::kEnded))), "");
  EXPECT_EQ(words(agent.connected(at(4), 2)), "hello 2 1.1 ended");
}

}  // namespace
}  // namespace weir::node
