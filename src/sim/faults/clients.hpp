// Clients: who submits, cancels, requeues, holds and releases jobs at the simulated site, and what
// they were promised: every job that was acknowledged is there once, and ends.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/faults/controller_host.hpp"
#include "sim/faults/kernel.hpp"

namespace weir::sim::faults {

class Clients {
 public:
  Clients(Kernel& kernel, ControllerHost& controller, std::uint32_t nodes)
      : kernel_(kernel), controller_(controller), nodes_(nodes) {}

  // Submits so many jobs over this time, and has its wishes about them.
  void work(std::uint32_t jobs, Duration over);
  // Nothing that waits for people or for a job that ended otherwise shall wait for ever.
  void release_all();
  void give_up_hopeless();
  // All acknowledged jobs, against the history.
  void check();

  [[nodiscard]] std::size_t acknowledged() const { return acknowledged_.size(); }

 private:
  void submit();
  void wish();
  WorkSubmitted draw();
  JobId any_job();

  Kernel& kernel_;
  ControllerHost& controller_;
  std::uint32_t nodes_;
  std::uint64_t submitted_ = 0;
  std::map<std::string, JobId> acknowledged_;  // by the name that only its client gave it
};

}  // namespace weir::sim::faults
