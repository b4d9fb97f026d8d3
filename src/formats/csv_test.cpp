#include "formats/csv.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

using ::testing::HasSubstr;

CsvTable table_with(std::string_view header) {
  CsvTable table({"name", "size"});
  const Status status = table.header(header);
  EXPECT_TRUE(status) << status.error().message;
  return table;
}

std::string message(const Status& status) { return status ? "no error" : status.error().message; }

TEST(CsvTable, FindsColumnsByNameInAnyOrder) {
  CsvTable table = table_with("size,other,name");
  ASSERT_TRUE(table.row("3,x,node"));
  EXPECT_EQ(table.raw(0), "node");
  EXPECT_EQ(table.raw(1), "3");
}

TEST(CsvTable, NamesTheColumnThatTheHeaderLacksOrHasTwice) {
  CsvTable lacking({"name", "size"});
  EXPECT_EQ(message(lacking.header("name,sizes")),
            "the header lacks the column size: expected name, size");
  CsvTable doubled({"name", "size"});
  EXPECT_EQ(message(doubled.header("name,size,name")), "the header has the column name twice");
  EXPECT_EQ(lacking.no_header().error().message, "no header line: expected the columns name, size");
}

TEST(CsvTable, ARowHasAsManyFieldsAsTheHeader) {
  CsvTable table = table_with("name,size");
  EXPECT_EQ(message(table.row("a")), "expected 2 fields as in the header, found 1");
  EXPECT_EQ(message(table.row("a,1,")), "expected 2 fields as in the header, found 3");
  EXPECT_TRUE(table.row(","));
}

TEST(CsvTable, QuotesFollowTheRfc) {
  CsvTable table = table_with("\"name\",size");
  ASSERT_TRUE(table.row("\"a, \"\"b\"\"\",\"\""));
  EXPECT_EQ(table.raw(0), "a, \"b\"");
  EXPECT_EQ(table.raw(1), "");
  EXPECT_EQ(message(table.row("\"a,1")), "field 1: the quote is not closed on this line");
  EXPECT_EQ(message(table.row("\"a\"b,1")), "field 1: expected a comma behind the closing quote");
  EXPECT_THAT(message(table.row("x,a\"b\"")), HasSubstr("field 2: a quote inside an unquoted"));
}

TEST(CsvTable, TakesTheHeaderThenRows) {
  CsvTable table({"name"});
  EXPECT_FALSE(table.take("").value());
  EXPECT_FALSE(table.take("name").value());
  EXPECT_TRUE(table.take("a").value());
  EXPECT_EQ(table.raw(0), "a");
  EXPECT_FALSE(table.take("").value());
  EXPECT_THAT(table.take("a,b").error().message, HasSubstr("expected 1 fields"));
}

TEST(CsvTable, BytesThatAreNoTextAreNamed) {
  CsvTable table({"name"});
  EXPECT_THAT(message(table.header(std::string_view("na\0me", 5))), HasSubstr("a zero byte"));
  EXPECT_THAT(message(table.header("\xef\xbb\xbfname")), HasSubstr("a byte-order mark"));
  ASSERT_TRUE(table.header("name"));
  EXPECT_THAT(message(table.row(std::string_view("a\0", 2))), HasSubstr("a zero byte"));
}

TEST(CsvTable, CarriageReturnsAreNamed) {
  CsvTable table({"name"});
  EXPECT_THAT(message(table.header("name\r")), HasSubstr("the line ends with CR LF"));
}

TEST(CsvTable, NumbersStayInTheirRange) {
  CsvTable table = table_with("name,size");
  ASSERT_TRUE(table.row("a,5"));
  EXPECT_EQ(table.number(1, 1, 5), 5U);
  const auto large = table.number(1, 1, 4);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().message, "size: expected a whole number from 1 to 4, found \"5\"");
  for (const char* row : {"a,", "a,-1", "a,0", "a,1.0", "a, 1", "a,99999999999999999999"}) {
    ASSERT_TRUE(table.row(row));
    EXPECT_FALSE(table.number(1, 1, 100)) << row;
  }
}

TEST(CsvTable, DurationsAreSecondsThatMayHaveAFraction) {
  CsvTable table = table_with("name,size");
  ASSERT_TRUE(table.row("a,66.0"));
  EXPECT_EQ(table.duration(1), Duration(66'000'000));
  ASSERT_TRUE(table.row("a,0.25"));
  EXPECT_EQ(table.duration(1), Duration(250'000));
  ASSERT_TRUE(table.row("a,63072000"));
  EXPECT_EQ(table.duration(1), limits::kLongestDuration);
  for (const char* row : {"a,-1", "a,63072001", "a,nan", "a,inf", "a,1h", "a,"}) {
    ASSERT_TRUE(table.row(row));
    const auto refused = table.duration(1);
    ASSERT_FALSE(refused) << row;
    EXPECT_THAT(refused.error().message,
                HasSubstr("size: expected seconds from 0 to 63072000, found "));
  }
}

TEST(CsvTable, NamesHaveALimit) {
  CsvTable table = table_with("name,size");
  const std::string longest = std::string(limits::kNameBytes, 'x') + ",1";
  ASSERT_TRUE(table.row(longest));
  EXPECT_TRUE(table.name(0));
  const std::string longer = "x" + longest;
  ASSERT_TRUE(table.row(longer));
  const auto refused = table.name(0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kLimit);
}

}  // namespace
}  // namespace weir
