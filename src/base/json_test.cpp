#include "base/json.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace weir {
namespace {

TEST(JsonWriter, WritesKeysInOrderWithIndent) {
  JsonWriter json;
  json.begin_object();
  json.field("jobs", 3);
  json.key("tags");
  json.begin_array();
  json.value("a");
  json.value(true);
  json.null();
  json.end_array();
  json.key("none");
  json.begin_object();
  json.end_object();
  json.end_object();
  EXPECT_EQ(json.text(),
            "{\n  \"jobs\": 3,\n  \"tags\": [\n    \"a\",\n    true,\n    null\n  ],\n"
            "  \"none\": {}\n}");
}

TEST(JsonWriter, AListHasWhatIsWrittenForEachItem) {
  JsonWriter json(0);
  json.begin_object();
  json.list("odd", std::vector<int>{1, 2, 3}, [&](int number) {
    if (number % 2 == 1) json.value(number);
  });
  json.list("none", std::vector<int>(), [&](int number) { json.value(number); });
  json.end_object();
  EXPECT_EQ(json.text(), "{\"odd\":[1,3],\"none\":[]}");
}

TEST(JsonWriter, WithoutIndentWritesOneLine) {
  JsonWriter json(0);
  json.begin_object();
  json.field("a", 1);
  json.field("b", "x");
  json.key("c");
  json.begin_array();
  json.end_array();
  json.end_object();
  EXPECT_EQ(json.text(), "{\"a\":1,\"b\":\"x\",\"c\":[]}");
}

TEST(JsonWriter, EscapesWhatJsonMayNotHold) {
  JsonWriter json(0);
  json.value("q\" b\\ n\n t\t r\r zero\x01 é/");
  EXPECT_EQ(json.text(), "\"q\\\" b\\\\ n\\n t\\t r\\u000d zero\\u0001 é/\"");
}

TEST(JsonWriter, ReplacesBytesThatAreNoUtf8) {
  JsonWriter json(0);
  json.begin_array();
  // Stray continuation, cut sequence, overlong, surrogate, beyond U+10FFFF, Latin-1.
  for (const char* text :
       {"a\x80z", "a\xe2\x82", "a\xc0\xafz", "\xed\xa0\x80", "\xf4\x90\x80\x80", "caf\xe9"})
    json.value(text);
  json.value("\xf0\x9f\x98\x80 €");
  json.end_array();
  EXPECT_EQ(json.text(),
            "[\"a\\ufffdz\",\"a\\ufffd\\ufffd\",\"a\\ufffd\\ufffdz\",\"\\ufffd\\ufffd\\ufffd\","
            "\"\\ufffd\\ufffd\\ufffd\\ufffd\",\"caf\\ufffd\",\"\xf0\x9f\x98\x80 €\"]");
}

TEST(JsonWriter, WritesIntegersWhole) {
  JsonWriter json(0);
  json.begin_array();
  json.value(std::numeric_limits<std::int64_t>::min());
  json.value(std::numeric_limits<std::uint64_t>::max());
  json.value(std::uint8_t{7});
  json.end_array();
  EXPECT_EQ(json.text(), "[-9223372036854775808,18446744073709551615,7]");
}

TEST(JsonWriter, NumbersThatAreNoneAreNull) {
  JsonWriter json(0);
  json.begin_array();
  json.value(std::nan(""));
  json.value(std::numeric_limits<double>::infinity());
  json.end_array();
  EXPECT_EQ(json.text(), "[null,null]");
}

TEST(JsonNumber, IsShortAndWithoutExponentWhereAPersonWouldWriteNone) {
  EXPECT_EQ(json_number(0.71), "0.71");
  EXPECT_EQ(json_number(100.0), "100");
  EXPECT_EQ(json_number(1e-7), "1e-07");
  EXPECT_EQ(json_number(0), "0");
  EXPECT_EQ(json_number(-0.5), "-0.5");
  EXPECT_EQ(json_number(1e-5), "0.00001");
  EXPECT_EQ(json_number(123456789012345.0), "123456789012345");
  EXPECT_EQ(json_number(1e15), "1e+15");
  EXPECT_EQ(json_number(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(json_number(5e-324), "5e-324");
}

RC_GTEST_PROP(JsonNumber, ReadsBackTheSame, ()) {
  const auto number = *rc::gen::arbitrary<double>();
  const std::string text = json_number(number);
  double back = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), back).ptr;
  RC_ASSERT(end == text.data() + text.size());
  RC_ASSERT(back == number);
}

TEST(JsonWriterDeathTest, UnclosedObjectsBreakAnInvariant) {
  JsonWriter json;
  json.begin_object();
  EXPECT_DEATH(static_cast<void>(json.text()), "invariant broken: first_.empty");
}

}  // namespace
}  // namespace weir
