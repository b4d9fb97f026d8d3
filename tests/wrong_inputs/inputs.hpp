// What the tables of wrong inputs share: good texts by format, and one change that spoils one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/folder.hpp"

namespace weir::testing {

struct Format {
  std::string_view name;
  std::string_view good;
};

struct Case {
  std::string_view format;
  std::string_view what;
  std::string_view with;
  std::string_view expected;  // the message begins so
};

// REQUIRES: a format has that name.
inline std::string_view good_text(const std::vector<Format>& formats, std::string_view name) {
  return std::ranges::find(formats, name, &Format::name)->good;
}

inline std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string result(text);
  const std::size_t at = result.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? result : result.replace(at, what.size(), with);
}

// The message with files named as they stand in the folder.
inline std::string without_folder(std::string message, const TestFolder& folder) {
  const std::string prefix = folder.path().string() + "/";
  for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
    message.erase(at, prefix.size());
  return message;
}

}  // namespace weir::testing
