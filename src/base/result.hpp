// Result<T>: a value or an Error that a person can act on.
//
// An Errc exists only where a caller reacts to it differently; the message is for people and names
// file, line or field, what was expected, and what to do. Exceptions never cross a module's border.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace weir {

enum class Errc : std::uint8_t {
  kBadInput,  // the caller's data or arguments: correct them and try again
  kIo,        // the machine refused: file missing, disk full, permission
  kCorrupt,   // stored bytes do not check out: recover to the last good point
  kLimit,     // a limit of base/limits.hpp would be exceeded
  kDiskFull,  // refuse new work, keep what is there; the same write may be tried again
};

struct Error {
  Errc code = Errc::kBadInput;
  std::string message;
};

template <typename T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

inline std::unexpected<Error> bad_input(std::string message) {
  return std::unexpected(Error{Errc::kBadInput, std::move(message)});
}
inline std::unexpected<Error> io_error(std::string message) {
  return std::unexpected(Error{Errc::kIo, std::move(message)});
}
inline std::unexpected<Error> corrupt(std::string message) {
  return std::unexpected(Error{Errc::kCorrupt, std::move(message)});
}
inline std::unexpected<Error> over_limit(std::string message) {
  return std::unexpected(Error{Errc::kLimit, std::move(message)});
}

}  // namespace weir

// Yields the value of a Result, or returns its error from the enclosing function.
#define WEIR_TRY(expression)                                                          \
  __extension__({                                                                     \
    auto weir_try_result = (expression);                                              \
    if (!weir_try_result) return std::unexpected(std::move(weir_try_result).error()); \
    *std::move(weir_try_result);                                                      \
  })
