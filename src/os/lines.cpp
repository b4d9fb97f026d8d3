#include "os/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "os/byte_source.hpp"

namespace weir::os {
namespace {

constexpr std::size_t kBlock = 64 * 1024;

// Cuts blocks into lines. A line inside one block is handed on where it lies; only one that crosses
// a border is copied together.
class LineSplitter {
 public:
  LineSplitter(const std::filesystem::path& path, const LineHandler& handler)
      : path_(path), handler_(handler) {}

  Status block(std::string_view text) {
    for (;;) {
      const std::size_t end = text.find('\n');
      const std::string_view piece = text.substr(0, end);
      if (begun_.size() + piece.size() > limits::kLineBytes) return too_long();
      if (end == std::string_view::npos) {
        begun_ += piece;
        return {};
      }
      if (begun_.empty()) {
        WEIR_TRY(emit(piece));
      } else {
        begun_ += piece;
        WEIR_TRY(emit(begun_));
        begun_.clear();
      }
      text.remove_prefix(end + 1);
    }
  }

  Status finish() {
    if (begun_.empty()) return {};
    return emit(begun_);
  }

 private:
  Status emit(std::string_view line) {
    ++number_;
    Status status = handler_(line, number_);
    if (status) return status;
    Error error = std::move(status).error();
    error.message = fmt::format("{}:{}: {}", path_.string(), number_, error.message);
    return std::unexpected(std::move(error));
  }

  [[nodiscard]] std::unexpected<Error> too_long() const {
    return over_limit(fmt::format("{}:{}: the line is longer than {} bytes: is this a text file?",
                                  path_.string(), number_ + 1, with_thousands(limits::kLineBytes)));
  }

  const std::filesystem::path& path_;
  const LineHandler& handler_;
  std::string begun_;  // the start of a line whose end is not read yet
  std::size_t number_ = 0;
};

}  // namespace

Status for_each_line(const std::filesystem::path& path, const LineHandler& handler) {
  LineSplitter splitter(path, handler);
  WEIR_TRY(for_each_chunk(path, [&](std::string_view chunk) { return splitter.block(chunk); }));
  return splitter.finish();
}

Status for_each_chunk(const std::filesystem::path& path, const ChunkHandler& handler) {
  const std::unique_ptr<ByteSource> source = WEIR_TRY(open_source(path));
  std::vector<std::uint8_t> block(kBlock);
  std::size_t total = 0;
  for (;;) {
    const std::size_t count = WEIR_TRY(source->read(block));
    if (count == 0) return {};
    total += count;
    if (total > limits::kInputBytes)
      return over_limit(fmt::format("{}: longer than {} bytes once decompressed: split the file",
                                    path.string(), with_thousands(limits::kInputBytes)));
    WEIR_TRY(handler({reinterpret_cast<const char*>(block.data()), count}));
  }
}

}  // namespace weir::os
