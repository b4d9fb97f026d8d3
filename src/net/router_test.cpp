#include "net/router.hpp"

#include <gtest/gtest.h>

namespace weir::net {
namespace {

Router sample() {
  Router router;
  router.add("GET", "/", 1);
  router.add("GET", "/v1/jobs", 2);
  router.add("POST", "/v1/jobs", 3);
  router.add("GET", "/v1/jobs/{id}", 4);
  router.add("DELETE", "/v1/jobs/{id}", 5);
  router.add("GET", "/v1/jobs/finished", 6);
  router.add("GET", "/v1/jobs/{id}/tasks/{task}/log", 7);
  router.add("GET", "/v1/{kind}/finished", 8);
  return router;
}

Route find(std::string_view method, std::string_view target) {
  const auto parsed = parse_target(target);
  EXPECT_TRUE(parsed);
  return sample().find(method, parsed.value_or(Target{}));
}

TEST(Router, FindsByMethodAndPath) {
  EXPECT_EQ(find("GET", "/").handler, 1U);
  EXPECT_EQ(find("GET", "/v1/jobs").handler, 2U);
  EXPECT_EQ(find("GET", "/v1/jobs/").handler, 2U);
  EXPECT_EQ(find("POST", "/v1/jobs?dry=1").handler, 3U);
  EXPECT_EQ(find("HEAD", "/v1/jobs").handler, 2U);
  EXPECT_EQ(find("DELETE", "/v1/jobs/7").handler, 5U);
}

TEST(Router, GivesTheNamedSegments) {
  const Route route = find("GET", "/v1/jobs/a%2Fb/tasks/12/log");
  ASSERT_EQ(route.handler, 7U);
  EXPECT_EQ(route.parameter("id"), "a/b");
  EXPECT_EQ(route.parameter("task"), "12");
}

TEST(Router, WrittenOutGoesBeforeNamed) {
  EXPECT_EQ(find("GET", "/v1/jobs/finished").handler, 6U);
  EXPECT_EQ(find("GET", "/v1/nodes/finished").handler, 8U);
  EXPECT_EQ(find("GET", "/v1/jobs/other").handler, 4U);
}

TEST(Router, TellsWhatIsNotThereFromWhatIsNotAllowed) {
  EXPECT_EQ(find("GET", "/v2/jobs").status, 404U);
  EXPECT_EQ(find("GET", "/v1/jobs/7/tasks").status, 404U);
  EXPECT_EQ(find("GET", "/v1/jobs//tasks/1/log").status, 404U);
  const Route route = find("PUT", "/v1/jobs");
  EXPECT_EQ(route.status, 405U);
  EXPECT_EQ(route.allow, "GET, HEAD, POST");
  EXPECT_EQ(find("POST", "/v1/jobs/7").allow, "DELETE, GET, HEAD");
}

TEST(Target, IsDecoded) {
  const auto target = parse_target("/a%20b/c?x=1+2&y=%2B&flag&x=3&=&&");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->segments, (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(target->parameter("x"), "1 2");
  EXPECT_EQ(target->parameter("y"), "+");
  EXPECT_EQ(target->parameter("flag"), "");
  EXPECT_FALSE(target->parameter("z"));
  EXPECT_EQ(target->query.size(), 5U);
  EXPECT_EQ(parse_target("/a+b")->segments.front(), "a+b");
}

TEST(Target, RefusesWhatIsNone) {
  for (const char* const text : {"", "a", "*", "http://x/", "/%", "/%1", "/%g0", "/%00", "/a/../b",
                                 "/.", "/%2e%2e", "/a?x=%", "/a?%zz=1"})
    EXPECT_FALSE(parse_target(text)) << text;
}

TEST(Target, EncodingComesBack) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(percent_decode(percent_encode(all), false), all);
  EXPECT_EQ(percent_decode(percent_encode(all), true), all);
  EXPECT_EQ(percent_encode("job 7/ä"), "job%207%2F%C3%A4");
}

}  // namespace
}  // namespace weir::net
