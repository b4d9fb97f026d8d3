// StepRun: the life of a step, in one thread: makes its tasks ready, lets them go, keeps what they
// write, ends them when told or when their time is over, and records every end before it tells it.
// REQUIRES: the current folder is the step's, and no other child of this process is alive.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/step_protocol.hpp"
#include "os/boot_clock.hpp"
#include "os/cgroup.hpp"
#include "os/durable.hpp"
#include "os/poller.hpp"
#include "os/process.hpp"
#include "stepd/output_log.hpp"
#include "stepd/task_process.hpp"
#include "stepd/watchers.hpp"

namespace weir::stepd {

struct RunSetting {
  StepSpec spec;
  ProcessName self;
  Isolation isolation = Isolation::kNamespace;
  std::string limits;  // what isolation could not give
  std::filesystem::path cgroup_root;
  std::string group_name;
  os::Descriptor connection;                   // to the agent that started us; may be none
  std::optional<Duration> partition_deadline;  // since boot
};

class StepRun {
 public:
  // Returns when no process of the step is left and its end is on the disk. Errors: this machine
  // lacks what a stepd needs, and no task was started.
  static Status run(RunSetting setting);

 private:
  struct Task {
    TaskProcess process;
    OutputLog log;
    std::string failure{};  // why it cannot start
    bool ready = false;
    bool let_go = false;
    bool executing = false;  // its program, since the end of its report
    bool ended = false;
  };
  struct Ending {
    EndCause cause = EndCause::kCancelled;
    std::optional<Duration> kill_at;  // nothing: killed already
  };

  StepRun(RunSetting setting, os::Poller poller, os::BootTimer timer, os::DurableLog record);

  Status start_listening();
  void start_tasks();
  void refuse_all(const std::string& why);
  void loop();
  void on_ready(const os::Ready& ready);
  void on_request(const Request& request);
  void on_timer();
  void set_timer();

  void read_report(std::size_t index);
  void read_output(std::size_t index);
  void close_pipe(os::Descriptor& pipe);
  void let_go_when_ready();
  void give_up_when_one_failed();

  void begin_ending(EndCause cause, bool at_once);
  void signal_tasks(int signal);
  void kill_tree();
  void reap();
  void on_end(std::size_t index, const os::Exit& exit);
  [[nodiscard]] TaskEnd end_of(const Task& task, std::uint32_t rank, const os::Exit& exit);
  [[nodiscard]] bool all_ended() const { return ended_ == setting_.spec.tasks.size(); }

  // Writes what is new, then tells it. On a disk that refuses it is tried again later.
  void save_and_tell();
  void finish();

  RunSetting setting_;
  os::Poller poller_;
  os::BootTimer timer_;
  os::DurableLog record_;
  os::Descriptor signals_;
  Watchers watchers_;
  std::optional<os::StepGroup> group_;
  os::Descriptor go_;
  std::vector<Task> tasks_;              // as far as they were forked, as in the specification
  std::map<pid_t, std::size_t> by_pid_;  // tasks that were not reaped
  std::size_t ended_ = 0;
  bool gone_ = false;  // no child is left
  StepReport report_;
  std::vector<TaskEnd> unsaved_;
  bool changed_ = false;  // the report, since it was told
  bool saved_end_ = false;
  std::optional<Duration> save_again_at_;
  std::optional<Duration> limit_at_;
  std::optional<Duration> partition_at_;
  std::optional<Ending> ending_;
  std::uint64_t memory_kills_seen_ = 0;
};

}  // namespace weir::stepd
