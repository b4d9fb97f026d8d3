// weir up: a whole pool on this machine, to try Weir: a controller, a few agents that each play a
// node, and some jobs that really run as processes.
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/live_options.hpp"
#include "cli/socket_path.hpp"
#include "formats/job_request.hpp"
#include "net/client.hpp"
#include "os/machine.hpp"
#include "os/poller.hpp"
#include "os/process.hpp"

namespace weir::cli {
namespace {

struct Arguments {
  std::string state;
  std::string socket;
  std::uint32_t nodes = 4;
  std::uint32_t gpus = 8;
  bool demo = true;
  bool once = false;
};

constexpr Duration kTokenLife{std::int64_t{600} * 1'000'000};
constexpr Duration kGlance{300'000};
constexpr int kPatience = 200;  // glances

std::string script(std::string_view text) { return fmt::format("set -e; {}", text); }

// The demo's jobs: what a small site sees in a minute.
std::vector<JobRequest> demo_jobs() {
  const auto job = [](std::string name, std::uint32_t nodes, std::uint32_t gpus,
                      std::string_view text) {
    JobRequest request;
    request.name = std::move(name);
    request.command = {"/bin/sh", "-c", script(text)};
    request.directory = "/tmp";
    request.nodes = nodes;
    request.gpus = gpus;
    request.time = Duration(std::int64_t{120} * 1'000'000);
    return request;
  };
  std::vector<JobRequest> jobs;
  jobs.push_back(job("train-4x8", 4, 8,
                     "echo rank $RANK of $WORLD_SIZE on $SLURMD_NODENAME, master $MASTER_ADDR:"
                     "$MASTER_PORT; i=1; while [ $i -le 5 ]; do echo step $i; sleep 1; "
                     "i=$((i + 1)); done"));
  for (int i = 1; i <= 6; ++i)
    jobs.push_back(job(fmt::format("tune-{}", i), 1, 4,
                       "echo GPUs $CUDA_VISIBLE_DEVICES; sleep 2; echo done"));
  jobs.push_back(job("eval-2x8", 2, 8, "echo evaluating on $SLURM_JOB_NODELIST; sleep 2"));
  jobs.push_back(job("broken", 1, 1, "echo this one fails; exit 3"));
  jobs.push_back(job("too-big", 64, 8, "true"));
  return jobs;
}

class Pool {
 public:
  explicit Pool(const Arguments& arguments) : arguments_(arguments) {}

  int run();

 private:
  Status start_agents();
  // On a thread of its own: speaks to the controller as any user does.
  void show_round();
  Result<std::string> call(std::string_view method, std::string_view target,
                           const std::string& body = {});
  bool wait_until(std::string_view target, const std::function<bool(const std::string&)>& holds);
  bool submit_demo();
  void show_ends();
  void stop_jobs();
  void stop();

  const Arguments& arguments_;
  std::filesystem::path folder_;
  std::filesystem::path socket_;
  std::unique_ptr<controller::Controller> controller_;
  std::vector<os::Child> agents_;
  os::Descriptor stop_;  // eventfd: the controller is to end
  os::Descriptor signals_;
  std::size_t submitted_ = 0;
  bool failed_ = false;  // read when the driver has ended
};

std::size_t count_of(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

int Pool::run() {
  auto signals = os::stop_signals();
  if (!signals) return fail(signals.error());
  signals_ = std::move(*signals);
  stop_ = os::Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  folder_ = arguments_.state.empty()
                ? std::filesystem::temp_directory_path() / fmt::format("weir-{}", ::getuid())
                : std::filesystem::path(arguments_.state);
  auto socket = socket_path(arguments_.socket, SocketUse::kServe);
  if (!socket) return fail(socket.error());
  socket_ = *std::move(socket);
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  std::filesystem::create_directories(socket_.parent_path(), ignored);
  controller::ControllerOptions options = live_controller();
  options.state = folder_ / "controller";
  options.socket = socket_;
  options.agents = "127.0.0.1:0";
  options.joining = "127.0.0.1:0";
  options.names = {"127.0.0.1", "localhost"};
  options.log = log_line;
  auto controller = controller::Controller::open(std::move(options));
  if (!controller) return fail(controller.error());
  controller_ = std::move(*controller);
  if (const Status started = start_agents(); !started) return fail(started.error());
  std::thread driver([this] { show_round(); });
  const Status ran = controller_->run(stop_.get());
  driver.join();
  for (const os::Child& agent : agents_) ::kill(agent.pid, SIGTERM);
  for (const os::Child& agent : agents_) {
    os::wait_readable(agent.pidfd.get(), Duration(5'000'000));
    os::reap(agent);
  }
  if (!ran) return fail(ran.error());
  return failed_ ? 1 : 0;
}

Status Pool::start_agents() {
  const std::filesystem::path program = WEIR_TRY(os::own_program());
  for (std::uint32_t i = 1; i <= arguments_.nodes; ++i) {
    const std::string name = fmt::format("node{}", i);
    os::Launch launch;
    launch.program = program;
    launch.arguments = {"agent",
                        "--name",
                        name,
                        "--state",
                        (folder_ / name).string(),
                        "--controller",
                        fmt::format("127.0.0.1:{}", controller_->agents_port()),
                        "--gpus",
                        fmt::format("{}", arguments_.gpus),
                        "--gpu-model",
                        "virtual",
                        "--witness-listen",
                        "127.0.0.1:0",
                        "--with-parent",
                        "--token",
                        WEIR_TRY(controller_->make_token(name, kTokenLife)),
                        "--join",
                        fmt::format("127.0.0.1:{}", controller_->joining_port())};
    agents_.push_back(WEIR_TRY(os::spawn(launch)));
  }
  return {};
}

Result<std::string> Pool::call(std::string_view method, std::string_view target,
                               const std::string& body) {
  net::Client client({socket_});
  net::Call call;
  call.method = method;
  call.target = target;
  call.body = body;
  const net::Response response = WEIR_TRY(client.call(call));
  if (response.status >= 400) return io_error(response.body);
  return response.body;
}

// Looks a few times a second; ends early when the user wants to stop.
bool Pool::wait_until(std::string_view target,
                      const std::function<bool(const std::string&)>& holds) {
  for (int glance = 0; glance < kPatience; ++glance) {
    const auto answer = call("GET", target);
    if (answer && holds(*answer)) return true;
    if (os::wait_readable(signals_.get(), kGlance)) return false;
  }
  return false;
}

bool Pool::submit_demo() {
  const std::string user = ::getuid() == 0 ? "?user=nobody" : "";
  for (const JobRequest& job : demo_jobs()) {
    const auto answer = call("POST", "/v1/jobs" + user, job_request_json(job));
    if (!answer) {
      log_line(fmt::format("{}: {}", job.name, answer.error().message));
      return false;
    }
    ++submitted_;
  }
  return true;
}

// What became of the demo's jobs.
void Pool::show_ends() {
  for (std::size_t id = 1; id <= submitted_; ++id) {
    const auto body = call("GET", fmt::format("/v1/jobs/{}", id));
    const auto job = body ? parse_answer(*body) : Result<TomlTable>(std::unexpected(body.error()));
    if (!job) continue;
    fmt::print("{:>4}  {:<10} {:<10} {:<10} {}\n", id, text_of(*job, "name"),
               text_of(*job, "state"), text_of(*job, "node_list"), text_of(*job, "why"));
  }
}

void Pool::stop_jobs() {
  const auto pending = call("GET", "/v1/jobs?limit=10000");
  for (std::size_t id = 1; pending && id <= submitted_ + count_of(*pending, "\"id\":"); ++id)
    static_cast<void>(call("POST", fmt::format("/v1/jobs/{}/cancel", id)));
  for (int glance = 0; glance < kPatience; ++glance) {
    const auto left = call("GET", "/v1/jobs");
    if (!left || count_of(*left, "\"id\":") == 0) return;
    os::wait_readable(stop_.get(), kGlance);
  }
}

void Pool::stop() {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(stop_.get(), &one, sizeof one));
}

void Pool::show_round() {
  const bool up = wait_until("/v1/nodes", [&](const std::string& nodes) {
    return count_of(nodes, "\"IDLE\"") >= arguments_.nodes;
  });
  if (up) {
    fmt::print("Weir is up: {} nodes x {} GPUs, all on this machine. Try in another terminal:\n",
               arguments_.nodes, arguments_.gpus);
    const std::string weir = os::own_program().value_or("weir").string();
    const std::string socket =
        arguments_.socket.empty() ? "" : fmt::format(" --socket {}", socket_.string());
    for (const char* command : {"queue", "nodes", "why 10", "logs 1"})
      fmt::print("  {} {}{}\n", weir, command, socket);
    fmt::print("  {} submit{} -- sleep 30\n", weir, socket);
    std::fflush(stdout);
    if (arguments_.demo && !submit_demo()) failed_ = true;
  }
  if (up && arguments_.once) {
    // All but the one that waits for nodes which do not exist.
    wait_until("/v1/jobs", [](const std::string& jobs) { return count_of(jobs, "\"id\":") <= 1; });
    show_ends();
  } else if (up) {
    while (!os::wait_readable(signals_.get(), Duration(60'000'000))) {
    }
  }
  if (!up && !os::wait_readable(signals_.get(), Duration(0))) {
    log_line("the nodes did not come up; what they said stands above");
    failed_ = true;
  }
  stop_jobs();
  stop();
}

}  // namespace

void add_up_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* up =
      app.add_subcommand("up", "Try Weir: a controller, a few nodes and some jobs on this machine");
  up->add_option("--state", arguments->state, "Where all of it is kept (default: a temporary one)");
  up->add_option("--socket", arguments->socket, "Where commands reach it");
  up->add_option("--nodes", arguments->nodes, "Nodes to play")->capture_default_str();
  up->add_option("--gpus", arguments->gpus, "GPUs of each")->capture_default_str();
  up->add_flag("!--no-demo", arguments->demo, "Submit no jobs");
  up->add_flag("--once", arguments->once,
               "End when the demo's jobs have ended (the rule without a terminal)");
  up->callback([arguments, &exit_code] {
    arguments->once = arguments->once || (arguments->demo && ::isatty(STDIN_FILENO) == 0);
    exit_code = Pool(*arguments).run();
  });
}

}  // namespace weir::cli
