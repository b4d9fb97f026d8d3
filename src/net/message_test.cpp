#include "net/message.hpp"

#include <gtest/gtest.h>

#include "net/parser.hpp"

namespace weir::net {
namespace {

TEST(Message, FieldsAreFoundWithoutCase) {
  const Fields fields = {{"Content-Type", "a"}, {"X", "b"}, {"content-type", "c"}};
  EXPECT_EQ(find_field(fields, "CONTENT-type"), "a");
  EXPECT_EQ(find_field(fields, "Y"), "");
}

TEST(Message, AFieldCannotBeginAnother) {
  const std::string text = format_response({200, {{"A", "b\r\nSet-Cookie: c"}}, {}}, true, true);
  EXPECT_EQ(text, "HTTP/1.1 200 OK\r\nA: bSet-Cookie: c\r\nContent-Length: 0\r\n\r\n");
}

TEST(Message, EventsHaveALineForEachLine) {
  EXPECT_EQ(format_event("7", "job", "a\nb\r\nc\rd"),
            "id: 7\nevent: job\ndata: a\ndata: b\ndata: c\ndata: d\n\n");
  EXPECT_EQ(format_event("", "", ""), "data: \n\n");
  EXPECT_EQ(format_event("1\n2", "x\ry", "z"), "id: 12\nevent: xy\ndata: z\n\n");
}

TEST(ResponseParser, TakesTheAnswerCutAnywhere) {
  const std::string text = format_response({200, {{"A", "b"}}, "body"}, true, true);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    ResponseParser parser;
    parser.add(text.substr(0, cut));
    const Parsed first = parser.parse();
    EXPECT_EQ(first, cut == text.size() ? Parsed::kMessage : Parsed::kMore) << cut;
    std::string body = parser.has_head() ? parser.take_body() : "";
    parser.add(text.substr(cut));
    EXPECT_EQ(parser.parse(), Parsed::kMessage);
    EXPECT_EQ(body + parser.take_body(), "body");
    EXPECT_EQ(parser.head().status, 200U);
    EXPECT_EQ(find_field(parser.head().fields, "a"), "b");
  }
}

TEST(ResponseParser, TellsAnEndFromABreak) {
  ResponseParser whole;
  whole.add("HTTP/1.1 200 OK\r\n\r\nuntil the end");
  EXPECT_EQ(whole.parse(), Parsed::kMore);
  EXPECT_EQ(whole.end(), Parsed::kMessage);
  EXPECT_EQ(whole.take_body(), "until the end");
  ResponseParser half;
  half.add("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
  EXPECT_EQ(half.parse(), Parsed::kMore);
  EXPECT_EQ(half.end(), Parsed::kFailed);
  ResponseParser nothing;
  EXPECT_EQ(nothing.end(), Parsed::kFailed);
}

}  // namespace
}  // namespace weir::net
