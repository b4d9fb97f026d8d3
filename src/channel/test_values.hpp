// For tests: random values of every message, no field left out: each value is taken apart whole, so
// a field that is added to one does not compile until it is drawn here. No number is zero and no
// text or list empty, so that a field which conversion forgets is seen.
#pragma once

#include <string>
#include <vector>

#include "base/limits.hpp"
#include "base/rng.hpp"
#include "channel/messages.hpp"

namespace weir::channel {

class Values {
 public:
  explicit Values(std::uint64_t seed) : rng_(seed) {}

  std::size_t count() { return 1 + rng_.below(3); }
  template <typename Number>
  void number(Number& to, std::uint64_t most) {
    to = static_cast<Number>(1 + rng_.below(most));
  }
  void draw(std::uint64_t& to) { to = rng_.next() | 1; }
  void draw(std::uint32_t& to) { to = static_cast<std::uint32_t>(rng_.next()) | 1U; }
  void draw(std::uint16_t& to) { to = static_cast<std::uint16_t>(rng_.next() | 1); }
  void draw(std::int64_t& to) { to = static_cast<std::int64_t>(rng_.next() | 1); }
  void draw(bool& to) { to = true; }
  void draw(Duration& to) {
    to = Duration(static_cast<std::int64_t>(1 + rng_.below(std::uint64_t{1} << 40)));
  }
  void draw(std::string& to) {
    // Any bytes: paths, arguments and variables are not text everywhere.
    for (std::size_t left = count(); left > 0; --left) to += static_cast<char>(rng_.below(256));
  }
  template <typename T>
  void draw(std::vector<T>& to) {
    to.resize(count());
    for (T& each : to) draw(each);
  }
  void draw(EndCause& to) { to = static_cast<EndCause>(rng_.below(kEndCauses)); }
  void draw(StepPhase& to) { to = static_cast<StepPhase>(rng_.below(kStepPhases)); }
  void draw(OnPartition& to) { to = static_cast<OnPartition>(rng_.below(kOnPartitions)); }
  void draw(OutputStream& to) { to = static_cast<OutputStream>(rng_.below(kOutputStreams)); }

  void draw(StepId& to) {
    auto& [job, attempt] = to;
    job = JobId(1 + rng_.below(std::uint64_t{1} << 62));
    draw(attempt);
  }
  void draw(TaskEnd& to) {
    auto& [rank, cause, code, detail] = to;
    draw_all(rank, cause, code, detail);
  }
  void draw(StepReport& to) {
    auto& [step, token, phase, ends] = to;
    draw_all(step, token, phase, ends);
  }
  void draw(TaskSpec& to) {
    auto& [rank, argv, env, output, error] = to;
    draw_all(rank, argv, env, output, error);
  }
  void draw(StepSpec& to) {
    auto& [step, token, user, uid, gid, umask, directory, tasks, devices, closed, cpu_milli,
           memory_mib, time_limit, end_signal, grace, on_partition] = to;
    draw_all(step, token, user, uid, gid, directory, tasks, devices, closed, cpu_milli, memory_mib,
             time_limit, grace, on_partition);
    number(umask, 0777);
    number(end_signal, limits::kLastSignal);
  }
  void draw(NodeKind& to) {
    auto& [gpu_model, total, partitions, features] = to;
    auto& [gpus, cpu_milli, memory_mib, gpu_milli] = total;
    draw_all(gpu_model, cpu_milli, memory_mib, gpu_milli, partitions, features);
    number(gpus, limits::kGpusPerNode);
  }
  void draw(node::GpuOfNode& to) {
    auto& [uuid, device] = to;
    draw_all(uuid, device);
  }
  void draw(node::Hello& to) {
    auto& [name, boot, version, session, kind, rails, steps, wall_clock_us, gpus, witness_address] =
        to;
    draw_all(name, boot, version, session, kind, rails, steps, wall_clock_us, gpus,
             witness_address);
  }
  void draw(node::StepChanged& to) {
    auto& [report] = to;
    draw(report);
  }
  void draw(node::Heartbeat& to) {
    auto& [count_of, welcome, wall_clock_us] = to;
    draw_all(count_of, welcome, wall_clock_us);
  }
  void draw(node::WitnessSays& to) {
    auto& [query, about, unheard] = to;
    draw_all(query, about, unheard);
  }
  void draw(OutputPart& to) {
    auto& [request, offset, data, end, error] = to;
    draw_all(request, offset, data, end, error);
  }
  void draw(node::Peer& to) {
    auto& [name, address] = to;
    draw_all(name, address);
  }
  void draw(node::Welcome& to) {
    auto& [session, count_of, epoch, heartbeat, silence, deadline, witnesses] = to;
    draw_all(session, count_of, epoch, heartbeat, silence, deadline, witnesses);
  }
  void draw(node::HeartbeatSeen& to) {
    auto& [count_of] = to;
    draw(count_of);
  }
  void draw(node::StartStep& to) {
    auto& [epoch, spec] = to;
    draw_all(epoch, spec);
  }
  void draw(node::EndStep& to) {
    auto& [epoch, step, token, cause] = to;
    draw_all(epoch, step, token, cause);
  }
  void draw(node::ForgetStep& to) {
    auto& [epoch, step] = to;
    draw_all(epoch, step);
  }
  void draw(OutputWanted& to) {
    auto& [request, step, rank, stream, offset, most] = to;
    draw_all(request, step, rank, stream, offset);
    number(most, limits::kOutputPartBytes);
  }
  void draw(node::AskWitness& to) {
    auto& [from, count_of] = to;
    draw_all(from, count_of);
  }
  void draw(node::WitnessAnswer& to) {
    auto& [from, count_of, has_controller] = to;
    draw_all(from, count_of, has_controller);
  }
  void draw(node::WitnessQuery& to) {
    auto& [query, about] = to;
    draw_all(query, about);
  }

  template <typename T>
  T make() {
    T value;
    draw(value);
    return value;
  }

 private:
  template <typename... T>
  void draw_all(T&... to) {
    (draw(to), ...);
  }

  Rng rng_;
};

}  // namespace weir::channel
