#include <limits>
#include <utility>

#include <channel.pb.h>

#include "base/limits.hpp"
#include "channel/convert.hpp"
#include "channel/field.hpp"

namespace weir::channel {
namespace {

constexpr std::uint64_t kLastJob = JobId::none().value() - 1;

constexpr ListLimits kNames{limits::kNamesPerField, limits::kNameBytes};
constexpr ListLimits kDevices{limits::kDeviceFiles, limits::kPathBytes};
constexpr ListLimits kArguments{limits::kArguments, limits::kArgumentBytes};

// All items of a repeated message.
template <typename T, typename List, typename Get>
Result<std::vector<T>> all(const List& from, std::size_t most, const Field& field, Get get) {
  const auto count = static_cast<std::size_t>(from.size());
  WEIR_TRY(expect_most(count, most, field));
  std::vector<T> items;
  items.reserve(count);
  for (const auto& each : from)
    items.push_back(WEIR_TRY(get(each, Field{field.name, field.above, items.size()})));
  return items;
}

Result<StepId> get(const wire::StepId& from, const Field& at) {
  WEIR_TRY(expect_range(from.job(), 1, kLastJob, {"job", &at}));
  WEIR_TRY(expect_range(from.attempt(), 1, UINT32_MAX, {"attempt", &at}));
  return StepId{JobId(from.job()), from.attempt()};
}

Result<TaskEnd> get(const wire::TaskEnd& from, const Field& at) {
  TaskEnd to;
  to.rank = from.rank();
  to.cause = WEIR_TRY(read_choice<EndCause>(from.cause(), kEndCauses, {"cause", &at}));
  to.code = from.code();
  to.detail = WEIR_TRY(read_text(from.detail(), limits::kTextBytes, {"detail", &at}));
  return to;
}

Result<StepReport> get(const wire::StepReport& from, const Field& at) {
  StepReport to;
  to.step = WEIR_TRY(get(from.step(), {"step", &at}));
  to.token = from.token();
  to.phase = WEIR_TRY(read_choice<StepPhase>(from.phase(), kStepPhases, {"phase", &at}));
  to.ends = WEIR_TRY(all<TaskEnd>(from.ends(), limits::kTasksPerNode, {"ends", &at},
                                  [](const auto& x, const Field& f) { return get(x, f); }));
  return to;
}

Status check_size(const TaskSpec& task, const Field& at) {
  std::size_t bytes = task.output.size() + task.error.size();
  for (const std::string& argument : task.argv) bytes += argument.size() + 1;
  for (const std::string& variable : task.env) bytes += variable.size() + 1;
  // Weir's own variables come on top of those that the job may bring.
  return expect_most(bytes, 2 * limits::kProgramBytes, {"argv and env in bytes", &at});
}

Result<TaskSpec> get(const wire::TaskSpec& from, const Field& at) {
  TaskSpec to;
  to.rank = from.rank();
  to.argv = WEIR_TRY(read_texts(from.argv(), kArguments, {"argv", &at}));
  to.env = WEIR_TRY(read_texts(from.env(), kArguments, {"env", &at}));
  to.output = WEIR_TRY(read_text(from.output(), limits::kPathBytes, {"output", &at}));
  to.error = WEIR_TRY(read_text(from.error(), limits::kPathBytes, {"error", &at}));
  WEIR_TRY(check_size(to, at));
  return to;
}

Result<StepSpec> get(const wire::StepSpec& from, const Field& at) {
  StepSpec to;
  to.step = WEIR_TRY(get(from.step(), {"step", &at}));
  to.token = from.token();
  to.user = WEIR_TRY(read_text(from.user(), limits::kNameBytes, {"user", &at}));
  to.uid = from.uid();
  to.gid = from.gid();
  WEIR_TRY(expect_range(from.umask(), 0, 0777, {"umask", &at}));
  to.umask = from.umask();
  to.directory = WEIR_TRY(read_text(from.directory(), limits::kPathBytes, {"directory", &at}));
  to.tasks = WEIR_TRY(all<TaskSpec>(from.tasks(), limits::kTasksPerNode, {"tasks", &at},
                                    [](const auto& x, const Field& f) { return get(x, f); }));
  to.devices = WEIR_TRY(read_texts(from.devices(), kDevices, {"devices", &at}));
  to.closed = WEIR_TRY(read_texts(from.closed(), kDevices, {"closed", &at}));
  to.cpu_milli = from.cpu_milli();
  to.memory_mib = from.memory_mib();
  to.time_limit = WEIR_TRY(read_duration(from.time_limit_us(), {"time_limit_us", &at}));
  WEIR_TRY(expect_range(from.end_signal(), 1, limits::kLastSignal, {"end_signal", &at}));
  to.end_signal = from.end_signal();
  to.grace = WEIR_TRY(read_duration(from.grace_us(), {"grace_us", &at}));
  to.on_partition =
      WEIR_TRY(read_choice<OnPartition>(from.on_partition(), kOnPartitions, {"on_partition", &at}));
  return to;
}

Result<NodeKind> get(const wire::NodeKind& from, const Field& at) {
  NodeKind to;
  to.gpu_model = WEIR_TRY(read_text(from.gpu_model(), limits::kNameBytes, {"gpu_model", &at}));
  const wire::Capacity& total = from.total();
  WEIR_TRY(expect_range(total.gpus(), 0, limits::kGpusPerNode, {"total.gpus", &at}));
  to.total = {total.gpus(), total.cpu_milli(), total.memory_mib(), total.gpu_milli()};
  to.partitions = WEIR_TRY(read_texts(from.partitions(), kNames, {"partitions", &at}));
  to.features = WEIR_TRY(read_texts(from.features(), kNames, {"features", &at}));
  return to;
}

Result<node::GpuOfNode> get(const wire::Gpu& from, const Field& at) {
  node::GpuOfNode to;
  to.uuid = WEIR_TRY(read_text(from.uuid(), limits::kNameBytes, {"uuid", &at}));
  to.device = WEIR_TRY(read_text(from.device(), limits::kPathBytes, {"device", &at}));
  return to;
}

Result<node::Hello> get(const wire::Hello& from, const Field& at) {
  node::Hello to;
  to.name = WEIR_TRY(read_name(from.name(), {"name", &at}));
  to.boot = WEIR_TRY(read_text(from.boot(), limits::kNameBytes, {"boot", &at}));
  to.version = WEIR_TRY(read_text(from.version(), limits::kNameBytes, {"version", &at}));
  to.session = from.session();
  to.kind = WEIR_TRY(get(from.kind(), {"kind", &at}));
  WEIR_TRY(expect_range(from.rails(), 0, std::numeric_limits<RailMask>::max(), {"rails", &at}));
  to.rails = static_cast<RailMask>(from.rails());
  to.steps = WEIR_TRY(all<StepReport>(from.steps(), limits::kStepsPerNode, {"steps", &at},
                                      [](const auto& x, const Field& f) { return get(x, f); }));
  to.wall_clock_us = from.wall_clock_us();
  to.gpus = WEIR_TRY(all<node::GpuOfNode>(from.gpus(), limits::kGpusPerNode, {"gpus", &at},
                                          [](const auto& x, const Field& f) { return get(x, f); }));
  to.witness_address =
      WEIR_TRY(read_text(from.witness_address(), limits::kNameBytes, {"witness_address", &at}));
  return to;
}

Result<OutputPart> get(const wire::OutputPart& from, const Field& at) {
  OutputPart to;
  to.request = from.request();
  to.offset = from.offset();
  to.data = WEIR_TRY(read_text(from.data(), limits::kOutputPartBytes, {"data", &at}));
  to.end = from.end();
  to.error = WEIR_TRY(read_text(from.error(), limits::kTextBytes, {"error", &at}));
  return to;
}

Result<node::Peer> get(const wire::Peer& from, const Field& at) {
  node::Peer to;
  to.name = WEIR_TRY(read_name(from.name(), {"name", &at}));
  to.address = WEIR_TRY(read_name(from.address(), {"address", &at}));
  return to;
}

Result<node::Welcome> get(const wire::Welcome& from, const Field& at) {
  node::Welcome to;
  to.session = from.session();
  to.number = from.number();
  to.epoch = from.epoch();
  to.heartbeat = WEIR_TRY(read_duration(from.heartbeat_us(), {"heartbeat_us", &at}));
  to.silence = WEIR_TRY(read_duration(from.silence_us(), {"silence_us", &at}));
  to.deadline = WEIR_TRY(read_duration(from.deadline_us(), {"deadline_us", &at}));
  to.witnesses = WEIR_TRY(all<node::Peer>(from.witnesses(), limits::kWitnesses, {"witnesses", &at},
                                          [](const auto& x, const Field& f) { return get(x, f); }));
  return to;
}

Result<node::EndStep> get(const wire::EndStep& from, const Field& at) {
  node::EndStep to;
  to.epoch = from.epoch();
  to.step = WEIR_TRY(get(from.step(), {"step", &at}));
  to.token = from.token();
  to.cause = WEIR_TRY(read_choice<EndCause>(from.cause(), kEndCauses, {"cause", &at}));
  return to;
}

Result<OutputWanted> get(const wire::OutputWanted& from, const Field& at) {
  OutputWanted to;
  to.request = from.request();
  to.step = WEIR_TRY(get(from.step(), {"step", &at}));
  to.rank = from.rank();
  to.stream = WEIR_TRY(read_choice<OutputStream>(from.stream(), kOutputStreams, {"stream", &at}));
  to.offset = from.offset();
  WEIR_TRY(expect_range(from.most(), 1, limits::kOutputPartBytes, {"most", &at}));
  to.most = from.most();
  return to;
}

template <typename Message, typename Wire>
Result<std::optional<Message>> message_of(std::string_view bytes) {
  Wire message;
  if (bytes.size() > limits::kChannelMessageBytes ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return bad_input("expected the bytes of a message of the channel");
  return read(message);
}

}  // namespace

Result<std::optional<FromAgent>> read(const wire::AgentMessage& from) {
  using Kind = wire::AgentMessage;
  using node::ToController;
  switch (from.kind_case()) {
    case Kind::kHello: return FromAgent(ToController(WEIR_TRY(get(from.hello(), {"hello"}))));
    case Kind::kStepChanged: {
      const Field at{"step_changed"};
      return FromAgent(ToController(
          node::StepChanged{WEIR_TRY(get(from.step_changed().report(), {"report", &at}))}));
    }
    case Kind::kHeartbeat:
      return FromAgent(
          ToController(node::Heartbeat{from.heartbeat().number(), from.heartbeat().welcome(),
                                       from.heartbeat().wall_clock_us()}));
    case Kind::kWitnessSays: {
      const Field at{"witness_says"};
      const wire::WitnessSays& says = from.witness_says();
      return FromAgent(ToController(
          node::WitnessSays{says.query(), WEIR_TRY(read_name(says.about(), {"about", &at})),
                            WEIR_TRY(read_duration(says.unheard_us(), {"unheard_us", &at}))}));
    }
    case Kind::kOutputPart: return FromAgent(WEIR_TRY(get(from.output_part(), {"output_part"})));
    case Kind::KIND_NOT_SET: break;
  }
  return std::nullopt;
}

Result<std::optional<FromController>> read(const wire::ControllerMessage& from) {
  using Kind = wire::ControllerMessage;
  using node::ToAgent;
  switch (from.kind_case()) {
    case Kind::kWelcome: return FromController(ToAgent(WEIR_TRY(get(from.welcome(), {"welcome"}))));
    case Kind::kHeartbeatSeen:
      return FromController(ToAgent(node::HeartbeatSeen{from.heartbeat_seen().number()}));
    case Kind::kStartStep: {
      const Field at{"start_step"};
      const wire::StartStep& start = from.start_step();
      return FromController(
          ToAgent(node::StartStep{start.epoch(), WEIR_TRY(get(start.spec(), {"spec", &at}))}));
    }
    case Kind::kEndStep:
      return FromController(ToAgent(WEIR_TRY(get(from.end_step(), {"end_step"}))));
    case Kind::kForgetStep: {
      const Field at{"forget_step"};
      const wire::ForgetStep& forget = from.forget_step();
      return FromController(
          ToAgent(node::ForgetStep{forget.epoch(), WEIR_TRY(get(forget.step(), {"step", &at}))}));
    }
    case Kind::kWitnessQuery: {
      const Field at{"witness_query"};
      const wire::WitnessQuery& query = from.witness_query();
      return FromController(ToAgent(
          node::WitnessQuery{query.query(), WEIR_TRY(read_name(query.about(), {"about", &at}))}));
    }
    case Kind::kOutputWanted:
      return FromController(WEIR_TRY(get(from.output_wanted(), {"output_wanted"})));
    case Kind::KIND_NOT_SET: break;
  }
  return std::nullopt;
}

Result<node::AskWitness> read(const wire::AskWitness& from) {
  return node::AskWitness{WEIR_TRY(read_name(from.from(), {"from"})), from.number()};
}

Result<node::WitnessAnswer> read(const wire::WitnessAnswer& from) {
  return node::WitnessAnswer{WEIR_TRY(read_name(from.from(), {"from"})), from.number(),
                             from.has_controller()};
}

Result<std::optional<FromAgent>> agent_message(std::string_view bytes) {
  return message_of<FromAgent, wire::AgentMessage>(bytes);
}

Result<std::optional<FromController>> controller_message(std::string_view bytes) {
  return message_of<FromController, wire::ControllerMessage>(bytes);
}

}  // namespace weir::channel
