#include "house/sizes.hpp"

#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace weir::house {
namespace {

enum class Brace { kScope, kFunction, kInner };

struct Open {
  Brace kind = Brace::kInner;
  std::size_t first_line = 0;
};

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_identifier_character(text[end])) ++end;
  return text.substr(at, end - at);
}

// Past "template <...>", which may hold the words that name scopes.
std::size_t skip_template(std::string_view head, std::size_t at) {
  while (word_at(head, at) == "template") {
    std::size_t depth = 0;
    for (at = head.find('<', at); at < head.size(); ++at) {
      if (head[at] == '<') ++depth;
      if (head[at] == '>' && --depth == 0) break;
    }
    at = skip_blanks(head, at + 1);
  }
  return at;
}

// Past "public:" and the like.
std::size_t skip_access(std::string_view head, std::size_t at) {
  for (;;) {
    const std::string_view word = word_at(head, at);
    if (word != "public" && word != "protected" && word != "private") return at;
    at = skip_blanks(head, at + word.size() + 1);
  }
}

bool opens_scope(std::string_view head) {
  constexpr std::array<std::string_view, 5> kScopes = {"namespace", "class", "struct", "union",
                                                       "enum"};
  std::size_t at = skip_template(head, skip_blanks(head, 0));
  if (word_at(head, at) == "inline") at = skip_blanks(head, at + 6);
  for (const std::string_view scope : kScopes)
    if (word_at(head, at) == scope) return true;
  return head.find('(') == std::string_view::npos;
}

// A brace that begins the value of a variable or member, not a body: `= {`, `a_{`, or in arguments.
bool opens_value(std::string_view code, std::size_t brace) {
  if (brace == 0 || std::isspace(static_cast<unsigned char>(code[brace - 1])) == 0) return true;
  const std::size_t last = code.find_last_not_of(" \t\n", brace - 1);
  return last != std::string_view::npos && code[last] == '=';
}

class FunctionScanner {
 public:
  explicit FunctionScanner(std::string_view code) : code_(code) {}

  std::vector<FunctionExtent> scan() {
    for (std::size_t at = 0; at < code_.size(); ++at) step(at);
    return functions_;
  }

 private:
  [[nodiscard]] bool in_scope() const {
    return open_.empty() || open_.back().kind == Brace::kScope;
  }

  void step(std::size_t at) {
    switch (code_[at]) {
      case '{': open(at); break;
      case '}': close(at); break;
      case '(': parentheses_ += in_scope() ? 1 : 0; break;
      case ')': parentheses_ -= in_scope() && parentheses_ > 0 ? 1 : 0; break;
      case ';':
        if (in_scope() && parentheses_ == 0) head_ = at + 1;
        break;
      default: break;
    }
  }

  void open(std::size_t at) {
    if (!in_scope() || parentheses_ > 0 || opens_value(code_, at)) {
      open_.push_back({Brace::kInner, 0});
      return;
    }
    const std::size_t begin = skip_access(code_, skip_blanks(code_, head_));
    if (opens_scope(code_.substr(begin, at - begin)))
      open_.push_back({Brace::kScope, 0});
    else
      open_.push_back({Brace::kFunction, line_of(code_, begin)});
    head_ = at + 1;
  }

  void close(std::size_t at) {
    if (open_.empty()) return;
    const Open closed = open_.back();
    open_.pop_back();
    if (closed.kind == Brace::kFunction)
      functions_.push_back({closed.first_line, line_of(code_, at)});
    if (closed.kind != Brace::kInner) head_ = at + 1;
  }

  std::string_view code_;
  std::vector<Open> open_;
  std::size_t head_ = 0;  // where the declaration now being read begins
  int parentheses_ = 0;
  std::vector<FunctionExtent> functions_;
};

}  // namespace

std::vector<FunctionExtent> functions_of(const SourceFile& file) {
  const std::string code = blank_preprocessor(file.code);
  return FunctionScanner(code).scan();
}

Findings check_sizes(const SourceFile& file) {
  Findings findings;
  const std::size_t lines = file.text_lines.size();
  const std::size_t limit = is_header(file) ? kHeaderLines : kFileLines;
  if (lines > limit)
    findings.push_back({is_header(file) ? "long-header" : "long-file", file.path, 0, lines,
                        std::to_string(lines) + " lines, at most " + std::to_string(limit)});
  for (const FunctionExtent& function : functions_of(file)) {
    const std::size_t length = function.last_line - function.first_line + 1;
    if (length > kFunctionLines)
      findings.push_back({"long-function", file.path, function.first_line, length,
                          "a function of " + std::to_string(length) + " lines, at most " +
                              std::to_string(kFunctionLines)});
  }
  return findings;
}

}  // namespace weir::house
