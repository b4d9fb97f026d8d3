#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "fabric/difference.hpp"
#include "lab/fabric_files.hpp"
#include "report/difference_text.hpp"

namespace weir::cli {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  bool json = false;
};

// Compares what is of one kind: cables with cables, names with names, tables with tables.
struct Comparer {
  const DiffOptions& options;

  template <typename T>
  Result<std::vector<fabric::Difference>> operator()(const T& a, const T& b) const {
    if constexpr (std::is_same_v<T, fabric::NamedTopology>) {
      const fabric::SiteTree before = WEIR_TRY(fabric::tree_of(a));
      const fabric::SiteTree after = WEIR_TRY(fabric::tree_of(b));
      return fabric::differences(before, after);
    } else {
      return fabric::differences(a, b);
    }
  }
  template <typename A, typename B>
  Result<std::vector<fabric::Difference>> operator()(const A&, const B&) const {
    return bad_input(fmt::format(
        "{} and {} do not describe the same sort of thing: expected two files with cables, two "
        "with names (topology.conf, topograph), or two with forwarding tables",
        options.before, options.after));
  }
};

void warn_if_incomplete(const FabricContent& content, const std::string& file) {
  const auto* snapshot = std::get_if<fabric::Snapshot>(&content);
  if (snapshot != nullptr && !snapshot->complete())
    fmt::print(stderr, "weir: {} is incomplete: {} of its cables are not described at both ends\n",
               file, snapshot->gaps.size());
}

Result<int> print_differences(const DiffOptions& options) {
  const FabricContent before = WEIR_TRY(lab::read_fabric_file(options.before));
  const FabricContent after = WEIR_TRY(lab::read_fabric_file(options.after));
  warn_if_incomplete(before, options.before);
  warn_if_incomplete(after, options.after);
  const std::vector<fabric::Difference> found =
      WEIR_TRY(std::visit(Comparer{options}, before, after));
  WEIR_TRY(put(options.json ? report::difference_json(found, options.before, options.after) + "\n"
                            : report::difference_text(found, options.before, options.after)));
  return found.empty() ? 0 : 1;
}

}  // namespace

void add_fabric_diff(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "diff",
      "What differs between two files: nodes, cables, rates, names, LIDs; or forwarding tables. "
      "Exit code 1 if anything does");
  const auto options = std::make_shared<DiffOptions>();
  command->add_option("A", options->before, "The first file, in any format of `fabric show`")
      ->required();
  command->add_option("B", options->after, "The second; the formats may differ")->required();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options, &exit_code] {
    const Result<int> done = print_differences(*options);
    exit_code = done ? *done : fail(done.error());
  });
}

}  // namespace weir::cli
