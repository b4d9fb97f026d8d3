#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "core/journal.hpp"

namespace weir::cli {

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("version", "Print the version and the journal format");
  command->callback([&exit_code] {
    fmt::print("weir {} (journal format {})\n", WEIR_VERSION, core::kJournalVersion);
    exit_code = 0;
  });
}

}  // namespace weir::cli
