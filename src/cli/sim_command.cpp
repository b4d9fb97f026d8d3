#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "lab/compare.hpp"
#include "lab/packing.hpp"
#include "os/clock.hpp"
#include "os/files.hpp"
#include "os/terminal.hpp"
#include "report/comparison_json.hpp"
#include "report/html.hpp"
#include "report/jobs_csv.hpp"
#include "report/packing_report.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"

namespace weir::cli {
namespace {

constexpr std::uint32_t kDemoNodes = 128;

struct Arguments {
  std::string pool;
  std::vector<std::filesystem::path> fabric;
  std::uint32_t gpus_per_node = 0;
  std::string nodes;
  std::string trace;
  double fill = 0;
  std::string seeds = "1";
  std::string vc;
  std::string from;
  std::string to;
  double speedup = 1;
  double load = 0;
  double days = 7;
  std::string orders = "fifo";
  std::string placements = "weir";
  std::string backfill = "none";
  std::string round;
  std::uint64_t seed = 1;
  std::string out;
  bool json = false;
};

// Without a pool and a trace: a week of made work on a generated fabric, three orders.
void fill_in_demo(Arguments& arguments, const CLI::App& command) {
  if (command.count("--order") == 0) arguments.orders = "fifo,sjf,gputime";
  if (command.count("--placement") == 0) arguments.placements = "weir,firstfit";
  if (command.count("--out") == 0 && !arguments.json) arguments.out = "weir-out";
  arguments.trace = "made:mixed";
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (const std::string_view name : split(list, ',')) names.emplace_back(trim(name));
  return names;
}

Result<lab::LabPool> load_pool(const Arguments& arguments) {
  if (!arguments.pool.empty() + !arguments.fabric.empty() + !arguments.nodes.empty() > 1)
    return bad_input("--pool, --fabric and --nodes exclude each other");
  if (!arguments.nodes.empty()) return lab::pool_of_node_list(arguments.nodes);
  if (!arguments.pool.empty()) return lab::pool_of_size(arguments.pool);
  if (!arguments.fabric.empty())
    return lab::pool_of_dumps(arguments.fabric, arguments.gpus_per_node);
  return lab::generated_pool(kDemoNodes);
}

Result<lab::LabTrace> load_trace(const Arguments& arguments, const lab::LabPool& pool) {
  lab::TraceRequest request;
  request.source = arguments.trace;
  request.filter.vc = arguments.vc;
  if (!arguments.from.empty()) request.filter.from = WEIR_TRY(parse_instant(arguments.from));
  if (!arguments.to.empty()) request.filter.to = WEIR_TRY(parse_instant(arguments.to));
  request.speedup = arguments.speedup;
  if (arguments.load > 0) request.load = arguments.load;
  request.made_length = from_seconds(arguments.days * 86'400);
  request.seed = arguments.seed;
  return lab::load_trace(request, pool);
}

Result<lab::CompareOptions> compare_options(const Arguments& arguments) {
  lab::CompareOptions options;
  options.orders = names_in(arguments.orders);
  options.placements = names_in(arguments.placements);
  options.seed = arguments.seed;
  options.journals = arguments.out;
  if (!arguments.round.empty()) options.round = WEIR_TRY(parse_duration(arguments.round));
  if (arguments.backfill == "easy") {
    options.backfill = sched::Backfill::kEasy;
  } else if (arguments.backfill != "none") {
    return bad_input(
        fmt::format("--backfill {}: expected none or easy", weir::quoted(arguments.backfill)));
  }
  return options;
}

// Shows how far the work is: a line that rewrites itself on a terminal, now and then a line else.
class ProgressLine {
 public:
  ProgressLine() = default;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const lab::CompareProgress& at) {
    const double interval = terminal_ ? 0.1 : 10;
    if (watch_.seconds() - last_ < interval) return;
    last_ = watch_.seconds();
    const std::string text = report::progress_line(
        {at.policy, at.done, at.total, from_seconds(at.run_seconds), at.run, at.runs});
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n");
    shown_ = terminal_;
  }
  ~ProgressLine() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = os::is_terminal(os::Stream::kError);
  bool shown_ = false;
  os::Stopwatch watch_;
  double last_ = -1e9;
};

// Which run goes on, on a terminal.
class ProgressNote {
 public:
  ProgressNote() = default;
  ProgressNote(const ProgressNote&) = delete;
  ProgressNote& operator=(const ProgressNote&) = delete;

  void show(std::string_view run) const {
    if (terminal_) fmt::print(stderr, "\r\x1b[K{}", run);
  }
  ~ProgressNote() {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = os::is_terminal(os::Stream::kError);
};

Status write_reports(const sim::Comparison& comparison, const std::filesystem::path& folder) {
  WEIR_TRY(os::write_file(folder / "comparison.json", report::comparison_json(comparison)));
  WEIR_TRY(os::write_file(folder / "report.html", report::comparison_html(comparison)));
  for (const sim::RunResult& run : comparison.runs)
    WEIR_TRY(
        os::write_file(folder / ("jobs-" + lab::file_stem(run) + ".csv"), report::jobs_csv(run)));
  return {};
}

Status fill(const Arguments& arguments) {
  lab::PackingOptions options;
  options.placements = names_in(arguments.placements);
  options.fill = arguments.fill;
  options.seeds = WEIR_TRY(lab::parse_seeds(arguments.seeds));
  const lab::LabPool pool = WEIR_TRY(load_pool(arguments));
  const lab::LabTrace trace = WEIR_TRY(load_trace(arguments, pool));
  lab::PackingReport report;
  {
    ProgressNote note;
    report =
        WEIR_TRY(lab::pack(pool, trace, options, [&](std::string_view run) { note.show(run); }));
  }
  fmt::print("{}", arguments.json ? report::packing_json(report) : report::packing_table(report));
  return {};
}

// A log without times can fill a pool but not be replayed.
Status check_times(const lab::LabTrace& trace) {
  for (const TraceJob& job : trace.jobs)
    if (job.runtime > Duration::zero()) return {};
  return bad_input("no task of this log takes any time: give --fill to pack them onto the pool");
}

Status simulate(const Arguments& arguments) {
  if (arguments.fill > 0) return fill(arguments);
  const lab::CompareOptions options = WEIR_TRY(compare_options(arguments));
  const lab::LabPool pool = WEIR_TRY(load_pool(arguments));
  const lab::LabTrace trace = WEIR_TRY(load_trace(arguments, pool));
  WEIR_TRY(check_times(trace));
  sim::Comparison comparison;
  {
    ProgressLine line;
    comparison = WEIR_TRY(lab::compare(pool, trace, options,
                                       [&line](const lab::CompareProgress& at) { line.show(at); }));
  }
  if (!arguments.out.empty()) WEIR_TRY(write_reports(comparison, arguments.out));
  if (arguments.json) {
    fmt::print("{}", report::comparison_json(comparison));
    return {};
  }
  report::TableStyle style;
  if (os::is_terminal(os::Stream::kOutput)) style.width = os::terminal_width(os::Stream::kOutput);
  style.colour = os::wants_colour(os::Stream::kOutput);
  fmt::print("{}", report::comparison_table(comparison, style));
  if (!arguments.out.empty())
    fmt::print(
        "\nReport: {}\n",
        (std::filesystem::absolute(arguments.out) / "report.html").lexically_normal().string());
  return {};
}

void add_options(CLI::App& command, Arguments& arguments) {
  command.add_option("--pool", arguments.pool, "NODESxGPUS without a topology, like 64x8");
  command.add_option("--fabric", arguments.fabric,
                     "Fabric files as `weir fabric show` reads them, one a plane or fabric");
  command.add_option("--gpus-per-node", arguments.gpus_per_node,
                     "GPUs of each node of --fabric (default: one for each rail)");
  command.add_option("--nodes", arguments.nodes, "openb:FILE, a list of nodes without a topology");
  command.add_option(
      "--trace,--tasks", arguments.trace,
      "philly:FILE, philly-json:, venus:, helios:, acme:, pai:, sia:, swf:, openb:, job:FILE, or "
      "made:small, gangs, mixed, philly, helios, acme");
  command
      .add_option(
          "--fill", arguments.fill,
          "Packing: tasks come in random order and stay, until they ask for this many times "
          "the GPUs, like 1.3")
      ->check(CLI::Range(0.01, 100.0));
  command.add_option("--seeds", arguments.seeds, "Random orders of --fill, like 42..51");
  command.add_option("--vc", arguments.vc, "Only jobs of this virtual cluster");
  command.add_option("--from", arguments.from, "Only jobs submitted at or after this date");
  command.add_option("--to", arguments.to, "Only jobs submitted before this date");
  command.add_option("--speedup", arguments.speedup, "Divide the gaps between arrivals by this")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--load", arguments.load,
                  "Offered load to reach, like 0.8: paces a log, sizes a made stream")
      ->check(CLI::PositiveNumber);
  command.add_option("--days", arguments.days, "Length of a made stream (default 7)")
      ->check(CLI::Range(0.01, 365.0));
  command.add_option("--order", arguments.orders,
                     "Queue orders to compare: fifo, sjf, gputime, gpus, priority");
  command.add_option(
      "--placement", arguments.placements,
      "Placements to compare: weir, firstfit, random, bestfit, fgd, weir-pack, spread");
  command.add_option("--backfill", arguments.backfill, "none (strict head of line) or easy");
  command.add_option("--round", arguments.round,
                     "Plan only each 60s, say, to reproduce schedulers that work in rounds");
  command.add_option("--seed", arguments.seed, "Seed of random placement and made streams");
  command.add_option("--out", arguments.out,
                     "Folder for report.html, comparison.json, jobs-*.csv and *.journal");
  command.add_flag("--json", arguments.json, "Print one JSON object instead of the table");
}

// What would be ignored is refused.
Status check_combination(const CLI::App& command) {
  const bool fills = command.count("--fill") > 0;
  if (!fills && command.count("--seeds") > 0)
    return bad_input("--seeds draws the random orders of --fill; other runs have one --seed");
  for (const char* option : {"--order", "--backfill", "--round", "--speedup", "--load", "--out"})
    if (fills && command.count(option) > 0)
      return bad_input(fmt::format(
          "{} means nothing to --fill: tasks come one by one in random order and stay", option));
  return {};
}

}  // namespace

void add_sim_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "sim",
      "Replay a job log on a pool under several policies, side by side. Without --trace: a week of "
      "made work on a generated fabric of 1,024 GPUs, three orders");
  auto arguments = std::make_shared<Arguments>();
  add_options(*command, *arguments);
  command->callback([command, arguments, &exit_code] {
    if (arguments->trace.empty()) fill_in_demo(*arguments, *command);
    Status done = check_combination(*command);
    if (done) done = simulate(*arguments);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
