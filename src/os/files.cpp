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

Status close_file(const std::filesystem::path& path, int fd) {
  // POSIX leaves the descriptor's state open after EINTR; Linux has closed it.
  if (::close(fd) != 0 && errno != EINTR) return system_error(path, "cannot be written", errno);
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
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return system_error(path, "cannot be created", errno);
  Status status =
      write_all(path, fd, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (Status closed = close_file(path, fd); status) status = std::move(closed);
  if (status && std::rename(beside.c_str(), path.c_str()) != 0)
    status = system_error(path, "cannot be written", errno);
  if (!status) ::unlink(beside.c_str());
  return status;
}

AppendFile::AppendFile(std::filesystem::path path, int fd, std::uint64_t size)
    : path_(std::move(path)), fd_(fd), size_(size) {
  buffer_.reserve(kAppendBuffer);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_),
      buffer_(std::move(other.buffer_)) {}

AppendFile::~AppendFile() {
  if (fd_ >= 0) static_cast<void>(close());
}

Result<AppendFile> AppendFile::create(const std::filesystem::path& path) {
  return open_with(path, O_TRUNC);
}

Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  return open_with(path, O_APPEND);
}

Result<AppendFile> AppendFile::open_with(const std::filesystem::path& path, int extra_flags) {
  WEIR_TRY(create_folder_of(path));
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | extra_flags, 0666);
  if (fd < 0) return system_error(path, "cannot be opened for writing", errno);
  AppendFile file(path, fd, 0);
  struct stat status{};
  if (::fstat(fd, &status) != 0) return system_error(path, "cannot be written", errno);
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Status AppendFile::append(ByteSpan bytes) {
  WEIR_ASSERT(fd_ >= 0);
  size_ += bytes.size();
  if (buffer_.size() + bytes.size() > kAppendBuffer) WEIR_TRY(flush());
  if (bytes.size() > kAppendBuffer) return write_all(path_, fd_, bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

Status AppendFile::flush() {
  WEIR_ASSERT(fd_ >= 0);
  WEIR_TRY(write_all(path_, fd_, buffer_));
  buffer_.clear();
  return {};
}

Status AppendFile::close() {
  Status flushed = flush();
  Status closed = close_file(path_, std::exchange(fd_, -1));
  return flushed ? closed : flushed;
}

}  // namespace weir::os
