#include "net/unix_socket.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "os/errors.hpp"

namespace weir::net {
namespace {

using os::system_error;

Result<sockaddr_un> address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& name = path.native();
  if (name.empty() || name.size() >= sizeof address.sun_path)
    return bad_input(fmt::format("{}: the path of a socket has 1 to {} bytes: name a shorter one",
                                 name, sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, name.data(), name.size());
  return address;
}

Result<os::Descriptor> make_socket(const std::filesystem::path& path) {
  os::Descriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made.is_open()) return system_error(path, "no socket can be made", errno);
  return made;
}

int connect(int socket, const sockaddr_un& address) {
  const auto* const generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  return ::connect(socket, generic, sizeof address) == 0 ? 0 : errno;
}

// Removes what a dead process left; refuses what is in use or no socket.
Status make_way(const std::filesystem::path& path, const sockaddr_un& address) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return {};
    return system_error(path, "cannot be looked at", errno);
  }
  if (!S_ISSOCK(status.st_mode))
    return bad_input(
        fmt::format("{}: a socket is to be made here, and there is another kind of file: name "
                    "another path",
                    path.string()));
  const os::Descriptor probe = WEIR_TRY(make_socket(path));
  if (connect(probe.get(), address) != ECONNREFUSED)
    return bad_input(fmt::format(
        "{}: a process listens there already: stop it first, or name another path", path.string()));
  if (::unlink(path.c_str()) != 0) return system_error(path, "cannot be removed", errno);
  return {};
}

}  // namespace

Result<os::Descriptor> listen_at(const std::filesystem::path& path, mode_t mode) {
  const sockaddr_un address = WEIR_TRY(address_of(path));
  WEIR_TRY(make_way(path, address));
  os::Descriptor made = WEIR_TRY(make_socket(path));
  // The mode before anybody can connect: connect() is refused until listen().
  const auto* const generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  if (::bind(made.get(), generic, sizeof address) != 0)
    return system_error(path, "cannot be listened at", errno);
  if (::chmod(path.c_str(), mode) != 0 || ::listen(made.get(), SOMAXCONN) != 0)
    return system_error(path, "cannot be listened at", errno);
  return made;
}

Result<os::Descriptor> connect_to(const std::filesystem::path& path) {
  const sockaddr_un address = WEIR_TRY(address_of(path));
  os::Descriptor made = WEIR_TRY(make_socket(path));
  switch (const int failure = connect(made.get(), address)) {
    case 0: return made;
    case ENOENT:
    case ECONNREFUSED:
      return io_error(fmt::format(
          "no controller listens at {}: start one with `weir serve` or `weir up`", path.string()));
    case EAGAIN:
      return io_error(
          fmt::format("{}: the controller is there but takes no more connections now: "
                      "try again",
                      path.string()));
    default: return system_error(path, "cannot be connected to", failure);
  }
}

Peer peer_of(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return {};
  return {credentials.uid, credentials.gid, credentials.pid};
}

}  // namespace weir::net
