// A plain table: columns as wide as what is in them, two blanks between, no rules.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weir::cli {

struct Column {
  std::string title;
  bool right = false;     // numbers
  std::size_t most = 40;  // longer texts are cut; the last column is not
};

// REQUIRES: each row has a text for each column, safe to print.
std::string columns_text(const std::vector<Column>& columns,
                         const std::vector<std::vector<std::string>>& rows);

}  // namespace weir::cli
