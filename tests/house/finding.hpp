// Finding: a place where the tree breaks a rule of the house, and the exceptions that are allowed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::house {

struct Finding {
  std::string rule;  // a word; exceptions name it
  std::string path;
  std::size_t line = 0;   // 0: the whole file
  std::size_t value = 0;  // what was measured, for rules with a limit
  std::string message;
};

using Findings = std::vector<Finding>;

// "path:line: message [rule]"
std::string sentence(const Finding& finding);

// One line of exceptions.txt: RULE PATH LIMIT REASON, where LIMIT is the largest value that is
// still allowed, or - for a rule without one.
struct Exception {
  std::string rule;
  std::string path;
  bool limited = false;
  std::size_t limit = 0;
  std::size_t line = 0;  // of exceptions.txt
};

// Lines that do not parse become findings in `broken`. Empty lines and those with # are comments.
std::vector<Exception> parse_exceptions(std::string_view text, Findings& broken);

// The findings that no exception covers, and one for each exception that covered nothing.
Findings without_exceptions(const Findings& findings, const std::vector<Exception>& exceptions);

}  // namespace weir::house
