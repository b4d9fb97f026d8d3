// The files of the working tree as the rules of the house read them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir::house {

struct SourceFile {
  std::string path;                     // from the root of the tree, with '/'
  std::string text;                     // as it is
  std::string code;                     // C++ only: text with comments and literals blanked
  std::vector<std::string> text_lines;  // without '\n'
  std::vector<std::string> code_lines;
};

struct Include {
  std::string name;   // without quotes or brackets
  bool ours = false;  // "..." and not <...>
  std::size_t line = 0;
};

// All text files below `root` but build output, in the order of their paths.
std::vector<SourceFile> read_tree(const std::filesystem::path& root);

// A file of that content; its code is filled in where the path is one of C++.
SourceFile make_source(std::string path, std::string text);

bool is_header(const SourceFile& file);
bool is_cpp(const SourceFile& file);  // header or implementation
bool is_test(
    const SourceFile& file);  // x_test.cpp, test_x.hpp, or anything below tests, bench or fuzz
bool below(const SourceFile& file, std::string_view folder);
// "pool" for src/pool/x.hpp, "" outside src.
std::string module_of(const SourceFile& file);

std::vector<Include> includes_of(const SourceFile& file);

// Comments, texts and characters of C++ become blanks; lines stay where they are.
std::string blank_comments_and_literals(std::string_view text);
// The same for preprocessor lines, with their continuations.
std::string blank_preprocessor(std::string_view code);

// The places where `word` stands alone, not as part of a longer identifier.
std::vector<std::size_t> find_word(std::string_view text, std::string_view word);
bool has_word(std::string_view text, std::string_view word);
bool is_identifier_character(char c);
std::size_t line_of(std::string_view text, std::size_t position);  // from 1
std::vector<std::string> words_of(std::string_view text);          // split at blanks

}  // namespace weir::house
