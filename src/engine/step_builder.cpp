#include "engine/step_builder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/output_path.hpp"
#include "engine/task_environment.hpp"

namespace weir::engine {
namespace {

constexpr std::string_view kUsualPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

Result<StepPlace> find_place(const state::State& state, StepId step, NodeId node,
                             const StepFacts& facts) {
  const state::JobRecord* job = state.find(step.job);
  const state::WorkRecord* work = state.work(step.job);
  if (job == nullptr || work == nullptr || job->phase != state::JobPhase::kRunning ||
      work->attempt != step.attempt)
    return bad_input(
        fmt::format("job {} does not run with attempt {}", step.job.value(), step.attempt));
  const std::vector<LeasePart>& parts = job->lease.parts;
  const auto part = std::ranges::find(parts, node, &LeasePart::node);
  if (part == parts.end())
    return bad_input(fmt::format("job {} has nothing on node {}", step.job.value(), node.value()));
  const std::vector<std::string>& uuids = facts.node.gpu_uuids;
  if (!uuids.empty() && uuids.size() < 32 && part->gpus >> uuids.size() != 0)
    return bad_input(
        fmt::format("node {} has told the UUIDs of {} GPUs, and job {} holds others: "
                    "expected its agent to tell all",
                    state.pool().node(node).name, uuids.size(), step.job.value()));
  return StepPlace{
      state, *job, *work, static_cast<std::uint32_t>(part - parts.begin()), facts.master_address,
      uuids};
}

Variables defaults_of(const Program& program, const NodeFacts& facts) {
  Variables defaults;
  defaults["HOME"] = facts.home.empty() ? "/" : facts.home;
  defaults["SHELL"] = facts.shell.empty() ? "/bin/sh" : facts.shell;
  defaults["USER"] = defaults["LOGNAME"] = program.user;
  defaults["PATH"] = kUsualPath;
  return defaults;
}

void add_devices(const NodeFacts& facts, GpuMask gpus, StepSpec& spec) {
  for (std::size_t i = 0; i < facts.gpu_devices.size(); ++i) {
    const bool leased = i < 32 && (gpus >> i & 1U) != 0;
    (leased ? spec.devices : spec.closed).push_back(facts.gpu_devices[i]);
  }
  if (gpus != 0)
    spec.devices.insert(spec.devices.end(), facts.shared_devices.begin(),
                        facts.shared_devices.end());
  spec.closed.insert(spec.closed.end(), facts.closed_devices.begin(), facts.closed_devices.end());
}

}  // namespace

Result<BuiltStep> build_step(const state::State& state, StepId step, NodeId node,
                             const StepFacts& facts) {
  const StepPlace place = WEIR_TRY(find_place(state, step, node, facts));
  const Program& program = place.work.work->program;
  const Rules& rules = place.work.work->rules;
  const LeasePart& part = place.job.lease.parts[place.part];
  BuiltStep built;
  StepSpec& spec = built.spec;
  spec.step = step;
  spec.token = place.work.token;
  spec.user = program.user;
  spec.uid = program.uid;
  spec.gid = program.gid;
  spec.umask = program.umask;
  spec.directory = program.directory;
  spec.cpu_milli = part.cpu_milli;
  spec.memory_mib = part.memory_mib;
  spec.time_limit = rules.time_limit;
  spec.end_signal = rules.end_signal;
  spec.grace = rules.grace;
  spec.on_partition = rules.on_partition;
  add_devices(facts.node, part.gpus, spec);

  const Variables shared = step_variables(place);
  const Variables defaults = defaults_of(program, facts.node);
  for (std::uint32_t local = 0; local < program.tasks_per_node; ++local) {
    Variables variables = task_variables(place, local);
    variables.insert(shared.begin(), shared.end());
    MergedEnvironment merged = merge_environment(variables, defaults, program.env);
    const OutputNames names{step, place.part * program.tasks_per_node + local,
                            state.pool().node(node).name, program.user};
    spec.tasks.push_back({names.rank, program.argv, std::move(merged.env),
                          output_path(program.output, program.directory, names),
                          output_path(program.error, program.directory, names)});
    for (std::string& name : merged.kept)
      if (std::ranges::find(built.kept, name) == built.kept.end())
        built.kept.push_back(std::move(name));
  }
  std::ranges::sort(built.kept);
  return built;
}

}  // namespace weir::engine
