#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fcntl.h>

#include "base/text.hpp"
#include "formats/step_protocol.hpp"
#include "os/local_socket.hpp"
#include "stepd/launch.hpp"

namespace {

constexpr std::string_view kUsage =
    "usage: weir-stepd [--cgroup-root DIR] [--connection FD] [--deadline MICROSECONDS] "
    "STEP_FOLDER\n"
    "Runs the step whose specification the agent has written there. People use `weir submit`.\n";

// Nothing: the arguments are wrong.
std::optional<weir::stepd::LaunchSetting> parse(std::span<char*> arguments) {
  weir::stepd::LaunchSetting setting;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (!word.starts_with("--")) {
      setting.folder = word;
      continue;
    }
    if (word == "--no-namespace") {
      setting.namespaces = false;
      continue;
    }
    if (++i == arguments.size()) return std::nullopt;
    const auto number = weir::parse_unsigned(arguments[i]);
    if (word == "--cgroup-root")
      setting.cgroup_root = arguments[i];
    else if (word == "--connection" && number)
      setting.connection = weir::os::Descriptor(static_cast<int>(*number));
    else if (word == "--deadline" && number)
      setting.partition_deadline = weir::Duration(static_cast<std::int64_t>(*number));
    else
      return std::nullopt;
  }
  if (setting.folder.empty()) return std::nullopt;
  return setting;
}

}  // namespace

int main(int argc, char** argv) {
  namespace os = weir::os;
  namespace stepd = weir::stepd;
  auto setting = parse(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  if (!setting) {
    std::fputs(kUsage.data(), stderr);
    return 2;
  }
  // What goes wrong is told to the agent, if one is there, and to whoever sees standard error.
  os::Descriptor copy(
      setting->connection.is_open() ? ::fcntl(setting->connection.get(), F_DUPFD_CLOEXEC, 3) : -1);
  const weir::Status status = stepd::launch(*std::move(setting));
  if (status) return 0;
  std::fprintf(stderr, "weir-stepd: %s\n", status.error().message.c_str());
  if (copy.is_open()) {
    os::LocalConnection connection(std::move(copy));
    const std::string text = status.error().message.substr(0, weir::limits::kEndDetailBytes);
    connection.queue(stepd::to_frame(stepd::Answer(stepd::Failure{text})));
    static_cast<void>(connection.flush());
  }
  return 1;
}
