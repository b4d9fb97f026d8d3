#include "formats/csv.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir {

Result<bool> CsvTable::take(std::string_view line) {
  if (line.empty()) return false;
  const bool is_row = has_header();
  WEIR_TRY(is_row ? row(line) : header(line));
  return is_row;
}

Status CsvTable::header(std::string_view line) {
  if (line.starts_with("\xef\xbb\xbf"))
    return bad_input(
        "the file begins with a byte-order mark: expected the header; remove it, e.g. with "
        "dos2unix");
  WEIR_TRY(split(line));
  for (const std::string_view name : wanted_) {
    const auto found = std::ranges::find(fields_, name);
    if (found == fields_.end() && place_.size() >= must_) {
      place_.push_back(kMissing);
      continue;
    }
    if (found == fields_.end())
      return bad_input(fmt::format(
          "the header lacks the column {}: expected {}", name,
          fmt::join(wanted_.begin(), wanted_.begin() + static_cast<std::ptrdiff_t>(must_), ", ")));
    if (std::find(found + 1, fields_.end(), name) != fields_.end())
      return bad_input(fmt::format("the header has the column {} twice", name));
    place_.push_back(static_cast<std::size_t>(found - fields_.begin()));
  }
  columns_ = fields_.size();
  return {};
}

std::unexpected<Error> CsvTable::no_header() const {
  return bad_input(fmt::format(
      "no header line: expected the columns {}",
      fmt::join(wanted_.begin(), wanted_.begin() + static_cast<std::ptrdiff_t>(must_), ", ")));
}

Status CsvTable::row(std::string_view line) {
  WEIR_TRY(split(line));
  if (fields_.size() != columns_)
    return bad_input(
        fmt::format("expected {} fields as in the header, found {}", columns_, fields_.size()));
  return {};
}

Result<std::string> CsvTable::name(std::size_t wanted) const {
  const std::string_view text = raw(wanted);
  if (text.size() > limits::kNameBytes)
    return over_limit(fmt::format("{}: expected at most {} bytes, found {}", wanted_[wanted],
                                  limits::kNameBytes, text.size()));
  return std::string(text);
}

Result<std::uint64_t> CsvTable::number(std::size_t wanted, std::uint64_t lowest,
                                       std::uint64_t highest) const {
  const auto value = parse_unsigned(raw(wanted));
  if (!value || *value < lowest || *value > highest)
    return bad_field(wanted, fmt::format("a whole number from {} to {}", lowest, highest));
  return *value;
}

Result<Duration> CsvTable::duration(std::size_t wanted) const {
  const auto value = parse_double(raw(wanted));
  if (!value || *value < 0 || *value > seconds(limits::kLongestDuration))
    return bad_field(wanted,
                     fmt::format("seconds from 0 to {:.0f}", seconds(limits::kLongestDuration)));
  return from_seconds(*value);
}

Result<Instant> CsvTable::instant(std::size_t wanted) const {
  const auto value = parse_instant(raw(wanted));
  if (!value) return bad_field(wanted, "a date YYYY-MM-DD HH:MM:SS");
  return *value;
}

Status CsvTable::split(std::string_view line) {
  if (line.ends_with('\r'))
    return bad_input("the line ends with CR LF: expected LF alone; convert it, e.g. with dos2unix");
  if (line.find('\0') != std::string_view::npos)
    return bad_input("expected text, found a zero byte: is this a binary file, or UTF-16?");
  fields_.clear();
  unquoted_.clear();
  // Views into unquoted_ must stay valid while it grows.
  unquoted_.reserve(line.size());
  for (std::size_t at = 0;;) {
    if (at < line.size() && line[at] == '"') {
      fields_.push_back(WEIR_TRY(quoted_field(line, at)));
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      const std::string_view field = line.substr(at, end - at);
      if (field.find('"') != std::string_view::npos)
        return bad_input(fmt::format(
            "field {}: a quote inside an unquoted field: expected \"...\" around all of it",
            fields_.size() + 1));
      fields_.push_back(field);
      at = end;
    }
    if (at == line.size()) return {};
    ++at;  // the comma
  }
}

Result<std::string_view> CsvTable::quoted_field(std::string_view line, std::size_t& at) {
  const std::size_t begin = unquoted_.size();
  for (++at;; ++at) {
    if (at >= line.size())
      return bad_input(
          fmt::format("field {}: the quote is not closed on this line", fields_.size() + 1));
    if (line[at] == '"') {
      ++at;
      if (at == line.size() || line[at] == ',') break;
      if (line[at] != '"')
        return bad_input(
            fmt::format("field {}: expected a comma behind the closing quote", fields_.size() + 1));
    }
    unquoted_ += line[at];
  }
  return std::string_view(unquoted_).substr(begin);
}

std::unexpected<Error> CsvTable::bad_field(std::size_t wanted, std::string_view expected) const {
  return bad_input(
      fmt::format("{}: expected {}, found {}", wanted_[wanted], expected, quoted(raw(wanted))));
}

}  // namespace weir
