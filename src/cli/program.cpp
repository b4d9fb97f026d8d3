#include "cli/program.hpp"

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"

namespace weir::cli {

int run_program(int argc, const char* const* argv) {
  CLI::App app{"Weir: GPU pool manager and job scheduler for InfiniBand clusters", "weir"};
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help of all commands");
  int exit_code = 0;
  add_up_command(app, exit_code);
  add_serve_command(app, exit_code);
  add_agent_command(app, exit_code);
  add_submit_command(app, exit_code);
  add_run_command(app, exit_code);
  add_queue_command(app, exit_code);
  add_show_command(app, exit_code);
  add_why_command(app, exit_code);
  add_job_change_commands(app, exit_code);
  add_logs_command(app, exit_code);
  add_nodes_command(app, exit_code);
  add_node_change_commands(app, exit_code);
  add_token_command(app, exit_code);
  add_sim_command(app, exit_code);
  add_fabric_command(app, exit_code);
  add_journal_command(app, exit_code);
  add_bench_command(app, exit_code);
  add_scenario_command(app, exit_code);
  add_version_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 prints help and the message; anything but help is a wrong argument.
    return app.exit(error) == 0 ? 0 : 2;
  }
  return exit_code;
}

}  // namespace weir::cli
