// The commands of `weir`, each in a file of its own. An add_* function registers one command with
// its options; the command's callback returns its exit code through `exit_code`: 0 done, 1 the work
// failed or the answer is no, 2 the arguments or an input are wrong.
#pragma once

namespace CLI {
class App;
}

namespace weir::cli {

void add_agent_command(CLI::App& app, int& exit_code);
void add_serve_command(CLI::App& app, int& exit_code);
void add_up_command(CLI::App& app, int& exit_code);
void add_fabric_command(CLI::App& app, int& exit_code);
// Subcommands of `weir fabric`.
void add_fabric_check_command(CLI::App& fabric, int& exit_code);
void add_fabric_generate_command(CLI::App& fabric, int& exit_code);
void add_fabric_paths_command(CLI::App& fabric, int& exit_code);
void add_fabric_tables_command(CLI::App& fabric, int& exit_code);
void add_sim_command(CLI::App& app, int& exit_code);
void add_journal_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app, int& exit_code);
void add_scenario_command(CLI::App& app, int& exit_code);
void add_version_command(CLI::App& app, int& exit_code);
// Those that ask a controller.
void add_submit_command(CLI::App& app, int& exit_code);
void add_run_command(CLI::App& app, int& exit_code);
void add_queue_command(CLI::App& app, int& exit_code);
void add_show_command(CLI::App& app, int& exit_code);
void add_why_command(CLI::App& app, int& exit_code);
void add_job_change_commands(CLI::App& app, int& exit_code);  // cancel, hold, release, requeue
void add_logs_command(CLI::App& app, int& exit_code);
void add_nodes_command(CLI::App& app, int& exit_code);
void add_node_change_commands(CLI::App& app, int& exit_code);  // drain, undrain
void add_token_command(CLI::App& app, int& exit_code);

// The commands below `weir fabric`.
void add_fabric_tree(CLI::App& fabric, int& exit_code);
void add_fabric_diff(CLI::App& fabric, int& exit_code);
void add_fabric_convert(CLI::App& fabric, int& exit_code);

inline constexpr const char* kFabricFiles =
    "ibnetdiscover (also -p), opensm-subnet.lst, topology.conf or topograph's YAML, told by what "
    "is "
    "in it; plain, .gz or .xz; several files (one a plane, or one a fabric) make one site";

}  // namespace weir::cli
