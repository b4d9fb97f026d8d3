#include "live/site_of_processes.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/poller.hpp"

namespace weir::testing {
namespace {

constexpr Duration kGlance{50'000};

// The argument list of a process.
std::string command_line(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", pid), std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::ranges::replace(text, '\0', ' ');
  return text;
}

void wait_for_end(const os::Child& child) {
  os::wait_readable(child.pidfd.get(), Duration(10'000'000));
  os::reap(child);
}

}  // namespace

SiteOfProcesses::SiteOfProcesses(std::uint32_t nodes, std::uint32_t gpus)
    : nodes_(nodes), gpus_(gpus) {
  std::string name = (std::filesystem::temp_directory_path() / "weir-live-XXXXXX").string();
  folder_ = ::mkdtemp(name.data());
  ::chmod(folder_.c_str(), 0755);
  start_controller();
  for (std::uint32_t node = 1; node <= nodes_; ++node) start_agent(node);
}

SiteOfProcesses::~SiteOfProcesses() {
  for (std::uint32_t node = 1; node <= nodes_; ++node) {
    kill_agent(node);
    kill_stepds(node);
  }
  kill_controller();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string SiteOfProcesses::node_name(std::uint32_t node) const {
  return fmt::format("n{}", node);
}

void SiteOfProcesses::start_controller() {
  os::Launch launch;
  launch.program = WEIR_PROGRAM;
  // Ports stay the same over restarts, for agents know them.
  const int base = 20'000 + static_cast<int>(::getpid() % 20'000);
  launch.arguments = {"serve",
                      "--state",
                      (folder_ / "controller").string(),
                      "--socket",
                      (folder_ / "socket").string(),
                      "--listen",
                      fmt::format("127.0.0.1:{}", base),
                      "--join-listen",
                      fmt::format("127.0.0.1:{}", base + 20'000),
                      "--name",
                      "127.0.0.1",
                      "--heartbeat",
                      "0.2",
                      "--silence",
                      "2",
                      "--deadline",
                      "4",
                      "--margin",
                      "1"};
  controller_ = *os::spawn(launch);
  wait_for([&] { return ask("GET", "/v1/nodes").has_value(); });
}

void SiteOfProcesses::kill_controller() {
  if (!controller_) return;
  ::kill(controller_->pid, SIGKILL);
  wait_for_end(*controller_);
  controller_.reset();
}

void SiteOfProcesses::start_agent(std::uint32_t node) {
  os::Launch launch;
  launch.program = WEIR_PROGRAM;
  launch.arguments = {"agent",
                      "--name",
                      node_name(node),
                      "--state",
                      (folder_ / node_name(node)).string(),
                      "--gpus",
                      fmt::format("{}", gpus_),
                      "--witness-listen",
                      "127.0.0.1:0",
                      "--keep-output",
                      "5"};
  if (!std::filesystem::exists(folder_ / node_name(node) / "controller")) {
    const auto token = ask("POST", "/v1/tokens?node=" + node_name(node));
    const std::string text = token.value_or("");
    const auto value = [&](std::string_view key) {
      const std::size_t at = text.find(fmt::format("\"{}\":\"", key));
      const std::size_t from = at + key.size() + 4;
      return at == std::string::npos ? std::string()
                                     : text.substr(from, text.find('"', from) - from);
    };
    for (const std::string& argument :
         {std::string("--token"), value("token"), std::string("--join"), value("joining")})
      launch.arguments.push_back(argument);
  }
  agents_.insert_or_assign(node, *os::spawn(launch));
}

void SiteOfProcesses::kill_agent(std::uint32_t node) {
  const auto agent = agents_.find(node);
  if (agent == agents_.end()) return;
  ::kill(agent->second.pid, SIGKILL);
  wait_for_end(agent->second);
  agents_.erase(agent);
}

std::size_t SiteOfProcesses::kill_stepds(std::uint32_t node, bool all) {
  std::size_t killed = 0;
  const std::string steps = (folder_ / node_name(node) / "steps").string();
  for (const os::ProcessState& process : os::all_processes()) {
    if (process.ended) continue;
    const std::string line = command_line(process.pid);
    if (line.find("weir-stepd") == std::string::npos || line.find(steps) == std::string::npos)
      continue;
    ::kill(process.pid, SIGKILL);
    ++killed;
    if (!all) break;
  }
  return killed;
}

Result<std::string> SiteOfProcesses::ask(std::string_view method, std::string_view target,
                                         const std::string& body) {
  net::Client client({folder_ / "socket"});
  net::Call call;
  call.method = method;
  call.target = target;
  call.body = body;
  auto answer = client.call(call);
  if (!answer) return std::unexpected(answer.error());
  if (answer->status >= 400) return bad_input(answer->body);
  return std::move(answer->body);
}

std::uint64_t SiteOfProcesses::submit(const std::string& text, const std::string& more_fields) {
  const std::string user = ::getuid() == 0 ? "?user=nobody" : "";
  const auto answer = ask("POST", "/v1/jobs" + user,
                          fmt::format(R"({{"command":["/bin/sh","-c","{}"],"directory":"/"{}}})",
                                      text, more_fields.empty() ? "" : "," + more_fields));
  if (!answer) return 0;
  return std::strtoull(answer->c_str() + answer->find(':') + 1, nullptr, 10);
}

std::string SiteOfProcesses::field(std::uint64_t job, std::string_view name) {
  const std::string text = ask("GET", fmt::format("/v1/jobs/{}", job)).value_or("");
  const std::size_t at = text.find(fmt::format("\"{}\":\"", name));
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size() + 4;
  return text.substr(from, text.find('"', from) - from);
}

bool SiteOfProcesses::wait_for(const std::function<bool()>& holds, int seconds) {
  const int glances = seconds * static_cast<int>(1'000'000 / kGlance.count());
  for (int i = 0; i < glances; ++i) {
    if (holds()) return true;
    os::wait_readable(-1, kGlance);
  }
  return false;
}

bool SiteOfProcesses::wait_for_nodes(std::size_t count) {
  return wait_for([&] {
    const std::string nodes = ask("GET", "/v1/nodes").value_or("");
    std::size_t up = 0;
    for (std::size_t at = nodes.find("\"IDLE\""); at != std::string::npos;
         at = nodes.find("\"IDLE\"", at + 1))
      ++up;
    return up >= count;
  });
}

bool SiteOfProcesses::wait_for_state(std::uint64_t job, std::string_view state) {
  return wait_for([&] { return field(job, "state") == state; });
}

std::size_t SiteOfProcesses::stepds() const {
  std::size_t count = 0;
  for (const os::ProcessState& process : os::all_processes())
    if (!process.ended) {
      const std::string line = command_line(process.pid);
      if (line.find("weir-stepd") != std::string::npos &&
          line.find(folder_.string()) != std::string::npos)
        ++count;
    }
  return count;
}

std::size_t SiteOfProcesses::steps_kept() const {
  std::size_t count = 0;
  for (std::uint32_t node = 1; node <= nodes_; ++node) {
    std::error_code ignored;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(folder_ / node_name(node) / "steps", ignored))
      ++count;
  }
  return count;
}

}  // namespace weir::testing
