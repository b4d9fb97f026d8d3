#include "cli/socket_path.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weir::cli {
namespace {

constexpr const char* kSiteSocket = "/run/weir/weir.sock";

bool is_set(const char* value) { return value != nullptr && *value != '\0'; }

Status make_folder(const std::filesystem::path& folder, std::uint32_t uid) {
  if (::mkdir(folder.c_str(), uid == 0 ? 0755 : 0700) == 0 || errno == EEXIST) return {};
  return io_error(fmt::format("{}: cannot be made: {}; name another socket with --socket",
                              folder.string(), std::generic_category().message(errno)));
}

}  // namespace

SocketChoice socket_rule(const SocketPlaces& places, SocketUse use) {
  if (!places.option.empty()) return {std::filesystem::path(places.option), false};
  if (is_set(places.weir_socket)) return {places.weir_socket, false};
  if (places.uid == 0 || (places.site && use == SocketUse::kAsk)) return {kSiteSocket};
  if (is_set(places.runtime_folder))
    return {std::filesystem::path(places.runtime_folder) / "weir" / "weir.sock"};
  return {fmt::format("/tmp/weir-{}/weir.sock", places.uid)};
}

Status check_owner(const std::filesystem::path& folder, std::uint32_t uid) {
  struct stat found{};
  // A link could be made to lead elsewhere later.
  if (::lstat(folder.c_str(), &found) != 0) return {};
  if (S_ISDIR(found.st_mode) && (found.st_uid == uid || found.st_uid == 0)) return {};
  return bad_input(
      fmt::format("{}: is no folder of yours, whoever made it could read what you submit: "
                  "remove it or name the socket with --socket",
                  folder.string()));
}

Result<std::filesystem::path> socket_path(std::string_view option, SocketUse use) {
  const std::uint32_t uid = ::geteuid();
  const SocketChoice choice =
      socket_rule({option, std::getenv("WEIR_SOCKET"), std::getenv("XDG_RUNTIME_DIR"), uid,
                   ::access(kSiteSocket, F_OK) == 0},
                  use);
  if (!choice.usual) return choice.path;
  const std::filesystem::path folder = choice.path.parent_path();
  if (use == SocketUse::kServe) WEIR_TRY(make_folder(folder, uid));
  WEIR_TRY(check_owner(folder, uid));
  return choice.path;
}

}  // namespace weir::cli
