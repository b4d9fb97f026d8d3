#include "core/digest.hpp"

#include <array>

#include <gtest/gtest.h>

namespace weir::core {
namespace {

TEST(Digest, OfNothingIsBlake2bOfNoBytes) {
  EXPECT_EQ(Digest().hex(), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
}

// python3: hashlib.blake2b(b"\x03\0\0\0abc" + b"\0\0\0\0", digest_size=32).hexdigest()
TEST(Digest, EntersEachRecordAfterItsLength) {
  Digest digest;
  constexpr std::array<std::uint8_t, 3> kAbc{'a', 'b', 'c'};
  digest.record(kAbc);
  digest.record({});
  EXPECT_EQ(digest.hex(), "7daa47238e07224d6e28129dbba84908de9eaa88bb7f7b2a4eeaf0a760477e61");
}

TEST(Digest, TellsHowTheBytesAreCutIntoRecords) {
  constexpr std::array<std::uint8_t, 2> kAb{'a', 'b'};
  Digest one;
  one.record(kAb);
  Digest two;
  two.record(ByteSpan(kAb).first(1));
  two.record(ByteSpan(kAb).last(1));
  EXPECT_NE(one.hex(), two.hex());
}

TEST(Digest, GoesOnAfterItWasRead) {
  constexpr std::array<std::uint8_t, 1> kA{'a'};
  Digest read;
  Digest unread;
  static_cast<void>(read.hex());
  read.record(kA);
  unread.record(kA);
  EXPECT_EQ(read.hex(), unread.hex());
}

TEST(RecordCheck, DependsOnPositionAndBytes) {
  constexpr std::array<std::uint8_t, 2> kAb{'a', 'b'};
  EXPECT_EQ(record_check(3, kAb), record_check(3, kAb));
  EXPECT_NE(record_check(3, kAb), record_check(4, kAb));
  EXPECT_NE(record_check(3, kAb), record_check(3, ByteSpan(kAb).first(1)));
  EXPECT_NE(record_check(0, {}), record_check(1, {}));
}

}  // namespace
}  // namespace weir::core
