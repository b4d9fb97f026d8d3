#include "engine/task_environment.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/host_expression.hpp"

namespace weir::engine {
namespace {

constexpr std::uint32_t kFirstPort = 20'000;
constexpr std::uint32_t kPorts = 10'000;
// Attempts of a job are this far apart, so that a late socket of the one before is in nobody's way.
constexpr std::uint32_t kPortsPerAttempt = 617;

std::vector<std::uint32_t> indexes(GpuMask gpus) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; gpus >> i != 0; ++i) {
    if ((gpus >> i & 1U) != 0) found.push_back(i);
    if (i + 1 == 32) break;
  }
  return found;
}

std::vector<std::string> node_names(const StepPlace& place) {
  std::vector<std::string> names;
  for (const LeasePart& part : place.job.lease.parts)
    names.push_back(place.state.pool().node(part.node).name);
  return names;
}

// "site.f0.p1.u4.n17": the domains around the node from the top, as Slurm's topology plugins write.
void add_topology(const StepPlace& place, NodeId node_id, Variables& to) {
  const pool::NodeState& node = place.state.pool().node(node_id);
  const Locality& locality = place.state.pool().locality();
  std::string address = node.name;
  std::string pattern = "node";
  DomainId at = node.cell;
  if (locality.known) {
    for (const LevelTable& level : locality.levels) {
      if (at.is_none()) break;
      const Domain& domain = level.domains[at.index()];
      address = fmt::format("{}.{}", domain.name, address);
      pattern = fmt::format("{}.{}", to_text(level.level), pattern);
      at = domain.parent;
    }
  }
  to["SLURM_TOPOLOGY_ADDR"] = address;
  to["SLURM_TOPOLOGY_ADDR_PATTERN"] = pattern;
}

void add_job(const StepPlace& place, Variables& to) {
  const Job& job = place.job.job;
  const Program& program = place.work.work->program;
  const std::string id = fmt::format("{}", place.job.id.value());
  to["WEIR_JOB_ID"] = to["SLURM_JOB_ID"] = to["SLURM_JOBID"] = id;
  to["WEIR_ATTEMPT"] = fmt::format("{}", place.work.attempt);
  to["SLURM_RESTART_COUNT"] = fmt::format("{}", place.work.attempt - 1);
  to["SLURM_JOB_NAME"] = job.name;
  to["SLURM_JOB_USER"] = program.user;
  to["SLURM_JOB_UID"] = fmt::format("{}", program.uid);
  to["SLURM_JOB_GID"] = fmt::format("{}", program.gid);
  to["SLURM_SUBMIT_DIR"] = program.directory;
  if (!job.requirement.partition.empty()) to["SLURM_JOB_PARTITION"] = job.requirement.partition;
}

void add_gang(const StepPlace& place, Variables& to) {
  const std::vector<std::string> names = node_names(place);
  const std::uint32_t tasks = place.work.work->program.tasks_per_node;
  const std::string nodes = fmt::format("{}", names.size());
  const std::string world = fmt::format("{}", names.size() * tasks);
  to["WEIR_NODES"] = fmt::format("{}", fmt::join(names, ","));
  to["SLURM_JOB_NODELIST"] = to["SLURM_NODELIST"] = host_expression(names);
  to["SLURM_NNODES"] = to["SLURM_JOB_NUM_NODES"] = nodes;
  to["SLURM_NTASKS"] = to["SLURM_NPROCS"] = to["WORLD_SIZE"] = world;
  to["SLURM_NTASKS_PER_NODE"] = to["LOCAL_WORLD_SIZE"] = fmt::format("{}", tasks);
  to["SLURM_TASKS_PER_NODE"] =
      names.size() == 1 ? fmt::format("{}", tasks) : fmt::format("{}(x{})", tasks, names.size());
  to["MASTER_ADDR"] =
      place.master_address.empty() ? names.front() : std::string(place.master_address);
  to["MASTER_PORT"] = fmt::format("{}", master_port({place.job.id, place.work.attempt}));
}

void add_node(const StepPlace& place, Variables& to) {
  const LeasePart& part = place.job.lease.parts[place.part];
  const std::vector<std::uint32_t> gpus = indexes(part.gpus);
  to["SLURMD_NODENAME"] = place.state.pool().node(part.node).name;
  to["SLURM_NODEID"] = to["GROUP_RANK"] = to["NODE_RANK"] = fmt::format("{}", place.part);
  to["SLURM_GPUS_ON_NODE"] = fmt::format("{}", gpus.size());
  if (!gpus.empty()) to["SLURM_JOB_GPUS"] = fmt::format("{}", fmt::join(gpus, ","));
  // A lease without CPUs or memory sets no limit to either, so there is no number to tell.
  if (part.cpu_milli > 0)
    to["SLURM_CPUS_ON_NODE"] = fmt::format("{}", (part.cpu_milli + 999) / 1000);
  if (part.memory_mib > 0) to["SLURM_MEM_PER_NODE"] = fmt::format("{}", part.memory_mib);
  add_topology(place, part.node, to);
}

}  // namespace

std::uint32_t master_port(StepId step) {
  const std::uint64_t number =
      step.job.value() % kPorts + std::uint64_t{step.attempt - 1} * kPortsPerAttempt;
  return kFirstPort + static_cast<std::uint32_t>(number % kPorts);
}

std::vector<std::uint32_t> gpus_of_task(GpuMask gpus, std::uint32_t local_rank,
                                        std::uint32_t tasks) {
  const std::vector<std::uint32_t> all = indexes(gpus);
  if (all.empty() || tasks <= 1) return all;
  if (all.size() % tasks == 0) {
    const std::size_t each = all.size() / tasks;
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(local_rank * each);
    return {first, first + static_cast<std::ptrdiff_t>(each)};
  }
  if (tasks % all.size() == 0) return {all[local_rank / (tasks / all.size())]};
  return all;
}

Variables step_variables(const StepPlace& place) {
  Variables variables;
  add_job(place, variables);
  add_gang(place, variables);
  add_node(place, variables);
  return variables;
}

Variables task_variables(const StepPlace& place, std::uint32_t local_rank) {
  const std::uint32_t tasks = place.work.work->program.tasks_per_node;
  const LeasePart& part = place.job.lease.parts[place.part];
  Variables variables;
  variables["RANK"] = variables["SLURM_PROCID"] =
      fmt::format("{}", place.part * tasks + local_rank);
  variables["LOCAL_RANK"] = variables["SLURM_LOCALID"] = fmt::format("{}", local_rank);
  std::string& visible = variables["CUDA_VISIBLE_DEVICES"];  // empty: none
  for (const std::uint32_t gpu : gpus_of_task(part.gpus, local_rank, tasks))
    visible += fmt::format("{}{}", visible.empty() ? "" : ",",
                           place.gpu_uuids.empty() ? fmt::format("{}", gpu) : place.gpu_uuids[gpu]);
  return variables;
}

MergedEnvironment merge_environment(const Variables& weirs, const Variables& defaults,
                                    const std::vector<std::string>& users) {
  Variables all = weirs;
  all.insert(defaults.begin(), defaults.end());
  std::set<std::string> kept;
  for (const std::string_view variable : users) {
    const std::size_t equals = std::min(variable.find('='), variable.size());
    const std::string name(variable.substr(0, equals));
    const std::string value(variable.substr(std::min(equals + 1, variable.size())));
    const auto ours = weirs.find(name);
    if (ours != weirs.end() && ours->second != value) kept.insert(name);
    all[name] = value;
  }
  MergedEnvironment merged;
  for (const auto& [name, value] : all) merged.env.push_back(fmt::format("{}={}", name, value));
  merged.kept.assign(kept.begin(), kept.end());
  return merged;
}

}  // namespace weir::engine
