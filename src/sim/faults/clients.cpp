#include "sim/faults/clients.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace weir::sim::faults {

void Clients::work(std::uint32_t jobs, Duration over) {
  for (std::uint32_t i = 0; i < jobs; ++i)
    kernel_.after(kernel_.between(ms(0), over), [this] { submit(); });
  for (std::uint32_t i = 0; i < jobs / 2; ++i)
    kernel_.after(kernel_.between(ms(0), over), [this] { wish(); });
}

WorkSubmitted Clients::draw() {
  Job job;
  Work work;
  job.name = fmt::format("job-{}", ++submitted_);
  job.user = "ada";
  job.gang.nodes = static_cast<std::uint32_t>(1 + kernel_.below(3));
  job.gang.per_node.gpus = static_cast<std::uint32_t>(1 + kernel_.below(4));
  job.priority = static_cast<std::int64_t>(kernel_.below(3));
  const Duration lasts =
      kernel_.chance(300) ? kernel_.between(ms(1), ms(500)) : kernel_.between(ms(500), ms(40'000));
  job.estimate = lasts + kernel_.between(ms(1), ms(20'000));
  Program& program = work.program;
  program.tasks_per_node = static_cast<std::uint32_t>(1 + kernel_.below(2));
  const std::uint64_t tasks = std::uint64_t{job.gang.nodes} * program.tasks_per_node;
  program.argv = {"task", std::to_string(lasts.count() / 1000),
                  std::to_string(kernel_.chance(250) ? 1 + kernel_.below(100) : 0),
                  std::to_string(kernel_.below(tasks))};
  program.directory = "/";
  program.user = "ada";
  program.uid = program.gid = 1000;
  Rules& rules = work.rules;
  rules.on_partition = kernel_.chance(600) ? OnPartition::kEnd : OnPartition::kContinue;
  rules.retries = static_cast<std::uint32_t>(kernel_.below(4));
  rules.retry_on_failure = kernel_.chance(300);
  rules.retry_on_node_failure = kernel_.chance(800);
  rules.retry_on_time_limit = kernel_.chance(200);
  if (kernel_.chance(150)) rules.time_limit = kernel_.between(ms(500), ms(30'000));
  rules.held = kernel_.chance(50);
  if (kernel_.chance(50)) rules.begin = kernel_.now() + kernel_.between(ms(0), ms(30'000));
  if (kernel_.chance(100)) {
    const JobId other = any_job();
    if (!other.is_none())
      rules.after = {{other, static_cast<DependencyKind>(kernel_.below(kDependencyKinds))}};
  }
  return {job, std::make_shared<const Work>(std::move(work))};
}

void Clients::submit() {
  WorkSubmitted submission = draw();
  const std::string name = submission.job.name;
  controller_.submit(std::move(submission), [this, name](JobId job) {
    kernel_.note("user", fmt::format("{} is job {}", name, job.value()));
    if (!acknowledged_.emplace(name, job).second)
      kernel_.violated(fmt::format("{} is acknowledged twice", name));
  });
}

JobId Clients::any_job() {
  if (acknowledged_.empty()) return JobId::none();
  auto one = acknowledged_.begin();
  std::advance(one, static_cast<std::ptrdiff_t>(kernel_.below(acknowledged_.size())));
  return one->second;
}

void Clients::wish() {
  const JobId job = any_job();
  if (job.is_none()) return;
  switch (kernel_.below(4)) {
    case 0: return controller_.say(JobCancelled{job});
    case 1: return controller_.say(JobRequeued{job});
    case 2: return controller_.say(JobHeld{job});
    default: return controller_.say(JobReleased{job});
  }
}

void Clients::release_all() {
  if (!controller_.up()) return;
  for (const JobId id : controller_.state().jobs()) {
    const state::WorkRecord* work = controller_.state().work(id);
    if (work != nullptr && work->held) controller_.say(JobReleased{id});
  }
}

void Clients::give_up_hopeless() {
  if (!controller_.up()) return;
  for (const JobId id : controller_.state().jobs()) {
    const state::JobRecord& job = *controller_.state().find(id);
    const state::WorkRecord& work = *controller_.state().work(id);
    const bool hopeless = std::ranges::any_of(work.unmet, [&](const Dependency& dependency) {
      return controller_.state().find(dependency.job) == nullptr;
    });
    if (hopeless || job.job.gang.nodes + job.avoid.size() > nodes_)
      controller_.say(JobCancelled{id});
  }
}

void Clients::check() {
  std::map<std::string, int> ended;
  for (const auto& [id, finished] : controller_.history()) ++ended[finished.job.name];
  for (const auto& [name, count] : ended)
    if (count > 1) kernel_.violated(fmt::format("{} is there {} times", name, count));
  for (const auto& [name, id] : acknowledged_) {
    const auto found = controller_.history().find(id);
    if (found == controller_.history().end()) {
      kernel_.violated(fmt::format("job {} was acknowledged and has not ended", id.value()));
    } else if (found->second.job.name != name) {
      kernel_.violated(fmt::format("job {} is another one than was acknowledged", id.value()));
    }
  }
}

}  // namespace weir::sim::faults
