#include "store/state_directory.hpp"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "os/errors.hpp"

namespace weir::store {
namespace {

using os::system_error;

Status make_directory(const std::filesystem::path& path) {
  std::error_code failure;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) return system_error(path, "cannot be created", failure.value());
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return system_error(path, "cannot be created", errno);
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return system_error(path, "cannot be read", errno);
  if (!S_ISDIR(status.st_mode))
    return bad_input(fmt::format("{}: a directory is expected here", path.string()));
  if ((status.st_mode & 0077) != 0)
    return bad_input(fmt::format(
        "{}: others may enter this directory (mode {:04o}), and it will hold everybody's jobs: "
        "chmod 700 it, or name another",
        path.string(), status.st_mode & 07777));
  return {};
}

// What the holder of the lock wrote into it.
std::string holder(int lock) {
  std::string text(32, '\0');
  const ssize_t count = ::pread(lock, text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  const std::string_view pid = std::string_view(text).substr(0, text.find('\n'));
  return parse_unsigned(pid) ? fmt::format("process {}", pid) : "another process";
}

Status write_pid(const std::filesystem::path& path, int lock) {
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock, 0) != 0 ||
      ::pwrite(lock, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return system_error(path, "cannot be written", errno);
  return {};
}

Status sync_path(const std::filesystem::path& path, int flags) {
  const os::Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
  if (!file.is_open() || ::fsync(file.get()) != 0)
    return system_error(path, "cannot be made durable", errno);
  return {};
}

}  // namespace

Result<StateDirectory> StateDirectory::open(const std::filesystem::path& path) {
  WEIR_TRY(make_directory(path));
  const std::filesystem::path file = path / "lock";
  os::Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.is_open()) return system_error(file, "cannot be opened", errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return system_error(file, "cannot be locked", errno);
    return bad_input(fmt::format(
        "{}: {} is the controller of this directory; stop it first, or name another directory",
        path.string(), holder(lock.get())));
  }
  WEIR_TRY(write_pid(file, lock.get()));
  return StateDirectory(path, std::move(lock));
}

Status sync_directory(const std::filesystem::path& path) {
  return sync_path(path, O_RDONLY | O_DIRECTORY);
}

Status sync_file(const std::filesystem::path& path) { return sync_path(path, O_RDONLY); }

}  // namespace weir::store
