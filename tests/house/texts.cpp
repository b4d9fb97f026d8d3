#include "house/texts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace weir::house {
namespace {

// Written in pieces, so that this file passes its own rules.
constexpr std::array<std::string_view, 4> kMachinePaths = {
    "/wo"
    "rk/",
    "/ro"
    "ot/",
    "/ho"
    "me/",
    "/Us"
    "ers/"};
constexpr std::array<std::string_view, 7> kRegistries = {
    "py"
    "pi.",
    "python"
    "hosted.",
    "npm"
    "js.",
    "crates"
    ".io",
    "proxy.go"
    "lang",
    "debian.org/"
    "debian",
    "/arti"
    "factory"};
constexpr std::array<std::string_view, 4> kUnfinished = {
    "TO"
    "DO",
    "FIX"
    "ME",
    "XX"
    "X",
    "HA"
    "CK"};

void add(const SourceFile& file, std::size_t line, std::string_view rule, std::string message,
         Findings& findings) {
  findings.push_back({std::string(rule), file.path, line, 0, std::move(message)});
}

// A URL whose host is four numbers, but not loopback and "any address".
bool has_bare_address(std::string_view line) {
  for (std::size_t at = line.find("://"); at != std::string_view::npos;
       at = line.find("://", at + 3)) {
    const std::string_view host = line.substr(at + 3);
    const std::size_t digits = host.find_first_not_of("0123456789.");
    const std::string_view number = host.substr(0, digits);
    if (std::ranges::count(number, '.') == 3 && !number.starts_with("127.") && number != "0.0.0.0")
      return true;
  }
  return false;
}

void check_header(const SourceFile& file, Findings& findings) {
  const auto first = std::ranges::find_if(
      file.text_lines, [](const std::string& line) { return !line.starts_with("//"); });
  if (first == file.text_lines.begin())
    add(file, 1, "header", "begin with a comment: what it is and what it promises", findings);
  if (first == file.text_lines.end() || *first != "#pragma once")
    add(file, 1, "header", "#pragma once follows the first comment at once", findings);
}

// An unfinished mark must read MARK(#12): an issue owns it.
void check_marks(const SourceFile& file, std::size_t line, Findings& findings) {
  const std::string& text = file.text_lines[line - 1];
  for (const std::string_view mark : kUnfinished) {
    for (const std::size_t at : find_word(text, mark)) {
      const std::string_view rest = std::string_view(text).substr(at + mark.size());
      const bool owned = rest.size() > 3 && rest.starts_with("(#") &&
                         std::isdigit(static_cast<unsigned char>(rest[2])) != 0;
      if (!owned) add(file, line, "todo", std::string(mark) + " without an issue", findings);
    }
  }
}

void check_line(const SourceFile& file, std::size_t line, Findings& findings) {
  const std::string& text = file.text_lines[line - 1];
  for (const std::string_view path : kMachinePaths) {
    const std::size_t at = text.find(path);
    if (at != std::string::npos && (at == 0 || !is_identifier_character(text[at - 1])))
      add(file, line, "machine-path", "a path of one machine: " + std::string(path), findings);
  }
  for (const std::string_view registry : kRegistries)
    if (text.find(registry) != std::string::npos)
      add(file, line, "registry", "an address of a package registry", findings);
  if (has_bare_address(text)) add(file, line, "registry", "an address by number", findings);
  if (text.starts_with("#if"
                       " 0"))
    add(file, line, "dead-code", "code that never runs", findings);
  if (!file.path.ends_with(".md")) check_marks(file, line, findings);
}

}  // namespace

Findings check_texts(const SourceFile& file) {
  Findings findings;
  if (is_header(file)) check_header(file, findings);
  for (std::size_t line = 1; line <= file.text_lines.size(); ++line)
    check_line(file, line, findings);
  return findings;
}

}  // namespace weir::house
