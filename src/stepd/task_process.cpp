#include "stepd/task_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::stepd {
namespace {

constexpr int kFailedStatus = 127;
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

// A list as execve() wants it; it points into the texts.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::string system_text(int code) { return std::generic_category().message(code); }

// The child's side. Whatever fails is told and ends it.
class TaskChild {
 public:
  TaskChild(const TaskSetting& setting, const TaskSpec& task, int report, int output)
      : setting_(setting), task_(task), report_(report), output_(output) {}

  [[noreturn]] void run() {
    ::close(setting_.go_end);
    ::setpgid(0, 0);
    if (setting_.group != nullptr)
      if (const Status joined = setting_.group->join(); !joined) fail(joined.error().message);
    set_limits();
    become_user();
    // A change of user clears it, so it comes after that; the parent may have died before.
    if (setting_.die_with_parent) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() == 1) ::_exit(kFailedStatus);
    }
    ::umask(setting_.spec->umask);
    if (::chdir(setting_.spec->directory.c_str()) != 0)
      fail("the working directory " + setting_.spec->directory + " cannot be entered", errno);
    open_streams();
    const std::string program = find_program();
    say(kReady, {});
    char byte = 0;
    if (::read(setting_.go, &byte, 1) != 1) ::_exit(kFailedStatus);
    execute(program);
  }

 private:
  void say(char kind, std::string_view text) const {
    std::string message(1, kind);
    message += text.substr(0, limits::kEndDetailBytes);
    // Below PIPE_BUF, so it goes whole; a parent that is gone needs no telling.
    static_cast<void>(::write(report_, message.data(), message.size()) < 0);
  }

  [[noreturn]] void fail(const std::string& what) const {
    const StepSpec& spec = *setting_.spec;
    say(kFailed, "cannot start " + weir::quoted(task_.argv.empty() ? "" : task_.argv[0]) + " in " +
                     weir::quoted(spec.directory) + " as user " + weir::quoted(spec.user) +
                     " (uid " + std::to_string(spec.uid) + "): " + what);
    ::_exit(kFailedStatus);
  }
  [[noreturn]] void fail(const std::string& what, int code) const {
    fail(what + ": " + system_text(code));
  }

  void set_limits() const {
    ::setrlimit(RLIMIT_NOFILE, &setting_.files);
    // InfiniBand registers memory by locking it. Without permission the limit stays as it is.
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    if (::geteuid() == 0) ::setrlimit(RLIMIT_MEMLOCK, &unlimited);
  }

  void become_user() const {
    const std::optional<os::User>& user = *setting_.user;
    if (!user) return;
    const std::vector<gid_t> groups(user->groups.begin(), user->groups.end());
    const gid_t gid = setting_.spec->gid;
    if (::setgroups(groups.size(), groups.data()) != 0) fail("its groups cannot be set", errno);
    if (::setresgid(gid, gid, gid) != 0) fail("its group cannot be set", errno);
    if (::setresuid(user->uid, user->uid, user->uid) != 0) fail("its user cannot be set", errno);
  }

  // As the user, so that no path of theirs makes root write anywhere.
  [[nodiscard]] int open_file(const std::string& path) const {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC, 0666);
    if (fd < 0) fail("its output file " + weir::quoted(path) + " cannot be opened", errno);
    return fd;
  }

  void open_streams() const {
    const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input < 0) fail("/dev/null cannot be opened", errno);
    const int output = task_.output.empty() ? output_ : open_file(task_.output);
    const int error = task_.error.empty() ? output : open_file(task_.error);
    if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(error, 2) < 0)
      fail("its streams cannot be opened", errno);
  }

  // As execvp() looks, but in the PATH of the task.
  [[nodiscard]] std::string find_program() const {
    if (task_.argv.empty()) fail("the job names no program");
    const std::string& name = task_.argv[0];
    if (name.find('/') != std::string::npos) {
      if (const int code = not_executable(name); code != 0) fail("no such program", code);
      return name;
    }
    std::string_view path = kDefaultPath;
    for (const std::string& variable : task_.env)
      if (variable.starts_with("PATH=")) path = std::string_view(variable).substr(5);
    for (const std::string_view folder : split(path, ':')) {
      const std::string candidate = (folder.empty() ? "." : std::string(folder)) + "/" + name;
      if (not_executable(candidate) == 0) return candidate;
    }
    fail("no such program in its PATH, " + weir::quoted(path, 400));
  }

  // 0: it can be executed.
  static int not_executable(const std::string& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return errno;
    if (!S_ISREG(status.st_mode)) return EACCES;
    return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
  }

  [[noreturn]] void execute(const std::string& program) const {
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    std::vector<std::string> argv = task_.argv;
    std::vector<std::string> env = task_.env;
    const std::vector<char*> arguments = pointers(argv);
    const std::vector<char*> variables = pointers(env);
    ::execve(program.c_str(), arguments.data(), variables.data());
    fail(program + " cannot be executed" +
             (errno == ENOEXEC ? " (a script must begin with a line like #!/bin/sh)" : ""),
         errno);
  }

  const TaskSetting& setting_;
  const TaskSpec& task_;
  int report_;
  int output_;
};

using Pipe = std::pair<os::Descriptor, os::Descriptor>;

Result<Pipe> make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0)
    return io_error("a pipe cannot be made: " + system_text(errno));
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  return Pipe(os::Descriptor(fds[0]), os::Descriptor(fds[1]));
}

}  // namespace

Result<TaskProcess> fork_task(const TaskSetting& setting, const TaskSpec& task) {
  Pipe report = WEIR_TRY(make_pipe());
  Pipe output;
  if (task.output.empty()) output = WEIR_TRY(make_pipe());
  const pid_t pid = ::fork();
  if (pid == 0) TaskChild(setting, task, report.second.get(), output.second.get()).run();
  if (pid < 0) return io_error("a process cannot be forked: " + system_text(errno));
  return TaskProcess{pid, std::move(report.first), std::move(output.first)};
}

}  // namespace weir::stepd
