#include "report/html_table.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/chart.hpp"
#include "report/figures.hpp"

namespace weir::report {
namespace {

// "spare" columns give way on a narrow screen: the trace's line tells the jobs already.
std::string class_of(const Column& column) {
  const std::string spare =
      column.keep == Keep::kJobs || column.keep == Keep::kSpeed ? " spare" : "";
  return (column.is_text ? "text" : "number") + spare;
}

void write_group_row(Markup& page, const std::vector<Column>& columns) {
  page.open("tr", {{"class", "groups"}});
  for (std::size_t i = 0; i < columns.size();) {
    std::size_t end = i + 1;
    while (end < columns.size() && !columns[i].group.empty() &&
           columns[end].group == columns[i].group)
      ++end;
    page.open("th", {{"colspan", fmt::format("{}", end - i)}, {"class", class_of(columns[i])}});
    if (!columns[i].group.empty()) page.element("span", {}, columns[i].group);
    page.close();
    i = end;
  }
  page.close();
}

void write_title_row(Markup& page, const std::vector<Column>& columns) {
  page.open("tr", {{"class", "titles"}});
  for (const Column& column : columns)
    page.element("th", {{"scope", "col"}, {"class", class_of(column)}}, column.title);
  page.close();
}

std::string cell_class(const Column& column, std::size_t row) {
  return class_of(column) + (column.best[row] ? " best" : "");
}

void write_row(Markup& page, const std::vector<Column>& columns, std::size_t row,
               const RunStyle& style) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    if (column.notes.empty() || column.notes[row].empty())
      page.open("td", {{"class", cell_class(column, row)}});
    else
      page.open("td", {{"class", cell_class(column, row)}, {"title", column.notes[row]}});
    if (i == 0) draw_line_key(page, style);
    page.text(column.cells[row]);
    page.close();
  }
}

}  // namespace

void write_table(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  const auto columns = figure_columns(comparison);
  page.open("div", {{"class", "scroll"}});
  page.open("table");
  page.open("thead");
  write_group_row(page, columns);
  write_title_row(page, columns);
  page.close();
  page.open("tbody");
  for (std::size_t row = 0; row < comparison.runs.size(); ++row) {
    const auto& runs = comparison.runs;
    const bool first = row > 0 && runs[row].order != runs[row - 1].order;
    const RunStyle& style = styles.runs[row];
    page.open("tr", {{"class", first ? "first" : "next"},
                     {"data-hit", fmt::format(".c{}.v{}", style.colour % kSeriesColours,
                                              style.variant % kVariants)}});
    write_row(page, columns, row, style);
    page.close();
  }
  page.close();
  page.close();
  page.close();
}

}  // namespace weir::report
