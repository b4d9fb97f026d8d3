#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "core/replay.hpp"
#include "os/files.hpp"

namespace weir::cli {
namespace {

int verify(const std::string& path) {
  const auto bytes = os::read_file(path, limits::kInputBytes);
  if (!bytes) return fail(bytes.error());
  const auto result = core::verify(*bytes);
  if (!result) {
    fmt::print(stderr, "weir: {}: {}\n", path, result.error().message);
    return 1;
  }
  if (result->difference) {
    fmt::print("{}: differs\n  {}\n", path, *result->difference);
    return 1;
  }
  fmt::print("{}: {} turns and {} decisions planned again, no difference\n  BLAKE2b-256 {}\n", path,
             with_thousands(result->turns), with_thousands(result->decisions), result->hash);
  return 0;
}

}  // namespace

void add_journal_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("journal", "Look into a journal");
  command->require_subcommand(1);
  CLI::App* check = command->add_subcommand(
      "verify", "Plan every turn of a journal again and name the first difference (exit code 1)");
  auto path = std::make_shared<std::string>();
  check->add_option("FILE", *path, "The journal")->required();
  check->callback([path, &exit_code] { exit_code = verify(*path); });
}

}  // namespace weir::cli
