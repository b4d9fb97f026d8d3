// Where commands and controller meet when nobody says otherwise.
#pragma once

#include <filesystem>

namespace weir::cli {

// $WEIR_SOCKET; else /run/weir/weir.sock where that is, or for root; else
// $XDG_RUNTIME_DIR/weir/weir.sock; else /tmp/weir-UID/weir.sock.
std::filesystem::path socket_path();

}  // namespace weir::cli
