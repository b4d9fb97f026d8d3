#include "net/client.hpp"

#include <thread>

#include "net/test_server.hpp"

namespace weir::net {
namespace {

using ::testing::HasSubstr;
using testing::milliseconds;
using testing::ServerTest;

using ClientTest = ServerTest;

TEST_F(ClientTest, CallsAndCallsAgain) {
  start([&](const Request& request, Responder responder) {
    responder.respond(json_response(
        201, std::string(find_field(request.fields, "content-type")) + "|" + request.body));
  });
  Client caller = client();
  const auto answer = caller.call(
      {.method = "POST", .target = "/first", .body = "{}", .content_type = "application/json"});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 201U);
  EXPECT_EQ(answer->body, "application/json|{}");
  EXPECT_EQ(find_field(answer->fields, "CONTENT-TYPE"), "application/json");
  const auto again = caller.call({.target = "/second"});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->body, "|");
}

TEST_F(ClientTest, KeepsItsConnection) {
  start_echo({.connections = 1});
  Client caller = client();
  for (int i = 0; i < 20; ++i) {
    const auto answer = caller.call({.target = "/"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200U) << "a second connection would get 503";
  }
}

TEST_F(ClientTest, AnErrorOfTheServerIsAnAnswer) {
  start([](const Request&, Responder responder) {
    responder.respond(error_response(404, "there is no job 7"));
  });
  const auto answer = client().call({.target = "/jobs/7"});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 404U);
  EXPECT_EQ(answer->body, "{\"error\":{\"status\":404,\"message\":\"there is no job 7\"}}\n");
}

TEST_F(ClientTest, AnErrorIsNoPieceOfAStream) {
  start([](const Request&, Responder responder) {
    responder.respond(error_response(404, "there is no job 7"));
  });
  std::string pieces;
  const auto answer = client().stream({.target = "/jobs/7/logs"}, [&](std::string_view piece) {
    pieces += piece;
    return true;
  });
  ASSERT_TRUE(answer);
  EXPECT_EQ(pieces, "");
  EXPECT_THAT(answer->body, HasSubstr("there is no job 7"));
}

TEST_F(ClientTest, SaysHowToStartAController) {
  const auto missing = client().call({.target = "/"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::kIo);
  EXPECT_EQ(missing.error().message, "no controller listens at " + path().string() +
                                         ": start one with `weir serve` or `weir up`");
  {
    const auto left = listen_at(path(), 0600);
  }
  const auto dead = client().call({.target = "/"});
  ASSERT_FALSE(dead);
  EXPECT_THAT(dead.error().message, HasSubstr("no controller listens at"));
}

TEST_F(ClientTest, WaitsNoLongerThanItMay) {
  std::vector<Responder> kept;
  start([&](const Request&, Responder responder) { kept.push_back(std::move(responder)); });
  Client caller({.socket = path(), .answer = milliseconds(30)});
  const auto answer = caller.call({.target = "/"});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("no answer within 30 ms"));
  server_.reset();
}

TEST_F(ClientTest, ReconnectsAfterTheServerClosedAnIdleConnection) {
  start_echo();
  Client caller = client();
  ASSERT_TRUE(caller.call({.target = "/"}));
  server_.reset();
  start_echo();
  const auto again = caller.call({.target = "/again"});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->body, "GET /again ");
}

TEST_F(ClientTest, SaysWhenTheConnectionBreaksInsideAnAnswer) {
  start([&](const Request&, Responder responder) {
    responder.stream({200, {}, {}}).write("half of it");
  });
  const auto answer = client().call({.target = "/"});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("not known"));
}

TEST_F(ClientTest, TakesLargeBodiesBothWays) {
  start_echo();
  const std::string body(9'000'000, 'z');
  const auto answer = client().call({.method = "PUT", .target = "/", .body = body});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "PUT / " + body);
  Client small({.socket = path(), .body_bytes = 1'000});
  const auto refused = small.call({.method = "PUT", .target = "/", .body = body});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kLimit);
}

TEST_F(ClientTest, GetsTheRefusalOfABodyThatIsTooLarge) {
  start_echo({.message = {.body_bytes = 100}});
  const auto answer =
      client().call({.method = "POST", .target = "/", .body = std::string(30'000'000, 'x')});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 413U);
}

TEST_F(ClientTest, HeadHasNoBody) {
  start_echo();
  Client caller = client();
  const auto head = caller.call({.method = "HEAD", .target = "/"});
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(find_field(head->fields, "content-length"), "7");
  EXPECT_TRUE(caller.call({.target = "/"}));
}

TEST_F(ClientTest, FollowsAStreamToItsEnd) {
  std::thread writer;
  start([&](const Request&, Responder responder) {
    writer = std::thread([stream = responder.stream({200, {}, {}})]() mutable {
      for (int i = 0; i < 1'000; ++i) stream.write("line " + std::to_string(i) + "\n");
      stream.end();
    });
  });
  std::string all;
  Client caller = client();
  const auto done = caller.stream({.target = "/log"}, [&](std::string_view piece) {
    all += piece;
    return true;
  });
  server_.reset();  // then `writer` is set
  writer.join();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->status, 200U);
  EXPECT_TRUE(all.starts_with("line 0\nline 1\n"));
  EXPECT_TRUE(all.ends_with("line 999\n"));
}

TEST_F(ClientTest, LeavesAStreamWhenItHasEnough) {
  std::vector<Responder::Stream> kept;
  start([&](const Request&, Responder responder) {
    kept.push_back(responder.stream({200, {}, {}}));
    kept.back().write("first");
  });
  Client caller = client();
  std::string all;
  const auto done = caller.stream({.target = "/log"}, [&](std::string_view piece) {
    all += piece;
    return false;
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(all, "first");
  server_.reset();
}

}  // namespace
}  // namespace weir::net
