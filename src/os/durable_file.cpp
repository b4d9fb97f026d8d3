#include "os/durable_file.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/descriptor.hpp"
#include "os/errors.hpp"

namespace weir::os {
namespace {

Status write_and_sync(const std::filesystem::path& path, int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(fd) != 0) return system_error(path, "cannot be made durable", errno);
  return {};
}

// A name is durable when its folder is.
Status sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path parent = path.parent_path();
  const std::filesystem::path folder = parent.empty() ? "." : parent;
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || ::fsync(fd.get()) != 0)
    return system_error(folder, "cannot be made durable", errno);
  return {};
}

}  // namespace

Status create_private_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), failure);
  if (!failure && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    failure = std::error_code(errno, std::generic_category());
  if (failure) return system_error(folder, "the folder cannot be created", failure.value());
  if (::chmod(folder.c_str(), 0700) != 0)
    return system_error(folder, "cannot be closed to others", errno);
  return sync_folder_of(folder);
}

Status write_private_file(const std::filesystem::path& path, std::string_view bytes) {
  const std::string beside = fmt::format("{}.{}.tmp", path.string(), ::getpid());
  ::unlink(beside.c_str());
  Status status;
  {
    const Descriptor fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd.is_open()) return system_error(path, "cannot be created", errno);
    status = write_and_sync(path, fd.get(), bytes);
  }
  if (status && std::rename(beside.c_str(), path.c_str()) != 0)
    status = system_error(path, "cannot be written", errno);
  if (!status) {
    ::unlink(beside.c_str());
    return status;
  }
  return sync_folder_of(path);
}

Status remove_file(const std::filesystem::path& path) {
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return {};
    return system_error(path, "cannot be removed", errno);
  }
  return sync_folder_of(path);
}

}  // namespace weir::os
