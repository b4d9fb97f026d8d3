#include "formats/json_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

using ::testing::StartsWith;

TEST(JsonText, BecomesPlainValues) {
  const auto root = parse_json(
      "{\"text\": \"a\\u00e9\\n\", \"whole\": -5, \"real\": 2.5, \"big\": 18446744073709551615,\n"
      " \"no\": false, \"nothing\": null, \"list\": [1, [true]], \"table\": {\"a\": {}}}\n");
  ASSERT_TRUE(root) << root.error().message;
  const auto& table = std::get<TomlTable>(root->content);
  const auto text_of = [&](std::string_view key) { return describe(*table.find(key)); };
  EXPECT_EQ(std::get<std::string>(table.find("text")->content), "aé\n");
  EXPECT_EQ(text_of("whole"), "-5");
  EXPECT_EQ(text_of("real"), "2.5");
  EXPECT_TRUE(std::holds_alternative<double>(table.find("big")->content));
  EXPECT_EQ(text_of("no"), "false");
  EXPECT_EQ(table.find("nothing"), nullptr) << "a null is as if the key were not there";
  const auto& list = std::get<TomlArray>(table.find("list")->content);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(describe(std::get<TomlArray>(list[1].content)[0]), "true");
  EXPECT_NE(std::get<TomlTable>(table.find("table")->content).find("a"), nullptr);
}

TEST(JsonText, RefusesWhatIsNoneByLine) {
  const auto error = [](std::string_view text) {
    const auto root = parse_json(text);
    return root ? "accepted" : root.error().message;
  };
  EXPECT_EQ(error(" 5 "), "accepted");
  EXPECT_THAT(error("{\n\"a\": 1,\n}"), StartsWith("line 3: no JSON"));
  EXPECT_THAT(error("{\n\"a\": 1, \"a\": 2}"), "line 2: the key \"a\" is there twice");
  EXPECT_THAT(error("[\n\nnull]"), "line 3: a null where a value is expected");
  EXPECT_THAT(error("null"), "line 1: a null where a value is expected");
  EXPECT_THAT(error("{} {}"), StartsWith("line 1: no JSON"));
  EXPECT_THAT(error("\"\xff\""), StartsWith("line 1: no JSON"));
  EXPECT_EQ(error(std::string(32, '[') + std::string(32, ']')), "accepted");
  EXPECT_THAT(error(std::string(33, '[') + std::string(33, ']')), StartsWith("line 1: no JSON"));
  EXPECT_EQ(parse_json(std::string(limits::kRequestBytes + 1, ' ')).error().code, Errc::kLimit);
}

}  // namespace
}  // namespace weir
