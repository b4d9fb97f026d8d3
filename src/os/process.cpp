#include "os/process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.hpp"
#include "os/errors.hpp"
#include "os/small_file.hpp"

namespace weir::os {
namespace {

constexpr std::size_t kStatBytes = 4096;

// posix_spawn's settings, destroyed whatever happens.
class SpawnSettings {
 public:
  SpawnSettings() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void streams(int passed) {
    for (int fd = 0; fd < 3; ++fd)
      ::posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0);
    if (passed >= 0) ::posix_spawn_file_actions_adddup2(&actions_, passed, 3);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, passed >= 0 ? 4 : 3);
  }
  void signals() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// "123 (any name) S 1 ...": the name may hold blanks and parentheses.
std::optional<ProcessState> parse_stat(std::string_view text) {
  const std::size_t open = text.find(" (");
  const std::size_t close = text.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> rest = split(trim(text.substr(close + 2)), ' ');
  if (rest.size() < 20) return std::nullopt;
  const auto number = [](std::string_view word) { return parse_unsigned(word).value_or(0); };
  ProcessState state;
  state.pid = static_cast<pid_t>(number(text.substr(0, open)));
  state.ended = rest[0] == "Z" || rest[0] == "X";
  state.parent = static_cast<pid_t>(number(rest[1]));
  state.session = static_cast<pid_t>(number(rest[3]));
  state.start_ticks = number(rest[19]);
  return state;
}

std::optional<ProcessState> state_at(const std::string& path) {
  const auto bytes = read_small_file(path, kStatBytes);
  if (!bytes) return std::nullopt;
  return parse_stat({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace

Result<Child> spawn(const Launch& launch) {
  SpawnSettings settings;
  settings.streams(launch.passed);
  settings.signals();
  std::string program = launch.program.string();
  std::vector<std::string> arguments = launch.arguments;
  std::vector<char*> argv{program.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int failure = ::posix_spawn(&pid, program.c_str(), settings.actions(),
                                    settings.attributes(), argv.data(), environ);
  if (failure != 0) return system_error(launch.program, "cannot be started", failure);
  return Child{pid, Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)))};
}

std::optional<Exit> reap(const Child& child) {
  int status = 0;
  if (::waitpid(child.pid, &status, WNOHANG) != child.pid) return std::nullopt;
  return exit_of(status);
}

Exit exit_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {true, WCOREDUMP(wait_status) != 0, WTERMSIG(wait_status)};
  return {false, false, WEXITSTATUS(wait_status)};
}

Result<std::filesystem::path> own_program() {
  std::error_code failure;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure) return system_error("/proc/self/exe", "cannot be read", failure.value());
  return path;
}

std::optional<Descriptor> open_process(pid_t pid) {
  Descriptor fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!fd.is_open()) return std::nullopt;
  return fd;
}

std::optional<ProcessState> process_state(pid_t pid) {
  return state_at("/proc/" + std::to_string(pid) + "/stat");
}

std::optional<ProcessState> own_state() { return state_at("/proc/self/stat"); }

std::vector<ProcessState> all_processes() {
  std::vector<ProcessState> processes;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return processes;
  while (const dirent* entry = ::readdir(folder)) {
    const auto pid = parse_unsigned(entry->d_name);
    if (!pid) continue;
    if (const auto state = process_state(static_cast<pid_t>(*pid))) processes.push_back(*state);
  }
  ::closedir(folder);
  std::ranges::sort(processes, {}, &ProcessState::pid);
  return processes;
}

}  // namespace weir::os
