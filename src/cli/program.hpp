// The program `weir` but for its main().
#pragma once

namespace weir::cli {

// Runs the command that the words behind argv[0] name; what it prints goes to standard output and
// standard error. The exit code of the process (commands.hpp).
int run_program(int argc, const char* const* argv);

}  // namespace weir::cli
