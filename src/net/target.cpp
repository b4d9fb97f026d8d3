#include "net/target.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::net {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::unexpected<Error> bad_escape(std::string_view text) {
  return bad_input(
      fmt::format("'{}': after % two hexadecimal digits are expected, never 00", quoted(text)));
}

Status parse_path(std::string_view path, Target& target) {
  // "/" has no segment, "/a/" is "/a": nobody means an empty last name.
  path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return {};
  for (const std::string_view part : split(path, '/')) {
    auto segment = percent_decode(part, /*plus=*/false);
    if (!segment) return bad_escape(part);
    if (*segment == "." || *segment == "..")
      return bad_input(fmt::format("'{}': a path without . and .. is expected", quoted(path)));
    target.segments.push_back(*std::move(segment));
  }
  return {};
}

Status parse_query(std::string_view query, Target& target) {
  for (const std::string_view part : split(query, '&')) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    auto name = percent_decode(part.substr(0, equals), /*plus=*/true);
    auto value = equals == std::string_view::npos
                     ? std::string()
                     : percent_decode(part.substr(equals + 1), /*plus=*/true);
    if (!name || !value) return bad_escape(part);
    target.query.emplace_back(*std::move(name), *std::move(value));
  }
  return {};
}

}  // namespace

std::optional<std::string_view> Target::parameter(std::string_view name) const {
  const auto found = std::ranges::find(query, name, &std::pair<std::string, std::string>::first);
  if (found == query.end()) return std::nullopt;
  return found->second;
}

Result<Target> parse_target(std::string_view text) {
  if (!text.starts_with('/'))
    return bad_input(fmt::format("'{}': a path that begins with / is expected", quoted(text)));
  Target target;
  target.text = text;
  const std::size_t mark = text.find('?');
  WEIR_TRY(parse_path(text.substr(0, mark), target));
  if (mark != std::string_view::npos) WEIR_TRY(parse_query(text.substr(mark + 1), target));
  return target;
}

std::optional<std::string> percent_decode(std::string_view text, bool plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (text.size() - i < 3) return std::nullopt;
      const int high = digit_of(text[i + 1]);
      const int low = digit_of(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (plus && c == '+') {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    decoded += c;
  }
  return decoded;
}

std::string percent_encode(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    if (plain)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace weir::net
