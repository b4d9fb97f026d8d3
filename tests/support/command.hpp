// For tests: a command of `weir` as a user runs it, with what it printed.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace weir::testing {

struct CommandRun {
  int exit_code = 0;
  std::string out;     // standard output
  std::string errors;  // standard error
};

// run_weir({"fabric", "show", "FILE"})
inline CommandRun run_weir(const std::vector<std::string>& words) {
  std::vector<const char*> arguments{"weir"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  CommandRun run;
  run.exit_code = cli::run_program(static_cast<int>(arguments.size()), arguments.data());
  std::fflush(stdout);
  run.out = ::testing::internal::GetCapturedStdout();
  run.errors = ::testing::internal::GetCapturedStderr();
  return run;
}

// What a command says to words that it refuses as wrong (exit code 2); empty where it does not, or
// prints something all the same.
inline std::string refusal(const std::vector<std::string>& words) {
  const CommandRun run = run_weir(words);
  return run.exit_code == 2 && run.out.empty() ? run.errors : std::string();
}

}  // namespace weir::testing
