#include "model/program.hpp"

#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir {
namespace {

constexpr std::uint32_t kLastSignal = 64;  // SIGRTMAX of Linux
constexpr std::uint32_t kUmaskEnd = 01000;

Status check_texts(const Program& program) {
  std::size_t bytes = program.directory.size() + program.output.size() + program.error.size();
  const auto check_list = [&](const std::vector<std::string>& list,
                              std::string_view what) -> Status {
    if (list.size() > limits::kArguments)
      return over_limit(
          fmt::format("{}: {} of them; at most {}", what, list.size(), limits::kArguments));
    for (const std::string& text : list) {
      if (text.size() > limits::kArgumentBytes)
        return over_limit(fmt::format("{}: one has {} bytes; at most {}", what, text.size(),
                                      limits::kArgumentBytes));
      if (text.contains('\0'))
        return bad_input(fmt::format("{}: one holds a zero byte, which no program can get", what));
      bytes += text.size() + 1;
    }
    return {};
  };
  WEIR_TRY(check_list(program.argv, "command"));
  WEIR_TRY(check_list(program.env, "environment"));
  if (bytes > limits::kProgramBytes)
    return over_limit(fmt::format("command, environment and paths have {} bytes; at most {}", bytes,
                                  limits::kProgramBytes));
  return {};
}

Status check_environment(const Program& program) {
  std::set<std::string_view> names;
  for (const std::string_view variable : program.env) {
    const std::size_t equals = variable.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      return bad_input(fmt::format("environment: \"{}\": expected NAME=value", variable));
    if (!names.insert(variable.substr(0, equals)).second)
      return bad_input(fmt::format("environment: {} is there twice", variable.substr(0, equals)));
  }
  return {};
}

Status check_path(std::string_view what, std::string_view path, bool absolute) {
  if (path.contains('\0')) return bad_input(fmt::format("{}: it holds a zero byte", what));
  if (absolute && !path.starts_with('/'))
    return bad_input(fmt::format("{}: \"{}\": expected an absolute path", what, path));
  return {};
}

Status check(const Program& program) {
  if (program.argv.empty() || program.argv.front().empty())
    return bad_input("command: it is empty; expected a program and its arguments");
  WEIR_TRY(check_texts(program));
  WEIR_TRY(check_environment(program));
  WEIR_TRY(check_path("directory", program.directory, true));
  WEIR_TRY(check_path("output", program.output, false));
  WEIR_TRY(check_path("error", program.error, false));
  if (program.tasks_per_node == 0 || program.tasks_per_node > limits::kTasksPerNode)
    return bad_input(fmt::format("tasks per node: {}; expected 1 to {}", program.tasks_per_node,
                                 limits::kTasksPerNode));
  if (program.user.empty() || program.user.size() > limits::kNameBytes)
    return bad_input(fmt::format("user: a name of {} bytes; expected 1 to {}", program.user.size(),
                                 limits::kNameBytes));
  if (program.umask >= kUmaskEnd)
    return bad_input(fmt::format("umask: {:o}; expected 0 to 777", program.umask));
  return {};
}

Status check(const Rules& rules) {
  if (rules.time_limit < Duration::zero() || rules.time_limit > limits::kLongestDuration)
    return bad_input("time limit: expected 0 (none) to two years");
  if (rules.grace < Duration::zero() || rules.grace > limits::kLongestDuration)
    return bad_input("grace: expected 0 to two years");
  if (rules.end_signal == 0 || rules.end_signal > kLastSignal)
    return bad_input(fmt::format("signal: {}; expected 1 to {}", rules.end_signal, kLastSignal));
  if (rules.after.size() > limits::kDependencies)
    return over_limit(
        fmt::format("dependencies: {}; at most {}", rules.after.size(), limits::kDependencies));
  return {};
}

}  // namespace

Status check(const Work& work) {
  WEIR_TRY(check(work.program));
  return check(work.rules);
}

}  // namespace weir
