// StepFolder: what the disk of a node knows of one step, in STATE/steps/JOB.ATTEMPT.
//
// A step whose folder has a record never starts again: its stepd writes one before its first task
// runs, and whoever decides that it must not start writes one that holds its end alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "formats/step_protocol.hpp"
#include "model/step.hpp"

namespace weir::agent {

// A part of what a task has written.
struct Output {
  std::uint64_t offset = 0;  // later than asked where the older part was dropped
  std::string bytes;         // go on at offset + bytes.size()
};

// What the record says.
struct StepHistory {
  std::optional<stepd::Started> started;
  std::vector<TaskEnd> ends;  // by rank
  bool ended = false;         // no process is left
  bool empty = true;          // there is no record
};

class StepFolder {
 public:
  StepFolder(const std::filesystem::path& steps, StepId step);
  // Nothing: the name is not that of a step's folder.
  static std::optional<StepId> step_of(const std::string& name);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path file(const char* name) const { return path_ / name; }

  // Makes the folder, with the specification in it. It is not synced: the stepd syncs its record,
  // which has all that is needed to tell the end, before a task runs; until then nothing is lost.
  Status create(const StepSpec& spec) const;
  // An empty folder.
  Status create() const;
  Result<StepSpec> spec() const;
  [[nodiscard]] StepHistory history() const;
  // Makes ends durable, and that no process is left. REQUIRES: we hold the step's lock.
  Status append_end(const std::vector<TaskEnd>& ends) const;

  Result<Output> read_output(std::uint32_t rank, std::uint64_t offset, std::size_t most) const;

  // Removes it with all it holds. A crash on the way leaves a folder that remove_rests() finds.
  Status remove() const;
  static void remove_rests(const std::filesystem::path& steps);

 private:
  std::filesystem::path path_;
};

}  // namespace weir::agent
