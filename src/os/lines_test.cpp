#include "os/lines.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>

#include "base/limits.hpp"
#include "os/byte_source.hpp"
#include "support/folder.hpp"

namespace weir::os {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using weir::testing::TestFolder;

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

class Lines : public ::testing::Test {
 protected:
  // Writes `bytes` and reads them back as lines.
  Status read(const std::string& bytes, const std::string& name = "file") {
    lines_.clear();
    path_ = folder_.write(name, bytes);
    return for_each_line(path_, [&](std::string_view line, std::size_t number) {
      lines_.emplace_back(line);
      EXPECT_EQ(number, lines_.size());
      return Status{};
    });
  }

  TestFolder folder_;
  std::filesystem::path path_;
  std::vector<std::string> lines_;
};

// Many lines of all lengths, so that they cross every border of the buffers.
std::vector<std::string> long_text() {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < 3000; ++i)
    lines.push_back(std::string(i * 37 % 501, static_cast<char>('a' + i % 26)));
  lines.push_back(std::string(limits::kLineBytes, 'x'));
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST_F(Lines, ArriveInOrderAndTheLastNeedsNoNewLine) {
  ASSERT_TRUE(read("one\n\nthree"));
  EXPECT_THAT(lines_, ElementsAre("one", "", "three"));
  ASSERT_TRUE(read("one\ntwo\n"));
  EXPECT_THAT(lines_, ElementsAre("one", "two"));
}

TEST_F(Lines, AnEmptyFileHasNone) {
  ASSERT_TRUE(read(""));
  EXPECT_TRUE(lines_.empty());
}

TEST_F(Lines, ShortFilesThatBeginLikeCompressedOnesAreText) {
  ASSERT_TRUE(read("\x1f"));
  EXPECT_THAT(lines_, ElementsAre("\x1f"));
  ASSERT_TRUE(
      read("\xfd"
           "7zX\n"));
  EXPECT_THAT(lines_, ElementsAre("\xfd"
                                  "7zX"));
}

TEST_F(Lines, CrossBordersOfBuffersUnharmedPlainAndCompressed) {
  const std::vector<std::string> want = long_text();
  for (const std::string& bytes : {joined(want), gzip(joined(want)), xz(joined(want))}) {
    ASSERT_TRUE(read(bytes));
    EXPECT_EQ(lines_, want);
  }
}

TEST_F(Lines, CompressionIsToldByTheBytesNotTheName) {
  ASSERT_TRUE(read(gzip("a\n"), "file.xz"));
  EXPECT_THAT(lines_, ElementsAre("a"));
  ASSERT_TRUE(read("a\n", "file.gz"));
  EXPECT_THAT(lines_, ElementsAre("a"));
}

TEST_F(Lines, ConcatenatedMembersAreOneText) {
  ASSERT_TRUE(read(gzip("a\nb") + gzip("") + gzip("c\nd\n")));
  EXPECT_THAT(lines_, ElementsAre("a", "bc", "d"));
  ASSERT_TRUE(read(xz("a\nb") + xz("") + xz("c\nd\n")));
  EXPECT_THAT(lines_, ElementsAre("a", "bc", "d"));
}

TEST_F(Lines, ManySmallMembersAreReadWhereverTheirBordersFall) {
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += gzip("line\n");
  ASSERT_TRUE(read(bytes));
  EXPECT_EQ(lines_.size(), 5000U);
}

TEST_F(Lines, PaddingBehindCompressedDataIsIgnored) {
  ASSERT_TRUE(read(gzip("a\n") + std::string(512, '\0')));
  EXPECT_THAT(lines_, ElementsAre("a"));
  ASSERT_TRUE(read(xz("a\n") + std::string(8, '\0')));
  EXPECT_THAT(lines_, ElementsAre("a"));
}

TEST_F(Lines, ACutOffCompressedFileIsAnErrorAtEveryLength) {
  for (const std::string& bytes : {gzip("some text\nand more\n"), xz("some text\nand more\n")}) {
    for (std::size_t size = 6; size < bytes.size(); ++size) {
      const Status status = read(bytes.substr(0, size));
      ASSERT_FALSE(status) << size;
      EXPECT_EQ(status.error().code, Errc::kCorrupt);
      EXPECT_THAT(status.error().message, StartsWith(path_.string() + ": "));
      EXPECT_THAT(status.error().message, HasSubstr("cut off"));
    }
  }
}

TEST_F(Lines, BrokenOrForeignBytesInACompressedFileAreAnError) {
  std::string broken_gzip = gzip("some text\n");
  broken_gzip[broken_gzip.size() - 6] ^= 1;  // the CRC
  std::string broken_xz = xz("some text\n");
  broken_xz[40] ^= 1;
  for (const std::string& bytes :
       {broken_gzip, broken_xz, gzip("a\n") + "tail", gzip("a\n") + std::string(3, '\0') + "tail",
        xz("a\n") + "tail"}) {
    const Status status = read(bytes);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Errc::kCorrupt) << status.error().message;
  }
}

TEST_F(Lines, ALineBeyondTheLimitIsRefusedWithItsNumber) {
  for (const bool ended : {true, false}) {
    const Status status =
        read("a\n" + std::string(limits::kLineBytes + 1, 'x') + (ended ? "\n" : ""));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Errc::kLimit);
    EXPECT_THAT(status.error().message, StartsWith(path_.string() + ":2: "));
  }
}

TEST_F(Lines, AFailureOfTheHandlerEndsTheReadingAndNamesTheLine) {
  const auto path = folder_.write("file", "a\nb\nc\n");
  std::size_t seen = 0;
  const Status status = for_each_line(path, [&](std::string_view line, std::size_t) -> Status {
    ++seen;
    if (line == "b") return bad_input("expected no b");
    return {};
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(seen, 2U);
  EXPECT_EQ(status.error().code, Errc::kBadInput);
  EXPECT_EQ(status.error().message, path.string() + ":2: expected no b");
}

TEST_F(Lines, AMissingFileAndADirectoryAreNamed) {
  const LineHandler ignore = [](std::string_view, std::size_t) { return Status{}; };
  const Status missing = for_each_line(folder_.path() / "missing", ignore);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::kIo);
  EXPECT_THAT(missing.error().message,
              EndsWith("missing: cannot be opened: No such file or directory"));
  const Status directory = for_each_line(folder_.path(), ignore);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().message,
            folder_.path().string() + ": is a directory: expected a file");
}

TEST_F(Lines, AnXzFileThatWantsTooMuchMemoryIsRefused) {
  lzma_options_lzma options{};
  lzma_lzma_preset(&options, 0);
  options.dict_size = 1U << 29;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string out(1024, '\0');
  std::size_t size = 0;
  const std::uint8_t text[] = {'a', '\n'};
  ASSERT_EQ(
      lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, nullptr, text, 2,
                                reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
      LZMA_OK);
  const Status status = read(out.substr(0, size));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Errc::kLimit) << status.error().message;
}

}  // namespace
}  // namespace weir::os
