#include "channel/convert.hpp"

#include <channel.pb.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/limits.hpp"
#include "channel/test_values.hpp"

namespace weir::channel {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

FromAgent agent(node::ToController message) { return FromAgent(std::move(message)); }
FromController controller(node::ToAgent message) { return FromController(std::move(message)); }

// What the other end makes of it.
Result<std::optional<FromAgent>> sent(const FromAgent& message) {
  return agent_message(bytes_of(message));
}
Result<std::optional<FromController>> sent(const FromController& message) {
  return controller_message(bytes_of(message));
}

std::vector<FromAgent> all_of_an_agent(Values values) {
  return {agent(values.make<node::Hello>()), agent(values.make<node::StepChanged>()),
          agent(values.make<node::Heartbeat>()), agent(values.make<node::WitnessSays>()),
          values.make<OutputPart>()};
}
std::vector<FromController> all_of_a_controller(Values values) {
  return {controller(values.make<node::Welcome>()),
          controller(values.make<node::HeartbeatSeen>()),
          controller(values.make<node::StartStep>()),
          controller(values.make<node::EndStep>()),
          controller(values.make<node::ForgetStep>()),
          controller(values.make<node::WitnessQuery>()),
          values.make<OutputWanted>()};
}

RC_GTEST_PROP(Convert, EveryFieldOfAnAgentsMessageArrives, (std::uint64_t seed)) {
  for (const FromAgent& message : all_of_an_agent(Values(seed)))
    RC_ASSERT(sent(message).value() == message);
}

RC_GTEST_PROP(Convert, EveryFieldOfAControllersMessageArrives, (std::uint64_t seed)) {
  for (const FromController& message : all_of_a_controller(Values(seed)))
    RC_ASSERT(sent(message).value() == message);
}

template <typename Wire, typename Value>
Value between_agents(const Value& value) {
  Wire wire;
  write(value, wire);
  return read(wire).value();
}

RC_GTEST_PROP(Convert, EveryFieldBetweenAgentsArrives, (std::uint64_t seed)) {
  Values values(seed);
  const auto ask = values.make<node::AskWitness>();
  const auto answer = values.make<node::WitnessAnswer>();
  RC_ASSERT(between_agents<wire::AskWitness>(ask) == ask);
  RC_ASSERT(between_agents<wire::WitnessAnswer>(answer) == answer);
}

TEST(Convert, EveryKindIsDrawn) {
  EXPECT_EQ(all_of_an_agent(Values(1)).size(), std::variant_size_v<node::ToController> + 1);
  EXPECT_EQ(all_of_a_controller(Values(1)).size(), std::variant_size_v<node::ToAgent> + 1);
}

// Calls `unset(name)` for each field of the message and of those in it that is not there.
template <typename Unset>
void find_unset(const google::protobuf::Message& message, const Unset& unset) {
  const auto* type = message.GetDescriptor();
  const auto* fields = message.GetReflection();
  for (int i = 0; i < type->field_count(); ++i) {
    const auto* field = type->field(i);
    if (field->containing_oneof() != nullptr) continue;
    const bool there = field->is_repeated() ? fields->FieldSize(message, field) > 0
                                            : fields->HasField(message, field);
    if (!there) unset(field->full_name());
    if (!there || field->message_type() == nullptr) continue;
    find_unset(field->is_repeated() ? fields->GetRepeatedMessage(message, field, 0)
                                    : fields->GetMessage(message, field),
               unset);
  }
}

template <typename Wire, typename Messages>
void expect_all_written(const Messages& messages) {
  for (const auto& message : messages) {
    Wire wire;
    write(message, wire);
    const auto* type = wire.GetDescriptor();
    for (int i = 0; i < type->field_count(); ++i)
      if (wire.GetReflection()->HasField(wire, type->field(i)))
        find_unset(wire.GetReflection()->GetMessage(wire, type->field(i)),
                   [](const std::string& name) { ADD_FAILURE() << name << " is never written"; });
  }
}

TEST(Convert, NoFieldOfTheWireIsForgotten) {
  expect_all_written<wire::AgentMessage>(all_of_an_agent(Values(1)));
  expect_all_written<wire::ControllerMessage>(all_of_a_controller(Values(1)));
}

TEST(Convert, AKindThatIsNotKnownIsNoError) {
  // Field 100, a text: what a later version may send.
  const std::string later("\xA2\x06\x01x", 4);
  EXPECT_FALSE(agent_message(later).value().has_value());
  EXPECT_FALSE(controller_message(later).value().has_value());
  EXPECT_FALSE(agent_message("").value().has_value());
}

TEST(Convert, AFieldThatIsNotKnownIsSkipped) {
  wire::AgentMessage message;
  message.mutable_heartbeat()->set_number(7);
  std::string inner = message.heartbeat().SerializeAsString() + std::string("\xA2\x06\x01x", 4);
  const std::string bytes = "\x1A" + std::string(1, static_cast<char>(inner.size())) + inner;
  EXPECT_EQ(agent_message(bytes).value(), agent(node::Heartbeat{7, 0}));
}

TEST(Convert, BytesThatAreNoMessageAreRefused) {
  EXPECT_FALSE(agent_message("\x0A\x05"));
  EXPECT_FALSE(controller_message(std::string(100, '\xFF')));
}

template <typename Message>
std::string refusal(const Message& message) {
  const auto result = sent(message);
  return result ? "taken" : result.error().message;
}

TEST(Convert, ARefusalNamesTheField) {
  Values values(1);
  auto hello = values.make<node::Hello>();
  hello.steps.resize(4, hello.steps[0]);
  hello.steps[3].step.job = JobId(0);
  EXPECT_THAT(refusal(agent(hello)), StartsWith("hello.steps[3].step.job: 0, expected 1 to"));
  hello = values.make<node::Hello>();
  hello.kind.features = {"a", std::string(limits::kNameBytes + 1, 'b')};
  EXPECT_EQ(refusal(agent(hello)), "hello.kind.features[1]: 257 bytes, expected at most 256");
  hello = values.make<node::Hello>();
  hello.kind.total.gpus = limits::kGpusPerNode + 1;
  EXPECT_EQ(refusal(agent(hello)), "hello.kind.total.gpus: 33, expected 0 to 32");
  hello = values.make<node::Hello>();
  hello.name.clear();
  EXPECT_EQ(refusal(agent(hello)), "hello.name: empty, expected a name");
}

TEST(Convert, NumbersOutOfTheirRangeAreRefused) {
  Values values(1);
  auto start = values.make<node::StartStep>();
  start.spec.umask = 01000;
  EXPECT_THAT(refusal(controller(start)), StartsWith("start_step.spec.umask: 512"));
  start = values.make<node::StartStep>();
  start.spec.end_signal = 65;
  EXPECT_THAT(refusal(controller(start)), StartsWith("start_step.spec.end_signal: 65"));
  start.spec.end_signal = 0;
  EXPECT_THAT(refusal(controller(start)), StartsWith("start_step.spec.end_signal: 0"));
  start = values.make<node::StartStep>();
  start.spec.time_limit = Duration(-1);
  EXPECT_THAT(refusal(controller(start)), StartsWith("start_step.spec.time_limit_us: -1"));
  start.spec.time_limit = limits::kLongestDuration + Duration(1);
  EXPECT_THAT(refusal(controller(start)), StartsWith("start_step.spec.time_limit_us"));
  auto end = values.make<node::EndStep>();
  end.cause = static_cast<EndCause>(kEndCauses);
  EXPECT_EQ(refusal(controller(end)), "end_step.cause: 10, expected 1 to 9");
  end.cause = static_cast<EndCause>(255);
  EXPECT_THAT(refusal(controller(end)), StartsWith("end_step.cause"));
  auto wanted = values.make<OutputWanted>();
  wanted.most = 0;
  EXPECT_THAT(refusal(FromController(wanted)), StartsWith("output_wanted.most: 0"));
}

TEST(Convert, ListsThatAreTooLongAreRefused) {
  Values values(1);
  auto hello = values.make<node::Hello>();
  hello.steps.resize(limits::kStepsPerNode + 1, hello.steps[0]);
  EXPECT_EQ(refusal(agent(hello)), "hello.steps: 65537 items, expected at most 65536");
  auto start = values.make<node::StartStep>();
  start.spec.tasks.resize(limits::kTasksPerNode + 1);
  EXPECT_THAT(refusal(controller(start)), StartsWith("start_step.spec.tasks: 1025 items"));
  start = values.make<node::StartStep>();
  start.spec.tasks[0].argv = std::vector<std::string>(limits::kArguments + 1);
  EXPECT_THAT(refusal(controller(start)), StartsWith("start_step.spec.tasks[0].argv: 4097 items"));
  start = values.make<node::StartStep>();
  start.spec.tasks[0].env.assign(40, std::string(limits::kArgumentBytes, 'x'));
  EXPECT_THAT(refusal(controller(start)),
              StartsWith("start_step.spec.tasks[0].argv and env in bytes"));
  OutputPart part;
  part.data.resize(limits::kOutputPartBytes + 1);
  EXPECT_THAT(refusal(FromAgent(part)), StartsWith("output_part.data: 1048577 bytes"));
}

TEST(Convert, AMissingPartIsRefusedByName) {
  wire::AgentMessage message;
  message.mutable_step_changed();
  EXPECT_THAT(read(message).error().message, HasSubstr("step_changed.report.step.job"));
}

}  // namespace
}  // namespace weir::channel
