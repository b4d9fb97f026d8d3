#include "cli/socket_path.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace weir::cli {

std::filesystem::path socket_path() {
  if (const char* named = std::getenv("WEIR_SOCKET"); named != nullptr && *named != '\0')
    return named;
  const std::filesystem::path site = "/run/weir/weir.sock";
  std::error_code ignored;
  if (::getuid() == 0 || std::filesystem::exists(site, ignored)) return site;
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime != '\0')
    return std::filesystem::path(runtime) / "weir/weir.sock";
  return fmt::format("/tmp/weir-{}/weir.sock", ::getuid());
}

}  // namespace weir::cli
