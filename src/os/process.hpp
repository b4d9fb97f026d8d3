// Processes: start a program, watch and end one by a descriptor that cannot come to mean another
// process (pidfd), and look at what runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

struct Exit {
  bool by_signal = false;
  bool dumped_core = false;
  int code = 0;  // exit status or signal

  friend bool operator==(const Exit&, const Exit&) = default;
};

struct Child {
  pid_t pid = -1;
  Descriptor pidfd;  // becomes readable when it has ended
};

// What a started program gets: standard streams on /dev/null, no other descriptor of ours but
// `passed` as its descriptor 3, no blocked or ignored signal, our environment.
struct Launch {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // without the program
  int passed = -1;                     // stays open here; -1: none
};

// Safe in a program with threads (posix_spawn). Errors: kIo, beginning with the program.
Result<Child> spawn(const Launch& launch);
// Nothing: it still runs. REQUIRES: not yet reaped.
std::optional<Exit> reap(const Child& child);
// How waitpid() told an end.
Exit exit_of(int wait_status);

// The file of the running program.
Result<std::filesystem::path> own_program();

// Nothing: there is no such process.
std::optional<Descriptor> open_process(pid_t pid);

// A process as /proc shows it. A pid is used again, a pid together with its start is not.
struct ProcessState {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  std::uint64_t start_ticks = 0;  // since boot
  bool ended = false;             // a zombie: nothing runs any more
};
std::optional<ProcessState> process_state(pid_t pid);
// Our own, by the numbers of the namespace that /proc was mounted in.
std::optional<ProcessState> own_state();
// All that /proc shows, by pid.
std::vector<ProcessState> all_processes();

}  // namespace weir::os
