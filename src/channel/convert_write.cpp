#include <type_traits>

#include <channel.pb.h>

#include "channel/convert.hpp"

// Every value is taken apart whole, so that a field which is added to one does not compile until it
// is written.
namespace weir::channel {
namespace {

// An enumerator on the wire is one more than here: 0 means that there is none.
template <typename Wire, typename Enum>
Wire choice(Enum value) {
  return static_cast<Wire>(static_cast<int>(value) + 1);
}

template <typename Wire>
void put_all(const std::vector<std::string>& from, Wire& to) {
  to.Reserve(static_cast<int>(from.size()));
  for (const std::string& each : from) to.Add()->assign(each);
}

void put(const StepId& from, wire::StepId& to) {
  const auto& [job, attempt] = from;
  to.set_job(job.value());
  to.set_attempt(attempt);
}

void put(const TaskEnd& from, wire::TaskEnd& to) {
  const auto& [rank, cause, code, detail] = from;
  to.set_rank(rank);
  to.set_cause(choice<wire::EndCause>(cause));
  to.set_code(code);
  to.set_detail(detail);
}

void put(const StepReport& from, wire::StepReport& to) {
  const auto& [step, token, phase, ends] = from;
  put(step, *to.mutable_step());
  to.set_token(token);
  to.set_phase(choice<wire::StepPhase>(phase));
  for (const TaskEnd& end : ends) put(end, *to.add_ends());
}

void put(const TaskSpec& from, wire::TaskSpec& to) {
  const auto& [rank, argv, env, output, error] = from;
  to.set_rank(rank);
  put_all(argv, *to.mutable_argv());
  put_all(env, *to.mutable_env());
  to.set_output(output);
  to.set_error(error);
}

void put(const StepSpec& from, wire::StepSpec& to) {
  const auto& [step, token, user, uid, gid, umask, directory, tasks, devices, closed, cpu_milli,
               memory_mib, time_limit, end_signal, grace, on_partition] = from;
  put(step, *to.mutable_step());
  to.set_token(token);
  to.set_user(user);
  to.set_uid(uid);
  to.set_gid(gid);
  to.set_umask(umask);
  to.set_directory(directory);
  for (const TaskSpec& task : tasks) put(task, *to.add_tasks());
  put_all(devices, *to.mutable_devices());
  put_all(closed, *to.mutable_closed());
  to.set_cpu_milli(cpu_milli);
  to.set_memory_mib(memory_mib);
  to.set_time_limit_us(time_limit.count());
  to.set_end_signal(end_signal);
  to.set_grace_us(grace.count());
  to.set_on_partition(choice<wire::OnPartition>(on_partition));
}

void put(const Capacity& from, wire::Capacity& to) {
  const auto& [gpus, cpu_milli, memory_mib, gpu_milli] = from;
  to.set_gpus(gpus);
  to.set_cpu_milli(cpu_milli);
  to.set_memory_mib(memory_mib);
  to.set_gpu_milli(gpu_milli);
}

void put(const NodeKind& from, wire::NodeKind& to) {
  const auto& [gpu_model, total, partitions, features] = from;
  to.set_gpu_model(gpu_model);
  put(total, *to.mutable_total());
  put_all(partitions, *to.mutable_partitions());
  put_all(features, *to.mutable_features());
}

void put(const node::Hello& from, wire::Hello& to) {
  const auto& [name, boot, version, session, kind, rails, steps, wall_clock_us, gpus,
               witness_address] = from;
  to.set_name(name);
  to.set_boot(boot);
  to.set_version(version);
  to.set_session(session);
  put(kind, *to.mutable_kind());
  to.set_rails(rails);
  to.mutable_steps()->Reserve(static_cast<int>(steps.size()));
  for (const StepReport& step : steps) put(step, *to.add_steps());
  to.set_wall_clock_us(wall_clock_us);
  for (const node::GpuOfNode& gpu : gpus) {
    const auto& [uuid, device] = gpu;
    wire::Gpu& added = *to.add_gpus();
    added.set_uuid(uuid);
    added.set_device(device);
  }
  to.set_witness_address(witness_address);
}

void put(const node::Welcome& from, wire::Welcome& to) {
  const auto& [session, number, epoch, heartbeat, silence, deadline, witnesses] = from;
  to.set_session(session);
  to.set_number(number);
  to.set_epoch(epoch);
  to.set_heartbeat_us(heartbeat.count());
  to.set_silence_us(silence.count());
  to.set_deadline_us(deadline.count());
  for (const node::Peer& peer : witnesses) {
    const auto& [name, address] = peer;
    wire::Peer& added = *to.add_witnesses();
    added.set_name(name);
    added.set_address(address);
  }
}

// ---- the kinds of a message

void put(const node::Hello& from, wire::AgentMessage& to) { put(from, *to.mutable_hello()); }

void put(const node::StepChanged& from, wire::AgentMessage& to) {
  const auto& [report] = from;
  put(report, *to.mutable_step_changed()->mutable_report());
}

void put(const node::Heartbeat& from, wire::AgentMessage& to) {
  const auto& [number, welcome, wall_clock_us] = from;
  to.mutable_heartbeat()->set_welcome(welcome);
  to.mutable_heartbeat()->set_number(number);
  to.mutable_heartbeat()->set_wall_clock_us(wall_clock_us);
}

void put(const node::WitnessSays& from, wire::AgentMessage& to) {
  const auto& [query, about, unheard] = from;
  to.mutable_witness_says()->set_query(query);
  to.mutable_witness_says()->set_about(about);
  to.mutable_witness_says()->set_unheard_us(unheard.count());
}

void put(const OutputPart& from, wire::AgentMessage& to) {
  const auto& [request, offset, data, end, error] = from;
  wire::OutputPart& part = *to.mutable_output_part();
  part.set_request(request);
  part.set_offset(offset);
  part.set_data(data);
  part.set_end(end);
  part.set_error(error);
}

void put(const node::Welcome& from, wire::ControllerMessage& to) {
  put(from, *to.mutable_welcome());
}

void put(const node::HeartbeatSeen& from, wire::ControllerMessage& to) {
  const auto& [number] = from;
  to.mutable_heartbeat_seen()->set_number(number);
}

void put(const node::StartStep& from, wire::ControllerMessage& to) {
  const auto& [epoch, spec] = from;
  to.mutable_start_step()->set_epoch(epoch);
  put(spec, *to.mutable_start_step()->mutable_spec());
}

void put(const node::EndStep& from, wire::ControllerMessage& to) {
  const auto& [epoch, step, token, cause] = from;
  wire::EndStep& command = *to.mutable_end_step();
  command.set_epoch(epoch);
  put(step, *command.mutable_step());
  command.set_token(token);
  command.set_cause(choice<wire::EndCause>(cause));
}

void put(const node::ForgetStep& from, wire::ControllerMessage& to) {
  const auto& [epoch, step] = from;
  to.mutable_forget_step()->set_epoch(epoch);
  put(step, *to.mutable_forget_step()->mutable_step());
}

void put(const node::WitnessQuery& from, wire::ControllerMessage& to) {
  const auto& [query, about] = from;
  to.mutable_witness_query()->set_query(query);
  to.mutable_witness_query()->set_about(about);
}

void put(const OutputWanted& from, wire::ControllerMessage& to) {
  const auto& [request, step, rank, stream, offset, most] = from;
  wire::OutputWanted& wanted = *to.mutable_output_wanted();
  wanted.set_request(request);
  put(step, *wanted.mutable_step());
  wanted.set_rank(rank);
  wanted.set_stream(choice<wire::OutputStream>(stream));
  wanted.set_offset(offset);
  wanted.set_most(most);
}

template <typename... Kinds, typename Wire>
void put(const std::variant<Kinds...>& from, Wire& to) {
  std::visit([&](const auto& kind) { put(kind, to); }, from);
}

}  // namespace

void write(const FromAgent& from, wire::AgentMessage& to) { put(from, to); }
void write(const FromController& from, wire::ControllerMessage& to) { put(from, to); }

void write(const node::AskWitness& from, wire::AskWitness& to) {
  const auto& [asker, number] = from;
  to.set_from(asker);
  to.set_number(number);
}

void write(const node::WitnessAnswer& from, wire::WitnessAnswer& to) {
  const auto& [witness, number, has_controller] = from;
  to.set_from(witness);
  to.set_number(number);
  to.set_has_controller(has_controller);
}

std::string bytes_of(const FromAgent& message) {
  wire::AgentMessage to;
  write(message, to);
  return to.SerializeAsString();
}

std::string bytes_of(const FromController& message) {
  wire::ControllerMessage to;
  write(message, to);
  return to.SerializeAsString();
}

}  // namespace weir::channel
