#include "house/purity.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace weir::house {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> kFileHeaders = {"fstream", "filesystem", "iostream",
                                                          "cstdio",  "ctime",      "syncstream"};
constexpr std::array<std::string_view, 12> kWorldHeaders = {
    "thread",     "mutex",     "shared_mutex", "condition_variable",
    "future",     "semaphore", "latch",        "barrier",
    "stop_token", "atomic",    "random",       "csignal"};
constexpr std::array<std::string_view, 9> kClockWords = {
    "system_clock",  "steady_clock", "high_resolution_clock",
    "clock_gettime", "gettimeofday", "localtime",
    "gmtime",        "mt19937",      "default_random_engine"};
constexpr std::array<std::string_view, 9> kWorldWords = {
    "std::thread", "std::jthread", "std::async", "thread_local", "getenv",
    "fopen",       "printf",       "std::cout",  "std::cerr"};
constexpr std::array<std::string_view, 6> kWaitWords = {
    "sleep_for", "sleep_until", "usleep", "nanosleep", "sleep", "random_device"};

void find_words(const SourceFile& file, Names words, const std::string& rule,
                const std::string& why, Findings& findings) {
  for (const std::string_view word : words)
    for (const std::size_t at : find_word(file.code, word))
      findings.push_back({rule, file.path, line_of(file.code, at), 0, std::string(word) + why});
}

bool is_library(const Include& include, const Layers& layers) {
  return std::ranges::any_of(layers.libraries, [&](const LibraryRow& library) {
    return include.name.starts_with(library.header);
  });
}

void find_headers(const SourceFile& file, const Layers& layers, bool files_allowed,
                  Findings& findings) {
  for (const Include& include : includes_of(file)) {
    const bool world = std::ranges::count(kWorldHeaders, include.name) > 0;
    const bool files = std::ranges::count(kFileHeaders, include.name) > 0;
    const bool system =
        !include.ours && include.name.ends_with(".h") && !is_library(include, layers);
    if (world || (!files_allowed && (files || system)))
      findings.push_back({"pure", file.path, include.line, 0,
                          "<" + include.name + "> in a module that promises repeatable results"});
  }
}

}  // namespace

Findings check_purity(const SourceFile& file, const Layers& layers) {
  Findings findings;
  find_words(file, kWaitWords, "wait", ": wait for an event, draw from a seeded Rng", findings);
  const ModuleRow* row = layers.module(module_of(file));
  if (row == nullptr || row->kind == "rim") return findings;
  find_words(file, kClockWords, "pure", " in a module that promises repeatable results", findings);
  if (is_test(file)) return findings;
  find_words(file, kWorldWords, "pure", " in a module that promises repeatable results", findings);
  find_headers(file, layers, row->kind == "repeatable", findings);
  return findings;
}

}  // namespace weir::house
