#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/routing_options.hpp"
#include "formats/lfts_writer.hpp"
#include "lab/fabric_files.hpp"
#include "os/files.hpp"

namespace weir::cli {
namespace {

struct TablesOptions {
  std::vector<std::string> files;
  RoutingArguments routing;
  std::string out;
};

Result<std::string> dump_text(const TablesOptions& options) {
  const fabric::RoutingOptions routing = WEIR_TRY(routing_options(options.routing));
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  const fabric::Snapshot snapshot = WEIR_TRY(lab::read_fabric(paths));
  std::string text;
  for (const fabric::Subnet& subnet : WEIR_TRY(fabric::subnets_of(snapshot)))
    text += write_lfts(snapshot, subnet, WEIR_TRY(fabric::compute_tables(subnet, routing)));
  if (text.empty()) return bad_input("there is no switch in these files, so nothing to route");
  return text;
}

int write_tables(const TablesOptions& options) {
  const Result<std::string> text = dump_text(options);
  if (!text) return fail(text.error());
  if (options.out.empty()) return print_whole(*text);
  const Status written = os::write_file(options.out, *text);
  return written ? 0 : fail(written.error());
}

}  // namespace

void add_fabric_tables_command(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "tables", "Compute the forwarding tables of every switch, in the form of opensm-lfts.dump");
  const auto options = std::make_shared<TablesOptions>();
  command
      ->add_option("FILE", options->files,
                   "Dumps of the fabric, as for `show`; several planes give one table each")
      ->required();
  add_routing_options(*command, options->routing);
  command->add_option("-o,--out", options->out, "Write here instead of to standard output");
  command->callback([options, &exit_code] { exit_code = write_tables(*options); });
}

}  // namespace weir::cli
