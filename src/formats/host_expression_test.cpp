#include "formats/host_expression.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

using Names = std::vector<std::string>;

Names expanded(std::string_view text) {
  Names names;
  const Status status = expand_hosts(text, names);
  EXPECT_TRUE(status) << status.error().message;
  return names;
}

TEST(HostExpression, Expands) {
  EXPECT_EQ(expanded("n1"), (Names{"n1"}));
  EXPECT_EQ(expanded("node[001-003,012]"), (Names{"node001", "node002", "node003", "node012"}));
  EXPECT_EQ(expanded("node[8-11]"), (Names{"node8", "node9", "node10", "node11"}));
  EXPECT_EQ(expanded("a,b[1-2]x,c"), (Names{"a", "b1x", "b2x", "c"}));
  EXPECT_EQ(expanded("r[1-2]n[1-2]"), (Names{"r1n1", "r1n2", "r2n1", "r2n2"}));
  EXPECT_EQ(expanded("[1101-1102]"), (Names{"1101", "1102"}));
}

TEST(HostExpression, ErrorsNameWhatWasExpected) {
  const auto error = [](std::string_view text) {
    Names names;
    const Status status = expand_hosts(text, names);
    EXPECT_TRUE(names.empty());
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(error(""), "expected a name, found nothing between commas");
  EXPECT_EQ(error("a,,b"), "expected a name, found nothing between commas");
  EXPECT_EQ(error("a[1-2"), "expected brackets in pairs, found \"a[1-2\"");
  EXPECT_EQ(error("a1]"), "expected brackets in pairs, found \"a1]\"");
  EXPECT_EQ(error("a[]"), "expected a number or a range such as 001-010 in brackets, found \"\"");
  EXPECT_EQ(error("a[3-1]"),
            "expected a number or a range such as 001-010 in brackets, found \"3-1\"");
  EXPECT_EQ(error("a[x]"), "expected a number or a range such as 001-010 in brackets, found \"x\"");
  EXPECT_EQ(error("a[1-99999999]"), "an expression of more than 32,768 names");
  EXPECT_EQ(error("a[1-1000]b[1-1000]"), "an expression of more than 32,768 names");
  EXPECT_EQ(error("a[0-18446744073709551615]"), "an expression of more than 32,768 names");
}

TEST(HostExpression, WritesWhatItReads) {
  const Names names = {"login", "srv8", "srv9", "srv10", "srv11", "srv15"};
  EXPECT_EQ(host_expression(names), "login,srv[8-9],srv[10-11,15]");
  EXPECT_EQ(expanded(host_expression(names)), names);
}

}  // namespace
}  // namespace weir
