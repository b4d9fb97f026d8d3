#include "formats/toml.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::StartsWith;

std::string error_of(std::string_view text) {
  const auto table = parse_toml(text, "x.toml");
  return table ? "no error" : table.error().message;
}

TEST(ParseToml, GivesValuesWithTheirLinesInTheOrderOfTheText) {
  const auto table = parse_toml("z = 1\na = \"t\"\nf = 0.5\nb = true\n[t]\nl = [1, 2]\n", "x.toml");
  ASSERT_TRUE(table) << table.error().message;
  ASSERT_EQ(table->entries.size(), 5U);
  EXPECT_EQ(table->entries[0].key, "z");
  EXPECT_EQ(table->entries[1].key, "a");
  EXPECT_EQ(std::get<std::int64_t>(table->find("z")->content), 1);
  EXPECT_EQ(std::get<std::string>(table->find("a")->content), "t");
  EXPECT_EQ(std::get<double>(table->find("f")->content), 0.5);
  EXPECT_EQ(std::get<bool>(table->find("b")->content), true);
  const auto& inner = std::get<TomlTable>(table->find("t")->content);
  EXPECT_EQ(std::get<TomlArray>(inner.find("l")->content).size(), 2U);
  EXPECT_EQ(inner.find("l")->line, 6U);
  EXPECT_EQ(inner.find("m"), nullptr);
}

TEST(ParseToml, ReadsDatesWithoutAZone) {
  const auto table = parse_toml("d = 2017-10-01\nt = 2017-10-01T07:01:55.25\n", "x.toml");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(std::get<Instant>(table->find("d")->content), *parse_instant("2017-10-01"));
  EXPECT_EQ(std::get<Instant>(table->find("t")->content), *parse_instant("2017-10-01 07:01:55.25"));
}

TEST(ParseToml, RefusesTimesWithAZoneOrWithoutADate) {
  EXPECT_EQ(error_of("a = 1\nt = 2017-10-01T07:01:55Z\n"),
            "x.toml:2: times have no zone and always a date: expected YYYY-MM-DD HH:MM:SS");
  EXPECT_THAT(error_of("t = 07:01:55\n"), StartsWith("x.toml:1: times have no zone"));
}

TEST(ParseToml, NamesTheLineOfMalformedText) {
  EXPECT_EQ(error_of("a = 1\na = 2\n"),
            "x.toml:2: Error while parsing key-value pair: cannot redefine existing integer 'a'");
  EXPECT_THAT(error_of("a = \"\xff\"\n"), StartsWith("x.toml:1: "));
  EXPECT_THAT(error_of(std::string(1000, '[')), StartsWith("x.toml:1: "));
  EXPECT_THAT(error_of("a = " + std::string(1000, '[')), StartsWith("x.toml:1: "));
}

TEST(ParseToml, SurvivesWhatTomlPlusPlusAssertsOn) {
  EXPECT_EQ(error_of("a = 1\n[&\n"), "x.toml:2: expected the name of a table behind [");
  EXPECT_EQ(error_of("[[ =]]\n"), "x.toml:1: expected the name of a table behind [");
  EXPECT_THAT(error_of("a = 1\nb \u00dd = 2\n"), StartsWith("x.toml:2: "));
  EXPECT_THAT(error_of("\u0500 = 2\n"), StartsWith("x.toml:1: "));
}

TEST(Describe, ShowsWhatAValueIs) {
  EXPECT_EQ(describe({1, true}), "true");
  EXPECT_EQ(describe({1, std::int64_t{-5}}), "-5");
  EXPECT_EQ(describe({1, 0.25}), "0.25");
  EXPECT_EQ(describe({1, std::string("a\n")}), "\"a\\x0a\"");
  EXPECT_EQ(describe({1, Instant()}), "a date");
  EXPECT_EQ(describe({1, TomlArray{}}), "a list");
  EXPECT_EQ(describe({1, TomlTable{}}), "a table");
}

}  // namespace
}  // namespace weir
