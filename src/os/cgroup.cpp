#include "os/cgroup.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/text.hpp"
#include "os/best_effort.hpp"
#include "os/boot_clock.hpp"
#include "os/errors.hpp"
#include "os/poller.hpp"
#include "os/process.hpp"
#include "os/small_file.hpp"

namespace weir::os {
namespace {

namespace fs = std::filesystem;

constexpr const char* kParent = "weir";
constexpr std::size_t kFileBytes = std::size_t{1} << 20;
constexpr std::int64_t kCpuPeriod = 100'000;  // microseconds, the kernel's own default
// Ended processes take this long to vanish at most; one stuck in the kernel never does.
constexpr Duration kKillTime{5'000'000};

Status put(const fs::path& file, std::string_view text) {
  // A control group's file is always there; only the fake tree of a test lets it be made.
  const Descriptor fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.is_open()) return system_error(file, "cannot be opened", errno);
  if (::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return system_error(file, "refuses \"" + std::string(text) + "\"", errno);
  return {};
}

std::string get(const fs::path& file) {
  const auto bytes = read_small_file(file, kFileBytes);
  if (!bytes) return {};
  return {bytes->begin(), bytes->end()};
}

// "oom_kill 3" among the lines of a file.
std::uint64_t value_of(const fs::path& file, std::string_view name) {
  const std::string text = get(file);
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with(name) && line.substr(name.size()).starts_with(' '))
      return parse_unsigned(line.substr(name.size() + 1)).value_or(0);
  return 0;
}

std::vector<pid_t> processes_in(const fs::path& folder) {
  std::vector<pid_t> pids;
  const std::string text = get(folder / "cgroup.procs");
  for (const std::string_view line : split(text, '\n'))
    if (const auto pid = parse_unsigned(line); pid && *pid != 0)
      pids.push_back(static_cast<pid_t>(*pid));
  return pids;
}

Status make_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), 0755) == 0 || errno == EEXIST) return {};
  return system_error(path, "the group cannot be made", errno);
}

// "c 195:3" of a device file; nothing: there is no such device.
std::string device_number(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return {};
  if (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode)) return {};
  return std::string(S_ISCHR(status.st_mode) ? "c " : "b ") +
         std::to_string(major(status.st_rdev)) + ":" + std::to_string(minor(status.st_rdev));
}

}  // namespace

CgroupVersion cgroup_version(const fs::path& root) {
  std::error_code ignored;
  if (fs::exists(root / "cgroup.controllers", ignored)) return CgroupVersion::kV2;
  if (fs::exists(root / "freezer" / "cgroup.procs", ignored)) return CgroupVersion::kV1;
  return CgroupVersion::kNone;
}

Result<std::string> group_name(const fs::path& folder) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0)
    return system_error(folder, "cannot be looked at", errno);
  return folder.filename().string() + "-" + std::to_string(status.st_dev) + "-" +
         std::to_string(status.st_ino);
}

Status StepGroup::add_folder(const fs::path& root, const std::string& controller,
                             const std::string& name) {
  const fs::path parent = root / controller / kParent;
  WEIR_TRY(make_folder(parent));
  WEIR_TRY(make_folder(parent / name));
  folders_.push_back({controller, parent / name});
  return {};
}

Result<StepGroup> StepGroup::create(const fs::path& root, const std::string& name,
                                    const GroupWish& wish) {
  StepGroup group(cgroup_version(root));
  Status made;
  const auto add = [&](bool wanted, const char* controller) {
    if (wanted && made) made = group.add_folder(root, controller, name);
  };
  switch (group.version_) {
    case CgroupVersion::kNone:
      return io_error(root.string() + ": no control groups are mounted here");
    case CgroupVersion::kV1:
      add(wish.kill_all, "freezer");
      add(wish.memory_bytes != 0, "memory");
      add(wish.cpu_milli != 0, "cpu");
      add(!wish.closed.empty(), "devices");
      break;
    case CgroupVersion::kV2:
      // A folder's children have the controllers that it grants them. Refusals show at the limit.
      for (const fs::path& above : {root, root / kParent}) {
        if (made && above != root) made = make_folder(above);
        if (wish.memory_bytes != 0) best_effort(put(above / "cgroup.subtree_control", "+memory"));
        if (wish.cpu_milli != 0) best_effort(put(above / "cgroup.subtree_control", "+cpu"));
      }
      add(true, "");
      break;
  }
  if (made) made = group.limit(wish);
  if (made) return group;
  best_effort(group.remove());
  return std::unexpected(made.error());
}

StepGroup StepGroup::find(const fs::path& root, const std::string& name) {
  constexpr std::array<const char*, 4> kControllers = {"freezer", "memory", "cpu", "devices"};
  StepGroup group(cgroup_version(root));
  std::error_code ignored;
  const auto look = [&](const char* controller) {
    const fs::path path = root / controller / kParent / name;
    if (fs::exists(path, ignored)) group.folders_.push_back({controller, path});
  };
  if (group.version_ == CgroupVersion::kV2) look("");
  if (group.version_ == CgroupVersion::kV1)
    for (const char* controller : kControllers) look(controller);
  return group;
}

const StepGroup::Folder* StepGroup::folder(const std::string& controller) const {
  const auto found = std::ranges::find(folders_, version_ == CgroupVersion::kV2 ? "" : controller,
                                       &Folder::controller);
  return found == folders_.end() ? nullptr : &*found;
}

Status StepGroup::limit(const GroupWish& wish) {
  const bool v2 = version_ == CgroupVersion::kV2;
  if (wish.memory_bytes != 0) {
    const fs::path path = folder("memory")->path;
    const std::string bytes = std::to_string(wish.memory_bytes);
    WEIR_TRY(put(path / (v2 ? "memory.max" : "memory.limit_in_bytes"), bytes));
    // Swap would be a way around the limit; a kernel without swap accounting has no such file.
    if (v2)
      best_effort(put(path / "memory.swap.max", "0"));
    else if (std::error_code ignored; fs::exists(path / "memory.memsw.limit_in_bytes", ignored))
      WEIR_TRY(put(path / "memory.memsw.limit_in_bytes", bytes));
  }
  if (wish.cpu_milli != 0) {
    const fs::path path = folder("cpu")->path;
    const std::string quota = std::to_string(wish.cpu_milli * kCpuPeriod / 1000);
    const std::string period = std::to_string(kCpuPeriod);
    if (v2) {
      WEIR_TRY(put(path / "cpu.max", quota + " " + period));
    } else {
      WEIR_TRY(put(path / "cpu.cfs_period_us", period));
      WEIR_TRY(put(path / "cpu.cfs_quota_us", quota));
    }
  }
  if (!wish.closed.empty() && v2) {
    not_enforced_ = "device files are not closed to it (cgroup v2 without a device filter)";
    return {};
  }
  for (const fs::path& file : wish.closed) {
    const std::string number = device_number(file);
    if (!number.empty()) WEIR_TRY(put(folder("devices")->path / "devices.deny", number + " rwm"));
  }
  return {};
}

Status StepGroup::join() const {
  for (const Folder& each : folders_) WEIR_TRY(put(each.path / "cgroup.procs", "0"));
  return {};
}

std::uint64_t StepGroup::memory_kills() const {
  const Folder* memory = folder("memory");
  if (memory == nullptr) return 0;
  return value_of(
      memory->path / (version_ == CgroupVersion::kV2 ? "memory.events" : "memory.oom_control"),
      "oom_kill");
}

Status StepGroup::set_frozen(bool frozen) const {
  if (version_ != CgroupVersion::kV1) return {};
  const Folder* freezer = folder("freezer");
  if (freezer == nullptr) return {};
  return put(freezer->path / "freezer.state", frozen ? "FROZEN" : "THAWED");
}

Status StepGroup::kill_all() const {
  if (folders_.empty()) return {};
  const fs::path path = folders_.front().path;
  const Duration end = since_boot() + kKillTime;
  for (;;) {
    // Frozen, they cannot fork while they are listed; a kernel that cannot freeze needs more
    // rounds.
    best_effort(set_frozen(true));
    const std::vector<pid_t> pids = processes_in(path);
    std::vector<Descriptor> dying;
    for (const pid_t pid : pids) {
      if (auto process = open_process(pid)) dying.push_back(*std::move(process));
      ::kill(pid, SIGKILL);
    }
    if (version_ == CgroupVersion::kV2) best_effort(put(path / "cgroup.kill", "1"));
    WEIR_TRY(set_frozen(false));
    if (pids.empty()) return {};
    for (const Descriptor& process : dying)
      if (!wait_readable(process.get(), end - since_boot()))
        return io_error(path.string() + ": a process of it does not end, it hangs in the kernel");
  }
}

Status StepGroup::remove() const {
  for (const Folder& each : folders_)
    if (::rmdir(each.path.c_str()) != 0 && errno != ENOENT)
      return system_error(each.path, "the group cannot be removed", errno);
  return {};
}

}  // namespace weir::os
