#include "base/bytes.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace weir {
namespace {

using Buffer = std::vector<std::uint8_t>;

RC_GTEST_PROP(Bytes, WhatIsWrittenReadsBackEqual, ()) {
  const auto byte = *rc::gen::arbitrary<std::uint8_t>();
  // All magnitudes, not only small numbers.
  const std::uint64_t number = *rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(0, 64);
  const auto difference =
      static_cast<std::int64_t>(*rc::gen::arbitrary<std::uint64_t>()) >> *rc::gen::inRange(0, 64);
  const auto text = *rc::gen::arbitrary<std::string>();
  ByteWriter writer;
  writer.u8(byte);
  writer.unsigned_number(number);
  writer.signed_number(difference);
  writer.text(text);
  ByteReader reader(writer.bytes());
  RC_ASSERT(reader.u8() == byte);
  RC_ASSERT(reader.unsigned_number() == number);
  RC_ASSERT(reader.signed_number() == difference);
  RC_ASSERT(reader.text(text.size()) == text);
  RC_ASSERT(reader.ok());
  RC_ASSERT(reader.at_end());
}

TEST(Bytes, NumbersAtTheEndsOfTheirRangesReadBack) {
  ByteWriter writer;
  writer.unsigned_number(UINT64_MAX);
  writer.signed_number(INT64_MIN);
  writer.signed_number(INT64_MAX);
  writer.signed_number(-1);
  EXPECT_EQ(writer.bytes().size(), 31U);
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.unsigned_number(), UINT64_MAX);
  EXPECT_EQ(reader.signed_number(), INT64_MIN);
  EXPECT_EQ(reader.signed_number(), INT64_MAX);
  EXPECT_EQ(reader.signed_number(), -1);
  EXPECT_TRUE(reader.ok() && reader.at_end());
}

// Any calls on any bytes; the copy on the heap lets the address sanitizer see a step too far.
RC_GTEST_PROP(ByteReader, NeverReadsPastItsEnd, ()) {
  const auto bytes = *rc::gen::arbitrary<Buffer>();
  const auto calls = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6));
  ByteReader reader(bytes);
  for (const int call : calls) {
    const bool was_ok = reader.ok();
    const std::size_t before = reader.position();
    std::uint64_t value = 0;
    switch (call) {
      case 0: value = reader.u8(); break;
      case 1: value = reader.unsigned_number(); break;
      case 2: value = static_cast<std::uint64_t>(reader.signed_number()); break;
      case 3: value = reader.text(10).size(); break;
      case 4: value = reader.count(); break;
      default: value = reader.below(100); break;
    }
    RC_ASSERT(reader.position() >= before);
    RC_ASSERT(reader.position() <= bytes.size());
    RC_ASSERT(was_ok || !reader.ok());
    if (!reader.ok()) RC_ASSERT(value == 0U);
  }
}

RC_GTEST_PROP(ByteReader, EveryProperPrefixOfARecordIsBad, ()) {
  ByteWriter writer;
  writer.unsigned_number(*rc::gen::arbitrary<std::uint64_t>());
  writer.text(*rc::gen::arbitrary<std::string>());
  const ByteSpan whole = writer.bytes();
  ByteReader reader(whole.first(*rc::gen::inRange<std::size_t>(0, whole.size())));
  reader.unsigned_number();
  reader.text(1000);
  RC_ASSERT(!reader.ok());
}

TEST(ByteReader, RefusesPaddedAndOversizedVarints) {
  for (const Buffer& bytes : {
           Buffer{0x80, 0x00},        // zero in two bytes
           Buffer{0xff, 0x80, 0x00},  // padding behind a number
           Buffer{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},  // a 65th bit
           Buffer{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
           Buffer{0x80},
       }) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.unsigned_number(), 0U);
    EXPECT_FALSE(reader.ok());
  }
}

RC_GTEST_PROP(ByteReader, ANumberHasOneEncoding, ()) {
  const auto bytes = *rc::gen::arbitrary<Buffer>();
  ByteReader reader(bytes);
  const std::uint64_t number = reader.unsigned_number();
  if (!reader.ok()) return;
  ByteWriter writer;
  writer.unsigned_number(number);
  RC_ASSERT(Buffer(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(reader.position())) ==
            Buffer(writer.bytes().begin(), writer.bytes().end()));
}

TEST(ByteReader, CountsAndTextsAreBoundByWhatIsLeft) {
  const Buffer three{3, 1, 2, 3};
  EXPECT_EQ(ByteReader(three).count(), 3U);
  const Buffer four{4, 1, 2, 3};
  ByteReader counts(four);
  EXPECT_EQ(counts.count(), 0U);
  EXPECT_FALSE(counts.ok());
  ByteReader texts(three);
  EXPECT_EQ(texts.text(2), "");
  EXPECT_FALSE(texts.ok());
  ByteReader bounded(three);
  EXPECT_EQ(bounded.below(3), 0U);
  EXPECT_FALSE(bounded.ok());
}

TEST(ByteReader, StaysBadOnceItIs) {
  const Buffer bytes{1, 2, 3};
  ByteReader reader(bytes);
  reader.fail();
  EXPECT_EQ(reader.u8(), 0U);
  EXPECT_EQ(reader.position(), 0U);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace weir
