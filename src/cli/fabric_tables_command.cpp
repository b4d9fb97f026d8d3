#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "cli/routing_options.hpp"
#include "formats/lfts_writer.hpp"
#include "lab/fabric_files.hpp"
#include "report/route_json.hpp"

namespace weir::cli {
namespace {

struct TablesOptions {
  std::vector<std::string> files;
  RoutingArguments routing;
  std::string out;
  bool json = false;
};

Result<std::string> tables_of(const TablesOptions& options) {
  const fabric::RoutingOptions routing = WEIR_TRY(routing_options(options.routing));
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  const fabric::Snapshot snapshot = WEIR_TRY(lab::read_fabric(paths));
  std::vector<report::PlaneTables> planes;
  for (fabric::Subnet& subnet : WEIR_TRY(fabric::subnets_of(snapshot))) {
    fabric::ForwardingTables tables = WEIR_TRY(fabric::compute_tables(subnet, routing));
    planes.push_back({std::move(subnet), std::move(tables)});
  }
  if (planes.empty()) return bad_input("there is no switch in these files, so nothing to route");
  if (options.json)
    return report::tables_json(snapshot, planes, tables_name(options.routing)) + "\n";
  std::string text;
  for (const report::PlaneTables& plane : planes)
    text += write_lfts(snapshot, plane.subnet, plane.tables);
  return text;
}

Status write_tables(const TablesOptions& options) {
  return put(WEIR_TRY(tables_of(options)), options.out);
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
  command->add_flag("--json", options->json, "One JSON object, port by LID, instead of that form");
  command->callback([options, &exit_code] {
    const Status done = write_tables(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
