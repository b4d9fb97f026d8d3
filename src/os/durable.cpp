#include "os/durable.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/errors.hpp"

namespace weir::os {
namespace {

Status write_and_sync(const std::filesystem::path& path, int fd, ByteSpan bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, "cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  if (::fdatasync(fd) != 0) return system_error(path, "cannot be synced", errno);
  return {};
}

Status sync_folder(const std::filesystem::path& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || ::fsync(fd.get()) != 0)
    return system_error(path, "the folder cannot be synced", errno);
  return {};
}

}  // namespace

Status write_durably(const std::filesystem::path& path, ByteSpan bytes) {
  const std::string beside = path.string() + ".tmp";
  {
    const Descriptor fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd.is_open()) return system_error(path, "cannot be created", errno);
    WEIR_TRY(write_and_sync(path, fd.get(), bytes));
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0)
    return system_error(path, "cannot be written", errno);
  const std::filesystem::path folder = path.parent_path();
  return sync_folder(folder.empty() ? "." : folder);
}

Result<DurableLog> DurableLog::open(const std::filesystem::path& path) {
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!fd.is_open()) return system_error(path, "cannot be opened for writing", errno);
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return system_error(path, "cannot be read", errno);
  return DurableLog(path, std::move(fd), static_cast<std::uint64_t>(status.st_size));
}

Status DurableLog::cut(std::uint64_t bytes) {
  if (bytes >= size_) return {};
  if (::ftruncate(fd_.get(), static_cast<off_t>(bytes)) != 0)
    return system_error(path_, "cannot be cut", errno);
  size_ = bytes;
  return {};
}

Status DurableLog::append(ByteSpan bytes) {
  Status written = write_and_sync(path_, fd_.get(), bytes);
  if (written)
    size_ += bytes.size();
  else
    static_cast<void>(::ftruncate(fd_.get(), static_cast<off_t>(size_)));
  return written;
}

Result<std::optional<Descriptor>> try_lock(const std::filesystem::path& path) {
  Descriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.is_open()) return system_error(path, "cannot be opened", errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    return system_error(path, "cannot be locked", errno);
  }
  return fd;
}

}  // namespace weir::os
