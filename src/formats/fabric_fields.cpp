#include "formats/fabric_fields.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::dump {
namespace {

std::optional<std::uint64_t> number(std::string_view text, int base) {
  if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.remove_prefix(2);
  return parse_unsigned(text, base);
}

}  // namespace

std::unexpected<Error> expected_found(std::string_view expected, std::string_view found) {
  if (found.empty())
    return bad_input(fmt::format("expected {}, found the end of the line", expected));
  return bad_input(fmt::format("expected {}, found {}", expected, quoted(found)));
}

std::unexpected<Error> at_line(std::size_t line, const std::string& message) {
  return bad_input(fmt::format("{}: {}", line, message));
}

Result<std::uint64_t> hex(std::string_view text, std::string_view what) {
  const auto value = number(text, 16);
  if (!value) return expected_found(fmt::format("{} in hexadecimal", what), text);
  return *value;
}

Result<Guid> guid(std::string_view text) {
  const Guid value(WEIR_TRY(hex(text, "a GUID")));
  if (value == Guid(0) || value.is_none())
    return expected_found("a GUID that is neither 0 nor all ones", text);
  return value;
}

Result<Lid> unicast_lid(std::string_view text, int base) {
  const auto value = number(text, base);
  if (!value || *value == 0 || *value > limits::kLastUnicastLid)
    return expected_found(fmt::format("a LID from 1 to {}", limits::kLastUnicastLid), text);
  return Lid(static_cast<std::uint16_t>(*value));
}

Result<fabric::PortNumber> cable_port(std::string_view text, int base) {
  const auto value = number(text, base);
  if (!value || *value == 0 || *value > limits::kPortNumber)
    return expected_found(fmt::format("a port from 1 to {}", limits::kPortNumber), text);
  return fabric::PortNumber(static_cast<std::uint8_t>(*value));
}

Status check_name(std::string_view text, std::string_view what) {
  if (text.size() <= limits::kNameBytes) return {};
  return over_limit(
      fmt::format("{} of {} bytes; at most {} are read", what, text.size(), limits::kNameBytes));
}

}  // namespace weir::dump
