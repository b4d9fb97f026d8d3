#include <charconv>
#include <sstream>

#include "house/finding.hpp"

namespace weir::house {
namespace {

constexpr const char* kList = "tests/house/exceptions.txt";

bool covers(const Exception& exception, const Finding& finding) {
  return exception.rule == finding.rule && exception.path == finding.path &&
         (!exception.limited || finding.value <= exception.limit);
}

}  // namespace

std::string sentence(const Finding& finding) {
  std::string text = finding.path;
  if (finding.line > 0) text += ":" + std::to_string(finding.line);
  return text + ": " + finding.message + " [" + finding.rule + "]";
}

std::vector<Exception> parse_exceptions(std::string_view text, Findings& broken) {
  std::vector<Exception> exceptions;
  std::istringstream stream{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    Exception exception;
    std::string limit;
    std::string reason;
    exception.line = number;
    words >> exception.rule >> exception.path >> limit >> reason;
    exception.limited = limit != "-";
    const char* end = limit.data() + limit.size();
    const bool number_read =
        !exception.limited || std::from_chars(limit.data(), end, exception.limit).ptr == end;
    if (reason.empty() || !number_read)
      broken.push_back({"exception", kList, number, 0, "expected: RULE PATH LIMIT|- REASON"});
    else
      exceptions.push_back(exception);
  }
  return exceptions;
}

Findings without_exceptions(const Findings& findings, const std::vector<Exception>& exceptions) {
  Findings left;
  std::vector<bool> used(exceptions.size(), false);
  for (const Finding& finding : findings) {
    bool covered = false;
    for (std::size_t i = 0; i < exceptions.size(); ++i) {
      if (!covers(exceptions[i], finding)) continue;
      covered = true;
      used[i] = true;
    }
    if (!covered) left.push_back(finding);
  }
  for (std::size_t i = 0; i < exceptions.size(); ++i) {
    if (used[i]) continue;
    left.push_back({"exception", kList, exceptions[i].line, 0,
                    "nothing breaks the rule '" + exceptions[i].rule + "' within this limit in " +
                        exceptions[i].path + ": remove the line"});
  }
  return left;
}

}  // namespace weir::house
