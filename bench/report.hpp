// BenchReport: prints tables of figures and the bars as they come, and keeps them for --json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace weir::bench {

struct Bar {
  std::string name;
  std::string unit;
  double measured = 0;
  double bar = 0;
  bool higher_is_better = false;

  // How many times better than the bar; below 1 it fails.
  [[nodiscard]] double ratio() const { return higher_is_better ? measured / bar : bar / measured; }
};

class BenchReport {
 public:
  // Starts a table: what each line is, then the names of its figures.
  void table(std::string title, std::string lines, std::vector<std::string> columns);
  // A line of the table; a figure that is not a number means "not available".
  void row(std::string name, std::vector<double> figures);
  void note(std::string_view text);
  void bar(Bar bar) { bars_.push_back(std::move(bar)); }
  // Answers compared with the slow placer's, or with what the text that was read holds.
  void compared(std::uint64_t answers, std::uint64_t different);

  void print_bars() const;
  [[nodiscard]] bool answers_equal() const { return different_ == 0; }
  // Tables, bars and the comparison as one object. Errors: the file cannot be written.
  [[nodiscard]] Status write_json(const std::string& path) const;

 private:
  struct Row {
    std::string name;
    std::vector<double> figures;
  };
  struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<Row> rows;
  };
  std::vector<Table> tables_;
  std::vector<Bar> bars_;
  std::uint64_t compared_ = 0;
  std::uint64_t different_ = 0;
};

}  // namespace weir::bench
