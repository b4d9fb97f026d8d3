#include "os/local_socket.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "os/errors.hpp"

namespace weir::os {
namespace {

constexpr int kFlags = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
constexpr std::size_t kBlock = 64 * 1024;
constexpr int kWaiting = 16;  // connections that are not accepted yet

struct Address {
  Descriptor folder;  // holds a long path short while the address is in use
  sockaddr_un value{};
};

Result<Address> address_of(const std::filesystem::path& path) {
  Address address;
  address.value.sun_family = AF_UNIX;
  std::string name = path.string();
  if (name.size() >= sizeof address.value.sun_path) {
    address.folder = Descriptor(::open(path.parent_path().c_str(), O_PATH | O_CLOEXEC));
    if (!address.folder.is_open()) return system_error(path, "cannot be reached", errno);
    name = "/proc/self/fd/" + std::to_string(address.folder.get()) + "/" + path.filename().string();
  }
  if (name.size() >= sizeof address.value.sun_path)
    return system_error(path, "the name of the socket is too long", ENAMETOOLONG);
  std::memcpy(&address.value.sun_path[0], name.c_str(), name.size() + 1);
  return address;
}

}  // namespace

Result<Descriptor> listen_local(const std::filesystem::path& path) {
  const Address address = WEIR_TRY(address_of(path));
  Descriptor fd(::socket(AF_UNIX, kFlags, 0));
  if (!fd.is_open()) return system_error(path, "cannot be made", errno);
  ::unlink(path.c_str());
  // bind() makes the file with the mode of the socket, less the umask.
  if (::fchmod(fd.get(), 0600) != 0 ||
      ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address.value), sizeof address.value) !=
          0 ||
      ::listen(fd.get(), kWaiting) != 0)
    return system_error(path, "cannot be listened on", errno);
  return fd;
}

Result<Descriptor> connect_local(const std::filesystem::path& path) {
  const Address address = WEIR_TRY(address_of(path));
  Descriptor fd(::socket(AF_UNIX, kFlags, 0));
  if (!fd.is_open()) return system_error(path, "cannot be connected to", errno);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.value),
                sizeof address.value) != 0)
    return system_error(path, "cannot be connected to", errno);
  return fd;
}

Descriptor accept_local(int listener) {
  return Descriptor(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

Result<std::pair<Descriptor, Descriptor>> connected_pair() {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, kFlags, 0, fds.data()) != 0)
    return system_error("socket pair", "cannot be made", errno);
  return std::pair(Descriptor(fds[0]), Descriptor(fds[1]));
}

bool LocalConnection::receive(std::vector<std::uint8_t>& received) {
  for (;;) {
    const std::size_t before = received.size();
    received.resize(before + kBlock);
    const ssize_t count = ::recv(fd_.get(), received.data() + before, kBlock, 0);
    received.resize(before + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count > 0) continue;
    if (count < 0 && errno == EINTR) continue;
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
}

void LocalConnection::queue(ByteSpan bytes) {
  queue_.insert(queue_.end(), bytes.begin(), bytes.end());
}

bool LocalConnection::flush() {
  while (queued() > 0) {
    const ssize_t count = ::send(fd_.get(), queue_.data() + sent_, queued(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    sent_ += static_cast<std::size_t>(count);
  }
  queue_.clear();
  sent_ = 0;
  return true;
}

}  // namespace weir::os
