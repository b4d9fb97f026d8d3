// StepKeeper: the agent's side of all steps of its node. It starts a weir-stepd for each, hears
// from them, and finds them again after the agent was restarted; steps go on without it.
//
// A step is started at most once, whatever dies when: an end that nobody saw is kUnknown, and only
// after it is sure that no process of the step lives. For one event loop; never blocks for long.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/step_folder.hpp"
#include "base/result.hpp"
#include "formats/step_protocol.hpp"
#include "model/step.hpp"
#include "os/boot_clock.hpp"
#include "os/local_socket.hpp"
#include "os/poller.hpp"
#include "os/process.hpp"

namespace weir::agent {

struct KeeperSetting {
  std::filesystem::path state;  // the agent's own folder; no other keeper uses it
  std::filesystem::path stepd;  // the program; empty: `weir-stepd` beside the running one
  std::filesystem::path cgroup_root = "/sys/fs/cgroup";
  // Steps get a PID namespace of their own, where that is permitted.
  bool namespaces = true;
};

class StepKeeper {
 public:
  // Finds the steps that are there. Errors: the folder cannot be used (kIo).
  static Result<std::unique_ptr<StepKeeper>> open(KeeperSetting setting);

  // Readable when on_ready() is to be called.
  [[nodiscard]] int fd() const { return poller_.fd(); }
  // What has changed since the last call, by step; never waits.
  std::vector<StepReport> on_ready();

  // Everything that this node keeps, by step.
  [[nodiscard]] std::vector<StepReport> reports() const;
  // False: of some step found on the disk it is not known yet how it is.
  [[nodiscard]] bool settled() const;

  // Starts a step; one that is here already is left as it is. Returns how it is now. Errors: it
  // cannot be written here, and was not started.
  Result<StepReport> start(const StepSpec& spec);
  // Ends a step, by its signal and grace or at once. One that is not here will never start.
  Status end(StepId step, EndCause cause, bool at_once = false);
  // Drops what is kept of a step that has ended. A step that is not here is forgotten already.
  Status forget(StepId step);
  // Every step of OnPartition::kEnd, also one that starts later, ends itself so long from now;
  // nothing: not until told again.
  void set_partition_deadline(std::optional<Duration> from_now);

  // What a task has written, from `offset` on. Errors: no such task; it writes to a file of its
  // own.
  Result<Output> read_output(StepId step, std::uint32_t rank, std::uint64_t offset,
                             std::size_t most) const;

 private:
  struct Step {
    explicit Step(StepFolder where) : folder(std::move(where)) {}

    StepFolder folder;
    StepReport report;
    std::vector<std::uint32_t> ranks;
    std::map<std::uint32_t, std::string> own_files;  // of ranks that write to files of theirs
    OnPartition on_partition = OnPartition::kContinue;
    std::uint64_t key = 0;  // its descriptors are watched under this and the next numbers
    bool known = false;     // the report is what the step is, not what was last heard of it

    std::optional<os::Child> launcher;  // until it has been reaped
    std::optional<os::LocalConnection> connection;
    stepd::FrameReader frames;
    std::vector<stepd::Request> unsent;    // until there is a connection
    std::optional<os::Descriptor> ending;  // a stepd that died, while its tasks are dying
    std::optional<Duration> look_again_at;
    int looks = 0;
    std::string failure;  // what its stepd or the machine said
  };

  StepKeeper(KeeperSetting setting, os::Poller poller, os::BootTimer timer);

  Status find_steps();
  void add_found(StepId id);
  Step& add(StepId id);
  static void take_spec(Step& step, const StepSpec& spec);
  Status spawn(Step& step);

  void on_ready(const os::Ready& ready);
  void on_connection(StepId id, Step& step, bool readable);
  void on_answer(StepId id, Step& step, const stepd::Answer& answer);
  void attach(Step& step, os::Descriptor connection);
  void detach(Step& step);
  void send(Step& step, const stepd::Request& request);
  void flush(Step& step);

  // Finds out how a step is of which no stepd speaks.
  void look(StepId id, Step& step);
  void look_again(Step& step);
  void look_at_record(StepId id, Step& step);
  void settle(StepId id, Step& step, const StepHistory& history);
  void change(StepId id, Step& step, StepReport report);
  void set_timer();

  KeeperSetting setting_;
  os::Poller poller_;
  os::BootTimer timer_;
  std::filesystem::path steps_folder_;
  std::map<StepId, Step> steps_;
  std::map<std::uint64_t, StepId> keys_;
  std::uint64_t next_key_ = 1;
  std::set<StepId> changed_;
  std::optional<Duration> partition_at_;
};

}  // namespace weir::agent
