#include "report.hpp"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "os/files.hpp"

namespace weir::bench {
namespace {

constexpr int kNameWidth = 34;
constexpr int kFigureWidth = 14;

std::string figure_text(double figure) {
  if (std::isnan(figure)) return "-";
  if (std::abs(figure) >= 1000) return with_thousands(static_cast<std::uint64_t>(figure + 0.5));
  if (figure == std::floor(figure)) return fmt::format("{:.0f}", figure);
  return fmt::format("{:.3g}", figure);
}

}  // namespace

void BenchReport::table(std::string title, std::string lines, std::vector<std::string> columns) {
  fmt::print("\n{}\n{:<{}}", title, lines, kNameWidth);
  for (const std::string& column : columns) fmt::print("{:>{}}", column, kFigureWidth);
  fmt::print("\n");
  tables_.push_back({std::move(title), std::move(columns), {}});
}

void BenchReport::row(std::string name, std::vector<double> figures) {
  fmt::print("{:<{}}", name, kNameWidth);
  for (const double figure : figures) fmt::print("{:>{}}", figure_text(figure), kFigureWidth);
  fmt::print("\n");
  std::fflush(stdout);
  tables_.back().rows.push_back({std::move(name), std::move(figures)});
}

void BenchReport::note(std::string_view text) { fmt::print("{}\n", text); }

void BenchReport::compared(std::uint64_t answers, std::uint64_t different) {
  compared_ += answers;
  different_ += different;
}

void BenchReport::print_bars() const {
  fmt::print("\nBars (design.md 8)\n");
  for (const Bar& bar : bars_)
    fmt::print("{} {:<52} {:>12} {} ({} {}): {:.2g} times the bar\n",
               bar.ratio() >= 1 ? "PASS" : "FAIL", bar.name, figure_text(bar.measured), bar.unit,
               bar.higher_is_better ? "at least" : "at most", figure_text(bar.bar), bar.ratio());
  fmt::print("\n{} answers compared with the slow placer's, or with what a text holds: {} differ\n",
             with_thousands(compared_), different_);
}

Status BenchReport::write_json(const std::string& path) const {
  JsonWriter json;
  json.begin_object();
  json.list("tables", tables_, [&](const Table& table) {
    json.begin_object();
    json.field("title", table.title);
    json.list("rows", table.rows, [&](const Row& row) {
      json.begin_object();
      json.field("name", row.name);
      for (std::size_t i = 0; i < row.figures.size(); ++i)
        json.field(table.columns[i], row.figures[i]);
      json.end_object();
    });
    json.end_object();
  });
  json.list("bars", bars_, [&](const Bar& bar) {
    json.begin_object();
    json.field("name", bar.name);
    json.field("unit", bar.unit);
    json.field("measured", bar.measured);
    json.field("bar", bar.bar);
    json.field("passed", bar.ratio() >= 1);
    json.end_object();
  });
  json.field("answers_compared", compared_);
  json.field("answers_different", different_);
  json.end_object();
  return os::write_file(path, json.text() + "\n");
}

}  // namespace weir::bench
