#include "cli/columns.hpp"

#include <algorithm>

#include "report/format.hpp"

namespace weir::cli {

std::string columns_text(const std::vector<Column>& columns,
                         const std::vector<std::vector<std::string>>& rows) {
  const std::size_t last = columns.size() - 1;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = report::display_width(columns[c].title);
    for (const auto& row : rows) width = std::max(width, report::display_width(row[c]));
    widths.push_back(std::min(width, std::max(columns[c].most, columns[c].title.size())));
  }
  std::string text;
  const auto add = [&](std::size_t c, const std::string& whole) {
    const std::string cell = c == last ? whole : report::shortened(whole, widths[c]);
    const std::size_t wide = report::display_width(cell);
    const std::string blanks(widths[c] > wide ? widths[c] - wide : 0, ' ');
    if (columns[c].right) text += blanks;
    text += cell;
    if (c == last) {
      text.erase(text.find_last_not_of(' ') + 1);
      text += '\n';
      return;
    }
    text += (columns[c].right ? std::string() : blanks) + "  ";
  };
  for (std::size_t c = 0; c < columns.size(); ++c) add(c, columns[c].title);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < columns.size(); ++c) add(c, row[c]);
  return text;
}

}  // namespace weir::cli
