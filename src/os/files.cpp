#include "os/files.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "os/byte_source.hpp"
#include "os/errors.hpp"

namespace weir::os {
namespace {

constexpr std::size_t kAppendBuffer = 256 * 1024;
constexpr std::size_t kBlock = 64 * 1024;

Status write_all(const std::filesystem::path& path, int fd, ByteSpan bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, "cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

Status close_file(const std::filesystem::path& path, Descriptor fd) {
  // POSIX leaves the descriptor's state open after EINTR; Linux has closed it.
  if (::close(fd.release()) != 0 && errno != EINTR)
    return system_error(path, "cannot be written", errno);
  return {};
}

Status create_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  if (folder.empty()) return {};
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return system_error(folder, "the folder cannot be created", failure.value());
  return {};
}

// The bytes of a source up to a limit, given block by block.
template <typename Bytes>
Result<Bytes> read_all(const std::filesystem::path& path, ByteSource& source, std::size_t limit) {
  Bytes bytes;
  std::vector<std::uint8_t> block(kBlock);
  for (;;) {
    const std::size_t count = WEIR_TRY(source.read(block));
    if (count == 0) return bytes;
    if (bytes.size() + count > limit)
      return over_limit(
          fmt::format("{}: longer than {} bytes", path.string(), with_thousands(limit)));
    bytes.insert(bytes.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

}  // namespace

Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path& path, std::size_t limit) {
  const std::unique_ptr<ByteSource> source = WEIR_TRY(open_raw_source(path));
  return read_all<std::vector<std::uint8_t>>(path, *source, limit);
}

Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit) {
  const std::unique_ptr<ByteSource> source = WEIR_TRY(open_source(path));
  return read_all<std::string>(path, *source, limit);
}

Status write_file(const std::filesystem::path& path, std::string_view bytes) {
  WEIR_TRY(create_folder_of(path));
  const std::string beside = fmt::format("{}.{}.tmp", path.string(), ::getpid());
  Descriptor fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd.is_open()) return system_error(path, "cannot be created", errno);
  Status status = write_all(path, fd.get(),
                            {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (Status closed = close_file(path, std::move(fd)); status) status = std::move(closed);
  if (status && std::rename(beside.c_str(), path.c_str()) != 0)
    status = system_error(path, "cannot be written", errno);
  if (!status) ::unlink(beside.c_str());
  return status;
}

AppendFile::AppendFile(std::filesystem::path path, Descriptor fd, std::uint64_t size)
    : path_(std::move(path)), fd_(std::move(fd)), size_(size) {
  buffer_.reserve(kAppendBuffer);
}

AppendFile::~AppendFile() {
  if (!fd_.is_open()) return;
  [[maybe_unused]] const Status lost = close();
}

Result<AppendFile> AppendFile::create(const std::filesystem::path& path) {
  return open_with(path, O_TRUNC);
}

Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  return open_with(path, O_APPEND);
}

Result<AppendFile> AppendFile::open_with(const std::filesystem::path& path, int extra_flags) {
  WEIR_TRY(create_folder_of(path));
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | extra_flags, 0666));
  if (!fd.is_open()) return system_error(path, "cannot be opened for writing", errno);
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return system_error(path, "cannot be written", errno);
  return AppendFile(path, std::move(fd), static_cast<std::uint64_t>(status.st_size));
}

Status AppendFile::append(ByteSpan bytes) {
  WEIR_ASSERT(fd_.is_open());
  size_ += bytes.size();
  if (buffer_.size() + bytes.size() > kAppendBuffer) WEIR_TRY(flush());
  if (bytes.size() > kAppendBuffer) return write_all(path_, fd_.get(), bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

Status AppendFile::flush() {
  WEIR_ASSERT(fd_.is_open());
  WEIR_TRY(write_all(path_, fd_.get(), buffer_));
  buffer_.clear();
  return {};
}

Status AppendFile::close() {
  Status flushed = flush();
  Status closed = close_file(path_, std::move(fd_));
  return flushed ? closed : flushed;
}

}  // namespace weir::os
