#include "report/table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/figures.hpp"
#include "report/format.hpp"
#include "report/verdict.hpp"

namespace weir::report {
namespace {

constexpr std::size_t kTextWidth = 100;  // longer lines of prose are hard to read
constexpr std::size_t kGap = 2;  // between columns; the mark of the best stands in its first one

// Text in bold or dim, or as it is.
class Ink {
 public:
  explicit Ink(bool colour) : colour_(colour) {}
  [[nodiscard]] std::string bold(const std::string& text) const { return wrapped("\x1b[1m", text); }
  [[nodiscard]] std::string dim(const std::string& text) const { return wrapped("\x1b[2m", text); }
  [[nodiscard]] bool colour() const { return colour_; }

 private:
  [[nodiscard]] std::string wrapped(const char* begin, const std::string& text) const {
    return colour_ && !text.empty() ? begin + text + "\x1b[0m" : text;
  }
  bool colour_;
};

std::string rule(std::size_t width) {
  std::string line;
  for (std::size_t i = 0; i < width; ++i) line += "─";
  return line;
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::size_t own = display_width(text);
  const std::string blanks(width > own ? width - own : 0, ' ');
  return left ? text + blanks : blanks + text;
}

std::size_t width_of(const Column& column) {
  std::size_t width = display_width(column.title);
  for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
  return width;
}

// Neighbouring columns [begin, end) under one heading.
struct Group {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Group> groups_of(const std::vector<Column>& columns) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && !columns[i].group.empty() && columns[i].group == columns[i - 1].group)
      groups.back().end = i + 1;
    else
      groups.push_back({i, i + 1});
  }
  return groups;
}

std::size_t sum_of(const std::vector<std::size_t>& widths, Group group) {
  std::size_t sum = (group.end - group.begin - 1) * kGap;
  for (std::size_t i = group.begin; i < group.end; ++i) sum += widths[i];
  return sum;
}

// Widths of the columns, the first of a group widened where the heading needs more room.
std::vector<std::size_t> widths_of(const std::vector<Column>& columns) {
  std::vector<std::size_t> widths;
  for (const Column& column : columns) widths.push_back(width_of(column));
  for (const Group group : groups_of(columns)) {
    const std::size_t heading = display_width(columns[group.begin].group);
    const std::size_t room = sum_of(widths, group);
    if (heading > room) widths[group.begin] += heading - room;
  }
  return widths;
}

std::size_t line_width(const std::vector<std::size_t>& widths) {
  return widths.empty() ? 0 : sum_of(widths, {0, widths.size()}) + 1;  // 1: a mark at the end
}

// Drops the least important columns until the rest fits.
std::vector<Column> fitting(std::vector<Column> columns, std::size_t width) {
  while (line_width(widths_of(columns)) > width) {
    const auto least =
        std::max_element(columns.begin(), columns.end(),
                         [](const auto& a, const auto& b) { return a.keep < b.keep; });
    if (least == columns.end() || least->keep == Keep::kAlways) break;
    columns.erase(least);
  }
  return columns;
}

std::string group_line(const std::vector<Column>& columns, const std::vector<std::size_t>& widths) {
  std::string line;
  for (const Group group : groups_of(columns)) {
    if (!line.empty()) line.append(kGap, ' ');
    const std::string& name = columns[group.begin].group;
    const std::size_t room = sum_of(widths, group);
    const std::size_t rest = room - std::min(room, display_width(name));
    if (name.empty()) {
      line.append(room, ' ');
    } else if (rest < 2) {
      line += padded(name, room, false);
    } else {
      line += rule(rest - 1) + " " + name;
    }
  }
  return line;
}

std::string title_line(const std::vector<Column>& columns, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line.append(kGap, ' ');
    line += padded(columns[i].title, widths[i], columns[i].is_text);
  }
  return line;
}

struct Layout {
  std::vector<Column> columns;
  std::vector<std::size_t> widths;
};

std::string row_line(const Layout& layout, std::size_t row, const Ink& ink) {
  std::string line;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    const Column& column = layout.columns[i];
    const std::string cell = padded(column.cells[row], layout.widths[i], column.is_text);
    const bool is_best = column.best[row];
    const bool is_last = i + 1 == layout.columns.size();
    line += is_best ? ink.bold(cell) : cell;
    if (is_best && !ink.colour())
      line += is_last ? "*" : "* ";
    else if (!is_last)
      line.append(kGap, ' ');
  }
  return line + "\n";
}

// Breaks at blanks so that no line is longer than `width` where a word is not; further lines begin
// with `indent` blanks.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent = 0) {
  std::string out;
  std::size_t used = 0;
  for (const std::string_view word : split(text, ' ')) {
    const std::size_t size = display_width(word);
    if (used > 0 && indent + used + 1 + size > width) {
      out += '\n' + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += size;
  }
  return out + "\n";
}

std::string heading(const sim::Comparison& comparison, std::size_t width, const Ink& ink) {
  constexpr std::size_t kLabel = 7;
  const auto line = [&](const char* label, const std::string& text) {
    return ink.dim(padded(label, kLabel, true)) + wrapped(text, width, kLabel);
  };
  return line("pool", clean_text(comparison.pool)) + line("trace", clean_text(comparison.trace)) +
         line("load", fmt::format("{} of the GPU time there is, seed {}",
                                  percent(comparison.offered_load), comparison.seed));
}

// The planning speed as a line, for where its column found no room.
std::string speed_line(const sim::Comparison& comparison) {
  std::vector<double> speeds;
  for (const sim::RunResult& run : comparison.runs)
    if (planned_per_second(run) > 0) speeds.push_back(planned_per_second(run));
  if (speeds.empty()) return "";
  const auto [low, high] = std::minmax_element(speeds.begin(), speeds.end());
  const std::string from = fixed(*low, 0);
  const std::string to = fixed(*high, 0);
  return from == to ? fmt::format("Planned at {} jobs/s.", to)
                    : fmt::format("Planned at {} to {} jobs/s.", from, to);
}

}  // namespace

std::string comparison_table(const sim::Comparison& comparison, TableStyle style) {
  const Ink ink(style.colour);
  std::string out = heading(comparison, style.width, ink);
  if (comparison.runs.empty()) return out + "\nNothing was run.\n";

  Layout layout{fitting(figure_columns(comparison), style.width), {}};
  layout.widths = widths_of(layout.columns);
  const std::string line = ink.dim(rule(line_width(layout.widths))) + "\n";
  out += "\n" + ink.dim(group_line(layout.columns, layout.widths)) + "\n" +
         title_line(layout.columns, layout.widths) + "\n" + line;
  for (std::size_t row = 0; row < comparison.runs.size(); ++row) {
    const auto& runs = comparison.runs;
    const bool new_order = row > 0 && runs[row].order != runs[row - 1].order;
    const bool blocks = std::adjacent_find(runs.begin(), runs.end(), [](auto& a, auto& b) {
                          return a.order == b.order;
                        }) != runs.end();
    if (new_order && blocks) out += line;
    out += row_line(layout, row, ink);
  }
  out += line;

  std::string closing;
  for (const std::string& sentence : verdict(comparison)) closing += sentence + " ";
  if (layout.columns.back().keep != Keep::kSpeed) closing += speed_line(comparison) + " ";
  const bool marked = std::any_of(layout.columns.begin(), layout.columns.end(), [](const auto& c) {
    return std::any_of(c.best.begin(), c.best.end(), [](bool best) { return best; });
  });
  if (marked && !style.colour) closing += "* best of its column.";
  return out + wrapped(std::string(trim(closing)), std::min(style.width, kTextWidth));
}

}  // namespace weir::report
