#include "formats/text_cursor.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(TextCursor, ReadsALineFromLeftToRight) {
  TextCursor cursor("[12] \t word rest)tail");
  EXPECT_TRUE(cursor.take("["));
  EXPECT_EQ(cursor.take_number(), 12U);
  EXPECT_FALSE(cursor.take(")"));
  EXPECT_TRUE(cursor.take("]"));
  EXPECT_EQ(cursor.take_word(), "word");
  cursor.skip_blanks();
  EXPECT_EQ(cursor.take_until(')'), "rest");
  EXPECT_EQ(cursor.take_until(')'), std::nullopt);
  EXPECT_EQ(cursor.rest(), "tail");
}

TEST(TextCursor, LeavesALineAloneWhereItCannotRead) {
  TextCursor cursor("99999999999999999999999");
  EXPECT_EQ(cursor.take_number(), std::nullopt);
  EXPECT_EQ(cursor.rest().size(), 23U);
  TextCursor empty("");
  EXPECT_TRUE(empty.at_end());
  EXPECT_EQ(empty.take_word(), "");
  EXPECT_EQ(empty.take_number(), std::nullopt);
}

}  // namespace
}  // namespace weir
