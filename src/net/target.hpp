// Target: the path and the query of a request, percent-decoded, as a server must see them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace weir::net {

struct Target {
  std::string text;                   // as it came
  std::vector<std::string> segments;  // "/v1/jobs/7" -> v1, jobs, 7; "/" -> none
  std::vector<std::pair<std::string, std::string>> query;  // in order, names may come twice

  // The first value of that name; none without one.
  [[nodiscard]] std::optional<std::string_view> parameter(std::string_view name) const;
};

// "/a/b%20c?x=1&y=a+b". A slash that was encoded stays inside its segment. Errors (kBadInput): no
// '/' at the beginning, a broken escape, a NUL byte, "." or ".." as a segment.
Result<Target> parse_target(std::string_view text);

// %-decoding; with `plus`, a '+' is a blank, as in queries. Nothing: a broken escape or NUL.
std::optional<std::string> percent_decode(std::string_view text, bool plus);
// A text so that it can stand as a segment of a path or a value of a query.
std::string percent_encode(std::string_view text);

}  // namespace weir::net
