#include "house/source_tree.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace weir::house {
namespace {

constexpr std::array<std::string_view, 5> kForeignFolders = {"build", "weir-out", ".git", "shared",
                                                             "node_modules"};
constexpr std::array<std::string_view, 19> kTextSuffixes = {
    ".cpp",   ".hpp",     ".md",         ".txt",          ".cmake", ".json", ".sh",
    ".toml",  ".yaml",    ".yml",        ".html",         ".css",   ".ts",   ".tsx",
    ".proto", ".service", ".clang-tidy", ".clang-format", ".py"};

bool is_text(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::string suffix = path.extension().string();
  if (suffix.empty() && !name.starts_with('.')) return true;
  return std::ranges::any_of(
      kTextSuffixes, [&](std::string_view known) { return suffix == known || name == known; });
}

// Inputs of fuzz targets are bytes, not text of ours.
bool is_fuzz_input(const std::string& path) {
  return path.starts_with("fuzz/corpus/") || path.starts_with("fuzz/regressions/");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Where the literal or comment that begins at `at` ends (one past it); `at` itself if none does.
std::size_t end_of_text(std::string_view text, std::size_t at, char quote) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote || text[i] == '\n')
      return i + 1;
  }
  return text.size();
}

std::size_t end_of_raw_text(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(at + 2, open - at - 2)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

bool is_digit_separator(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() &&
         std::isxdigit(static_cast<unsigned char>(text[at - 1])) &&
         std::isxdigit(static_cast<unsigned char>(text[at + 1])) &&
         text.find_first_not_of("0123456789abcdefABCDEF'", at) != at + 2;
}

std::size_t end_of_blank(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  if (rest.starts_with("R\"") && (at == 0 || !is_identifier_character(text[at - 1])))
    return end_of_raw_text(text, at);
  if (rest.starts_with('"')) return end_of_text(text, at, '"');
  if (rest.starts_with('\'') && !is_digit_separator(text, at)) return end_of_text(text, at, '\'');
  return at;
}

}  // namespace

std::string blank_comments_and_literals(std::string_view text) {
  std::string code(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_blank(text, at);
    for (std::size_t i = at; i < end; ++i)
      if (code[i] != '\n') code[i] = ' ';
    at = std::max(end, at + 1);
  }
  return code;
}

std::string blank_preprocessor(std::string_view code) {
  std::string plain(code);
  bool in_directive = false;
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', begin), plain.size());
    const std::size_t first = plain.find_first_not_of(" \t", begin);
    const bool goes_on = end > begin && plain[end - 1] == '\\';
    if (in_directive || (first < end && plain[first] == '#')) {
      in_directive = goes_on;
      std::fill(plain.begin() + static_cast<std::ptrdiff_t>(begin),
                plain.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
    begin = end + 1;
  }
  return plain;
}

SourceFile make_source(std::string path, std::string text) {
  SourceFile file;
  file.path = std::move(path);
  file.text = std::move(text);
  file.text_lines = lines_of(file.text);
  if (is_cpp(file)) file.code = blank_comments_and_literals(file.text);
  file.code_lines = lines_of(file.code);
  return file;
}

std::vector<SourceFile> read_tree(const std::filesystem::path& root) {
  std::vector<SourceFile> files;
  auto entry = std::filesystem::recursive_directory_iterator(root);
  for (; entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && std::ranges::count(kForeignFolders, name) > 0) {
      entry.disable_recursion_pending();
      continue;
    }
    std::string path = entry->path().lexically_relative(root).generic_string();
    if (!entry->is_regular_file() || !is_text(entry->path()) || is_fuzz_input(path)) continue;
    std::ifstream stream(entry->path(), std::ios::binary);
    files.push_back(make_source(std::move(path), {std::istreambuf_iterator<char>(stream), {}}));
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

bool is_header(const SourceFile& file) { return file.path.ends_with(".hpp"); }

bool is_cpp(const SourceFile& file) { return is_header(file) || file.path.ends_with(".cpp"); }

bool below(const SourceFile& file, std::string_view folder) {
  return file.path.starts_with(std::string(folder) + "/");
}

bool is_test(const SourceFile& file) {
  const bool helper = is_cpp(file) && file.path.find("/test_") != std::string::npos;
  return helper || file.path.ends_with("_test.cpp") || below(file, "tests") ||
         below(file, "bench") || below(file, "fuzz");
}

std::string module_of(const SourceFile& file) {
  if (!below(file, "src")) return "";
  const std::size_t end = file.path.find('/', 4);
  return end == std::string::npos ? "" : file.path.substr(4, end - 4);
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  for (std::size_t i = 0; i < file.code_lines.size(); ++i) {
    const std::string& line = file.text_lines[i];
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || file.code_lines[i][hash] != '#') continue;
    if (!std::string_view(line).substr(hash).starts_with("#include")) continue;
    const std::size_t open = line.find_first_of("\"<", hash);
    const std::size_t close =
        open == std::string::npos ? open : line.find_first_of("\">", open + 1);
    if (close == std::string::npos) continue;
    includes.push_back({line.substr(open + 1, close - open - 1), line[open] == '"', i + 1});
  }
  return includes;
}

bool is_identifier_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::size_t> find_word(std::string_view text, std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool open = at == 0 || !is_identifier_character(text[at - 1]);
    if (open && (end == text.size() || !is_identifier_character(text[end]))) places.push_back(at);
  }
  return places;
}

bool has_word(std::string_view text, std::string_view word) {
  return !find_word(text, word).empty();
}

std::size_t line_of(std::string_view text, std::size_t position) {
  return 1 + static_cast<std::size_t>(
                 std::ranges::count(text.substr(0, std::min(position, text.size())), '\n'));
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace weir::house
