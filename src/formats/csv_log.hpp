// CsvLogReader: what all readers of job logs in CSV share: the table, and the jobs that the filter
// takes. Each such reader adds line(), which makes a job of a row.
#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"
#include "formats/csv.hpp"
#include "formats/trace.hpp"
#include "formats/trace_filter.hpp"

namespace weir {

class CsvLogReader {
 public:
  // Status line(std::string_view text, std::size_t number) of each reader: one line after the
  // other, as os::for_each_line gives them. Errors are about this line; the caller puts file and
  // line in front. Empty lines say nothing.

  // REQUIRES: no call of line() after it. Errors: no header; the filter takes no job.
  Result<Trace> finish() {
    if (!table_.has_header()) return table_.no_header();
    return jobs_.finish();
  }
  // Rows that are no jobs of a GPU pool, counted in words; empty when there were none.
  [[nodiscard]] std::string left_out() const { return jobs_.left_out(); }

 protected:
  CsvLogReader(CsvTable table, TraceFilter filter)
      : table_(std::move(table)), jobs_(std::move(filter)) {}

  CsvTable table_;
  TraceBuilder jobs_;
};

}  // namespace weir
