#include "formats/job_request_place.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::job_request {

Place Place::child(std::string_view key) const {
  Place place = *this;
  if (style == Style::kFlag) return place;
  if (style == Style::kToml) {
    place.path += path.empty() ? "" : ".";
    place.path += key;
    return place;
  }
  place.path += '/';
  for (const char c : key) {
    if (c == '~')
      place.path += "~0";
    else if (c == '/')
      place.path += "~1";
    else
      place.path += c;
  }
  return place;
}

std::unexpected<Error> Place::error(std::size_t line, std::string_view message, Errc code) const {
  std::string text;
  if (style == Style::kToml) text = fmt::format("{}:{}: ", file, line);
  // A key may hold anything; what is printed may not.
  const std::string shown = quoted(path, limits::kNameBytes);
  if (!path.empty()) text += shown.substr(1, shown.size() - 2) + ": ";
  return std::unexpected(Error{code, text + std::string(message)});
}

std::unexpected<Error> Place::expected(std::string_view what, const TomlValue& found) const {
  return error(found.line, fmt::format("expected {}, found {}", what, describe(found)));
}

}  // namespace weir::job_request
