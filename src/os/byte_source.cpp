#include "os/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "os/descriptor.hpp"
#include "os/errors.hpp"

namespace weir::os {
namespace {

constexpr std::size_t kInputBuffer = 64 * 1024;
constexpr std::uint8_t kGzipMagic[] = {0x1f, 0x8b};
constexpr std::uint8_t kXzMagic[] = {0xfd, '7', 'z', 'X', 'Z', 0x00};

// The file itself: one buffer of raw bytes, refilled when its reader has used it up.
class RawInput {
 public:
  RawInput(std::filesystem::path path, Descriptor fd)
      : path_(std::move(path)), fd_(std::move(fd)), buffer_(kInputBuffer) {}

  // The bytes at hand. More come with fill() when they are used up.
  [[nodiscard]] std::span<std::uint8_t> bytes() {
    return std::span(buffer_).subspan(begin_, end_ - begin_);
  }
  void use(std::size_t count) { begin_ += count; }
  [[nodiscard]] bool at_end() const { return ended_ && begin_ == end_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Reads until `wanted` bytes are at hand or the file ends. REQUIRES: wanted <= kInputBuffer.
  Status fill(std::size_t wanted = 1) {
    if (begin_ == end_ || begin_ + wanted > buffer_.size()) {
      std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
      end_ -= begin_;
      begin_ = 0;
    }
    while (end_ - begin_ < wanted && !ended_) {
      const ssize_t got = ::read(fd_.get(), buffer_.data() + end_, buffer_.size() - end_);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return system_error(path_, "cannot be read", errno);
      end_ += static_cast<std::size_t>(got);
      ended_ = got == 0;
    }
    return {};
  }

  [[nodiscard]] bool starts_with(std::span<const std::uint8_t> magic) {
    const auto have = bytes();
    return have.size() >= magic.size() && std::ranges::equal(have.first(magic.size()), magic);
  }

 private:
  std::filesystem::path path_;
  Descriptor fd_;
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
};

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(RawInput input) : input_(std::move(input)) {}

  Result<std::size_t> read(std::span<std::uint8_t> room) override {
    WEIR_TRY(input_.fill());
    const auto have = input_.bytes();
    const std::size_t count = std::min(have.size(), room.size());
    std::copy_n(have.begin(), count, room.begin());
    input_.use(count);
    return count;
  }

 private:
  RawInput input_;
};

// RFC 1952: one or more members, one behind the other; zeros may pad the end, as tapes do.
class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(RawInput input) : input_(std::move(input)) {
    // 16 asks zlib for gzip, and only gzip, framing.
    WEIR_ASSERT(inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK);
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Result<std::size_t> read(std::span<std::uint8_t> room) override {
    stream_.next_out = room.data();
    stream_.avail_out = static_cast<uInt>(std::min(room.size(), kInputBuffer));
    const uInt had = stream_.avail_out;
    while (stream_.avail_out == had) {
      WEIR_TRY(input_.fill());
      if (between_members_ && !WEIR_TRY(next_member())) break;
      if (input_.at_end()) return cut_off(input_.path(), "gzip");
      WEIR_TRY(inflate_some());
    }
    return had - stream_.avail_out;
  }

 private:
  // False at the end of the file.
  Result<bool> next_member() {
    while (!input_.at_end() && input_.bytes()[0] == 0) {
      input_.use(1);
      padded_ = true;
      WEIR_TRY(input_.fill());
    }
    if (input_.at_end()) return false;
    WEIR_TRY(input_.fill(std::size(kGzipMagic)));
    if (padded_ || !input_.starts_with(kGzipMagic))
      return corrupt(
          fmt::format("{}: bytes that are no gzip member follow the gzip data: expected "
                      "the end of the file",
                      input_.path().string()));
    WEIR_ASSERT(inflateReset(&stream_) == Z_OK);
    between_members_ = false;
    return true;
  }

  Status inflate_some() {
    const auto have = input_.bytes();
    stream_.next_in = have.data();
    stream_.avail_in = static_cast<uInt>(have.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    input_.use(have.size() - stream_.avail_in);
    if (code == Z_STREAM_END) {
      between_members_ = true;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      return corrupt(fmt::format("{}: the gzip data is broken ({})", input_.path().string(),
                                 stream_.msg != nullptr ? stream_.msg : "no preset dictionary"));
    }
    return {};
  }

  static std::unexpected<Error> cut_off(const std::filesystem::path& path, const char* what) {
    return corrupt(
        fmt::format("{}: the {} data is cut off: the file is not complete", path.string(), what));
  }

  RawInput input_;
  z_stream stream_{};
  bool between_members_ = false;
  bool padded_ = false;
};

class XzSource final : public ByteSource {
 public:
  explicit XzSource(RawInput input) : input_(std::move(input)) {
    WEIR_ASSERT(lzma_stream_decoder(&stream_, limits::kDecoderBytes,
                                    LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK);
  }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  Result<std::size_t> read(std::span<std::uint8_t> room) override {
    stream_.next_out = room.data();
    stream_.avail_out = room.size();
    while (stream_.avail_out == room.size() && !ended_) {
      WEIR_TRY(input_.fill());
      const auto have = input_.bytes();
      stream_.next_in = have.data();
      stream_.avail_in = have.size();
      const lzma_ret code = lzma_code(&stream_, input_.at_end() ? LZMA_FINISH : LZMA_RUN);
      input_.use(have.size() - stream_.avail_in);
      ended_ = code == LZMA_STREAM_END;
      if (code != LZMA_OK && code != LZMA_STREAM_END) return failure(code);
    }
    return room.size() - stream_.avail_out;
  }

 private:
  [[nodiscard]] std::unexpected<Error> failure(lzma_ret code) const {
    const std::string path = input_.path().string();
    switch (code) {
      case LZMA_BUF_ERROR:
        return corrupt(fmt::format("{}: the xz data is cut off: the file is not complete", path));
      case LZMA_MEM_ERROR:
      case LZMA_MEMLIMIT_ERROR:
        return over_limit(
            fmt::format("{}: the xz data wants {} MiB to be decompressed: expected "
                        "at most {}; compress it with xz -9 or less",
                        path, lzma_memusage(&stream_) >> 20, limits::kDecoderBytes >> 20));
      case LZMA_UNSUPPORTED_CHECK:
        return corrupt(fmt::format("{}: the xz data has a checksum of an unknown kind", path));
      case LZMA_OPTIONS_ERROR:
        return corrupt(fmt::format("{}: the xz data uses a filter that we do not know", path));
      case LZMA_FORMAT_ERROR:
        return corrupt(
            fmt::format("{}: bytes that are no xz stream follow the xz data: expected "
                        "the end of the file",
                        path));
      default: return corrupt(fmt::format("{}: the xz data is broken", path));
    }
  }

  RawInput input_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

Result<RawInput> open_input(const std::filesystem::path& path) {
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return system_error(path, "cannot be opened", errno);
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return system_error(path, "cannot be read", errno);
  if (S_ISDIR(status.st_mode))
    return io_error(fmt::format("{}: is a directory: expected a file", path.string()));
  return RawInput(path, std::move(fd));
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& path) {
  RawInput input = WEIR_TRY(open_input(path));
  WEIR_TRY(input.fill(std::size(kXzMagic)));
  if (input.starts_with(kGzipMagic)) return std::make_unique<GzipSource>(std::move(input));
  if (input.starts_with(kXzMagic)) return std::make_unique<XzSource>(std::move(input));
  return std::make_unique<PlainSource>(std::move(input));
}

Result<std::unique_ptr<ByteSource>> open_raw_source(const std::filesystem::path& path) {
  return std::make_unique<PlainSource>(WEIR_TRY(open_input(path)));
}

}  // namespace weir::os
