#include "identity/token.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "identity/test_times.hpp"

namespace weir::identity {
namespace {

using ::testing::HasSubstr;

const std::string kKey(64, 'a');

struct Made {
  TokenTable table;
  std::string secret = make_secret();

  explicit Made(const std::string& node = "") {
    EXPECT_TRUE(table.add({hash_secret(secret), kNow + kHour, node, {}, {}}));
  }
  std::string use(const std::string& node, const std::string& key = kKey, Instant now = kNow) {
    const Status status = table.use({secret, node, key}, now);
    return status ? "" : status.error().message;
  }
};

TEST(Token, ReadsAsItIsWritten) {
  const TokenText token{make_secret(), std::string(64, '0')};
  EXPECT_EQ(parse_token(to_text(token)).value(), token);
  EXPECT_EQ(parse_token(" " + to_text(token) + "\n").value(), token);
  EXPECT_NE(make_secret(), token.secret);
}

TEST(Token, WhatIsNoTokenIsRefusedWithoutShowingIt) {
  const std::string good = to_text({make_secret(), std::string(64, '0')});
  for (const std::string& text : {std::string(), good + "0", good.substr(1), "weir-" + good,
                                  good.substr(0, good.size() - 1) + "G"}) {
    const auto refused = parse_token(text);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("weir token create"));
    EXPECT_EQ(refused.error().message.find(good.substr(10, 10)), std::string::npos);
  }
}

TEST(Token, IsUsedOnce) {
  Made made;
  EXPECT_EQ(made.use("n1"), "");
  EXPECT_THAT(made.use("n2"), HasSubstr("has been used"));
  EXPECT_THAT(made.use("n1", std::string(64, 'b')), HasSubstr("has been used"));
}

TEST(Token, AnAnswerThatWasLostIsGivenAgainToTheSameNodeAndKey) {
  Made made;
  EXPECT_EQ(made.use("n1"), "");
  EXPECT_EQ(made.use("n1"), "");
  EXPECT_THAT(made.use("n1", kKey, kNow + kHour), HasSubstr("expired"));
}

TEST(Token, ExpiresAtItsTime) {
  Made made;
  EXPECT_THAT(made.use("n1", kKey, kNow + kHour), HasSubstr("expired at"));
  EXPECT_EQ(made.use("n1", kKey, kNow + kHour + Duration(-1)), "");
  made.table.drop_expired(kNow + kHour + Duration(-1));
  EXPECT_EQ(made.table.tokens().size(), 1U);
  made.table.drop_expired(kNow + kHour);
  EXPECT_TRUE(made.table.tokens().empty());
  EXPECT_THAT(made.use("n1"), HasSubstr("unknown"));
}

TEST(Token, MayBeBoundToANode) {
  Made made("n1");
  EXPECT_THAT(made.use("n2"), HasSubstr("another node than n2"));
  EXPECT_EQ(made.use("n1"), "");
}

TEST(Token, AnUnknownSecretIsRefused) {
  Made made;
  EXPECT_FALSE(made.table.use({make_secret(), "n1", kKey}, kNow));
}

TEST(Token, TheTableHoldsNoSecretAndReadsAsItIsWritten) {
  Made made("n1");
  EXPECT_EQ(made.use("n1"), "");
  EXPECT_TRUE(made.table.add({hash_secret("x"), kNow, "", "", ""}));
  const std::string text = made.table.text();
  EXPECT_EQ(text.find(made.secret), std::string::npos);
  EXPECT_EQ(TokenTable::parse(text).value(), made.table);
}

TEST(Token, ABrokenTableNamesTheLine) {
  EXPECT_THAT(TokenTable::parse("x").error().message, HasSubstr("line 1"));
  const std::string text = Made().table.text();
  for (const std::string& broken :
       {text + "\n", text + "zz 1 - - -\n", text + std::string(64, 'a') + " x - - -\n"}) {
    const auto refused = TokenTable::parse(broken);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::kCorrupt);
    EXPECT_THAT(refused.error().message, HasSubstr("line 3"));
  }
}

TEST(Token, ThereIsALimit) {
  TokenTable table;
  for (std::size_t i = 0; i < limits::kJoinTokens; ++i)
    ASSERT_TRUE(table.add({"h", kNow, "", "", ""}));
  EXPECT_EQ(table.add({"h", kNow, "", "", ""}).error().code, Errc::kLimit);
}

}  // namespace
}  // namespace weir::identity
