#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <poll.h>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/interrupts.hpp"
#include "cli/job_flags.hpp"
#include "cli/job_words.hpp"
#include "cli/log_followers.hpp"

namespace weir::cli {
namespace {

struct RunOptions {
  JobFlags flags;
  std::string socket;
  bool label = false;
};

constexpr int kInterrupted = 130;  // what a shell makes of Ctrl-C

// One job from its submission to its end.
class Attached {
 public:
  Attached(const Interrupts& interrupts, ControllerClient controller, std::uint64_t job, bool label)
      : interrupts_(interrupts), controller_(std::move(controller)), job_(job), label_(label) {}

  // The exit code. Does not return where logs are left that nobody ends.
  int watch();

 private:
  // What the controller knows; nothing while it cannot be reached.
  Result<std::optional<TomlTable>> look();
  void follow(const TomlTable& job, bool live);
  // Until something may have changed: an interrupt, the logs' end, or a while, longer each time.
  void wait();
  // Whether to leave.
  bool handle_interrupt();
  void cancel();
  int leave(int exit_code) const;

  const Interrupts& interrupts_;
  ControllerClient controller_;
  std::uint64_t job_;
  bool label_;
  bool cancelled_ = false;    // the user wants it
  bool owes_cancel_ = false;  // the controller could not be told yet
  bool lost_ = false;         // the controller, and the user was told
  int wait_ms_ = kFirstWaitMs;
  std::int64_t followed_ = 0;  // attempt
  std::optional<LogFollowers> logs_;
  bool logs_ended_ = false;

  static constexpr int kFirstWaitMs = 20;
  static constexpr int kLongestWaitMs = 500;
};

Result<std::optional<TomlTable>> Attached::look() {
  const auto body = controller_.get(job_target(job_));
  if (body) {
    lost_ = false;
    return WEIR_TRY(parse_answer(*body));
  }
  if (controller_.answered()) return std::unexpected(body.error());
  // It may be restarted, and the job goes on without it.
  if (!lost_) fmt::print(stderr, "weir: {}; waiting for it\n", body.error().message);
  lost_ = true;
  return std::nullopt;
}

void Attached::follow(const TomlTable& job, bool live) {
  const std::int64_t attempt = whole_of(job, "attempt").value_or(0);
  if (attempt <= followed_) return;
  followed_ = attempt;
  FollowRule rule{.job = job_, .ranks = 1, .labels = label_, .live = live};
  const TomlTable* program = table_of(job, "program");
  if (label_ && program != nullptr)
    rule.ranks = static_cast<std::uint64_t>(std::max<std::int64_t>(
        1, whole_of(job, "nodes").value_or(1) * whole_of(*program, "tasks_per_node").value_or(1)));
  if (rule.ranks > kMostFollowed)
    fmt::print(stderr, "weir: {} ranks: only the first {} are shown\n", rule.ranks, kMostFollowed);
  logs_.reset();
  logs_.emplace(controller_, rule);
  logs_ended_ = false;
  wait_ms_ = kFirstWaitMs;
}

void Attached::wait() {
  const int logs = logs_ && !logs_ended_ ? logs_->descriptor() : -1;
  std::array wanted{pollfd{interrupts_.descriptor(), POLLIN, 0}, pollfd{logs, POLLIN, 0}};
  ::poll(wanted.data(), wanted.size(), wait_ms_);
  if ((wanted[1].revents & POLLIN) != 0) {
    logs_ended_ = true;  // the job's end is near
    wait_ms_ = kFirstWaitMs;
  } else {
    wait_ms_ = std::min(wait_ms_ * 2, kLongestWaitMs);
  }
}

bool Attached::handle_interrupt() {
  if (!interrupts_.take()) return false;
  if (cancelled_) {
    fmt::print(stderr, "weir: job {0} may still be ending: `weir why {0}` tells\n", job_);
    return true;
  }
  cancelled_ = true;
  fmt::print(stderr, "weir: cancelling job {}; once more to leave at once\n", job_);
  cancel();
  return false;
}

void Attached::cancel() {
  const auto done = controller_.post(job_target(job_, "/cancel"));
  if (!done) fail(done.error());
  owes_cancel_ = !done && !controller_.answered();
  wait_ms_ = kFirstWaitMs;
}

int Attached::leave(int exit_code) const {
  if (!logs_ || logs_ended_) return exit_code;
  // Threads wait for a log whose end may never come.
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

int Attached::watch() {
  for (;;) {
    if (handle_interrupt()) return leave(kInterrupted);
    const auto job = look();
    if (!job) return leave(fail(job.error()));
    if (*job) {
      const bool ended = has_ended(**job);
      if (owes_cancel_ && !ended) cancel();
      if (ended || text_of(**job, "state") != "PENDING") follow(**job, !ended);
      if (ended && (!logs_ || logs_ended_)) {
        logs_.reset();
        const int code = exit_code_of(**job);
        if (code != 0) fmt::print(stderr, "weir: {}\n", why_text(**job, now()));
        return cancelled_ && code == 1 ? kInterrupted : code;
      }
    }
    wait();
  }
}

Result<int> run_job(const RunOptions& options) {
  const JobRequest request = WEIR_TRY(request_of(options.flags, own_surroundings()));
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  // From before the job is there: no moment in which Ctrl-C would leave it behind.
  const Interrupts interrupts;
  const std::string body =
      WEIR_TRY(controller.post(submit_target(options.flags), job_request_json(request)));
  const std::uint64_t id = WEIR_TRY(id_of(body));
  fmt::print(stderr, "weir: job {}\n", id);
  return Attached(interrupts, std::move(controller), id, options.label).watch();
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "run", "Submit a job, show what it writes, and end with its exit code; Ctrl-C cancels it");
  const auto options = std::make_shared<RunOptions>();
  add_job_flags(*command, options->flags);
  command->add_flag("-l,--label", options->label, "Output of all ranks, each line with its rank");
  add_socket_option(*command, options->socket);
  command->callback([options, &exit_code] {
    const Result<int> code = run_job(*options);
    exit_code = code ? *code : fail(code.error());
  });
}

}  // namespace weir::cli
