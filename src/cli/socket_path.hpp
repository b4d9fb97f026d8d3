// Where the controller's socket is: one rule for those who ask and for the one who serves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.hpp"

namespace weir::cli {

enum class SocketUse : std::uint8_t { kAsk, kServe };

// The first that is there: `option` (--socket), WEIR_SOCKET, /run/weir/weir.sock for root and where
// root serves one (users who ask use it, users who serve have their own),
// XDG_RUNTIME_DIR/weir/weir.sock, /tmp/weir-UID/weir.sock.
//
// kServe makes the folder of the last three places, open to all where root serves, else to the user
// alone. Errors: a folder in /tmp that is another user's (kBadInput); the folder cannot be made.
Result<std::filesystem::path> socket_path(std::string_view option, SocketUse use);

// The rule alone, for tests; null where a variable is unset.
struct SocketPlaces {
  std::string_view option;
  const char* weir_socket = nullptr;
  const char* runtime_folder = nullptr;
  std::uint32_t uid = 0;
  bool site = false;  // root serves one
};
struct SocketChoice {
  std::filesystem::path path;
  bool usual = true;  // a place of ours, not one that somebody named
};
SocketChoice socket_rule(const SocketPlaces& places, SocketUse use);

// Errors: as socket_path() of a folder in /tmp. A folder that is not there is nobody's.
Status check_owner(const std::filesystem::path& folder, std::uint32_t uid);

inline constexpr const char* kSocketHelp =
    "Socket of the controller (WEIR_SOCKET; else /run/weir/weir.sock, $XDG_RUNTIME_DIR or /tmp)";

}  // namespace weir::cli
