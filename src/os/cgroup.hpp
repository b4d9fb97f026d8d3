// StepGroup: the control group of one step: limits of memory and CPU, device files that are closed,
// and the end of all that lives in it. cgroup v1 and v2 stand behind it; where their tree is
// mounted is told, so that v2 is tested on a fake one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

enum class CgroupVersion : std::uint8_t { kNone, kV1, kV2 };

// What is mounted below `root` (/sys/fs/cgroup).
CgroupVersion cgroup_version(const std::filesystem::path& root);

// A name for the group of what a folder stands for: the folder's own, and its inode, which tells it
// from a folder of the same name elsewhere on this machine.
Result<std::string> group_name(const std::filesystem::path& folder);

struct GroupWish {
  std::uint64_t memory_bytes = 0;             // 0: no limit
  std::uint32_t cpu_milli = 0;                // 0: no limit
  std::vector<std::filesystem::path> closed;  // device files; one that is not there is closed
  bool kill_all = false;                      // kill_all() will be called

  // Nothing is wanted: no group is needed.
  [[nodiscard]] bool empty() const {
    return memory_bytes == 0 && cpu_milli == 0 && closed.empty() && !kill_all;
  }
};

class StepGroup {
 public:
  // Makes the groups `weir/NAME` that the wish needs. Errors name the file that refused.
  static Result<StepGroup> create(const std::filesystem::path& root, const std::string& name,
                                  const GroupWish& wish);
  // What another process made under that name, as far as it is still there.
  static StepGroup find(const std::filesystem::path& root, const std::string& name);

  // Moves the calling process into it; what it forks is born there.
  Status join() const;
  // How often the kernel has killed a process of it over its memory.
  [[nodiscard]] std::uint64_t memory_kills() const;
  // Ends every process in it and returns when none is left, or when one would not die in time.
  Status kill_all() const;
  // REQUIRES: no process is in it. Idempotent.
  Status remove() const;

  [[nodiscard]] bool exists() const { return !folders_.empty(); }
  // What of the wish this kernel does not grant, for people; empty: nothing.
  [[nodiscard]] const std::string& not_enforced() const { return not_enforced_; }

 private:
  struct Folder {
    std::string controller;  // of v1; empty: the one folder of v2
    std::filesystem::path path;
  };

  explicit StepGroup(CgroupVersion version) : version_(version) {}
  Status add_folder(const std::filesystem::path& root, const std::string& controller,
                    const std::string& name);
  [[nodiscard]] const Folder* folder(const std::string& controller) const;
  Status limit(const GroupWish& wish);
  Status set_frozen(bool frozen) const;

  CgroupVersion version_;
  std::vector<Folder> folders_;
  std::string not_enforced_;
};

}  // namespace weir::os
