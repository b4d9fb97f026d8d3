// The fields that fabric dumps share: GUIDs, LIDs, ports, and how an error about one reads. Errors
// (kBadInput) say what was expected and what was found; file and line are the caller's to add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "fabric/graph.hpp"

namespace weir::dump {

// "expected EXPECTED, found FOUND", or "... the end of the line" for an empty FOUND.
std::unexpected<Error> expected_found(std::string_view expected, std::string_view found);

// The same about a line that was read before; the message begins with "LINE: ".
std::unexpected<Error> at_line(std::size_t line, const std::string& message);

// A number in hexadecimal, with or without 0x.
Result<std::uint64_t> hex(std::string_view text, std::string_view what);

// A GUID in hexadecimal that is neither 0 nor all ones.
Result<Guid> guid(std::string_view text);

// A unicast LID, 1 to 49,151, in this base (16 with or without 0x).
Result<Lid> unicast_lid(std::string_view text, int base = 10);

// A port that carries a cable, 1 to 254.
Result<fabric::PortNumber> cable_port(std::string_view text, int base = 10);

// Error: more bytes than a name may have.
Status check_name(std::string_view text, std::string_view what);

}  // namespace weir::dump
