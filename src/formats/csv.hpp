// CsvTable: the rows of a CSV file (RFC 4180), one line at a time, with columns found by the names
// of the header. Fields are read as typed values; each error names the column, what was expected
// and what was found. File and line are put in front by whoever reads the file.
//
// A quoted field may hold separators and doubled quotes but no line break, since lines come one by
// one; none of the logs we read has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace weir {

class CsvTable {
 public:
  // The columns that must be there and those that may; a column is later named by its place in the
  // first list followed by the second. The names must outlive the table.
  explicit CsvTable(std::initializer_list<std::string_view> wanted,
                    std::initializer_list<std::string_view> optional = {})
      : wanted_(wanted), must_(wanted.size()) {
    wanted_.insert(wanted_.end(), optional);
  }

  // Takes the next line of a file: the header first, then rows; an empty one says nothing. Whether
  // it is a row, then the current one. Errors: those of header() and row().
  Result<bool> take(std::string_view line);

  // The first line. Errors: a wanted column is missing or stands there twice.
  Status header(std::string_view line);
  [[nodiscard]] bool has_header() const { return columns_ > 0; }
  // "no header line: expected the columns a, b, c"
  [[nodiscard]] std::unexpected<Error> no_header() const;

  // Makes `line` the current row, until the next call and as long as the line itself lives.
  // Errors: not as many fields as the header has; bad quoting; CRLF; a zero byte.
  Status row(std::string_view line);

  // Whether the header has the column.
  [[nodiscard]] bool has(std::size_t wanted) const { return place_[wanted] != kMissing; }

  // Fields of the current row. REQUIRES: the last row() succeeded. Of a column that is missing the
  // empty text.
  [[nodiscard]] std::string_view raw(std::size_t wanted) const {
    return has(wanted) ? fields_[place_[wanted]] : std::string_view();
  }
  // Text of at most limits::kNameBytes bytes.
  [[nodiscard]] Result<std::string> name(std::size_t wanted) const;
  // A whole number in [lowest, highest].
  [[nodiscard]] Result<std::uint64_t> number(std::size_t wanted, std::uint64_t lowest,
                                             std::uint64_t highest) const;
  // "66" or "66.0" seconds, from 0 to limits::kLongestDuration.
  [[nodiscard]] Result<Duration> duration(std::size_t wanted) const;
  // A date as parse_instant() reads it.
  [[nodiscard]] Result<Instant> instant(std::size_t wanted) const;

 private:
  static constexpr std::size_t kMissing = static_cast<std::size_t>(-1);

  Status split(std::string_view line);
  // The quoted field that starts at `at`; moves `at` behind its closing quote.
  Result<std::string_view> quoted_field(std::string_view line, std::size_t& at);
  [[nodiscard]] std::unexpected<Error> bad_field(std::size_t wanted,
                                                 std::string_view expected) const;

  std::vector<std::string_view> wanted_;
  std::size_t must_;                // so many of these must be there
  std::vector<std::size_t> place_;  // of each wanted column
  std::size_t columns_ = 0;
  std::vector<std::string_view> fields_;
  std::string unquoted_;  // quoted fields of the current row without their quotes
};

}  // namespace weir
