#include "net/responder.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "net/test_server.hpp"

namespace weir::net {
namespace {

using ::testing::HasSubstr;
using testing::RawClient;
using testing::ServerTest;

// Answers wait for the test, in the order of the requests.
class LateServerTest : public ServerTest {
 protected:
  void start_late(ServerLimits limits = {}) {
    start(
        [this](const Request&, Responder responder) {
          {
            const std::lock_guard guard(late_mutex_);
            responders_.push_back(std::move(responder));
          }
          came_.notify_all();
        },
        limits);
  }
  Responder next() {
    std::unique_lock guard(late_mutex_);
    came_.wait(guard, [&] { return !responders_.empty(); });
    Responder responder = std::move(responders_.front());
    responders_.pop_front();
    return responder;
  }

  std::mutex late_mutex_;
  std::condition_variable came_;
  std::deque<Responder> responders_;
};

TEST_F(LateServerTest, AnswersLaterFromAnotherThread) {
  start_late();
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
  std::thread core([this] {
    next().respond({200, {}, "one"});
    next().respond({200, {}, "two"});
  });
  EXPECT_THAT(raw.read("one"), HasSubstr("200 OK"));
  EXPECT_THAT(raw.read("two"), HasSubstr("200 OK"));
  core.join();
}

TEST_F(LateServerTest, TheFirstAnswerCountsAndNoneIsAnError) {
  start_late();
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  {
    Responder responder = next();
    Responder copy = responder;
    copy.respond({200, {}, "first"});
    responder.respond({200, {}, "second"});
  }
  EXPECT_THAT(raw.read("first"), HasSubstr("200 OK"));
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  next();
  EXPECT_THAT(raw.read("}}"), HasSubstr("HTTP/1.1 500"));
}

TEST_F(LateServerTest, AClientThatClosedItsHalfStillGetsItsAnswer) {
  start_late();
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
  raw.end_sending();
  next().respond({200, {}, "one"});
  next().respond({200, {}, "two"});
  const std::string answers = raw.read();
  EXPECT_THAT(answers, HasSubstr("one"));
  EXPECT_THAT(answers, HasSubstr("two"));
}

TEST_F(LateServerTest, StreamsInPieces) {
  start_late();
  RawClient raw(path());
  raw.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
  Responder::Stream stream = next().stream({200, {{"Content-Type", "text/event-stream"}}, {}});
  EXPECT_EQ(raw.read("\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
            "\r\n");
  EXPECT_TRUE(stream.write("data: 1\n\n"));
  EXPECT_EQ(raw.read("1\n\n\r\n"), "9\r\ndata: 1\n\n\r\n");
  EXPECT_TRUE(stream.write(""));
  EXPECT_TRUE(stream.write("x"));
  stream.end();
  EXPECT_FALSE(stream.write("y"));
  EXPECT_EQ(raw.read("0\r\n\r\n"), "1\r\nx\r\n0\r\n\r\n");
  // And the connection goes on.
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  next().respond({200, {}, "after"});
  EXPECT_THAT(raw.read("after"), HasSubstr("200 OK"));
}

TEST_F(LateServerTest, AStreamThatNobodyEndedIsSeenToBeBroken) {
  start_late();
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  {
    Responder::Stream stream = next().stream({200, {}, {}});
    EXPECT_TRUE(stream.write("half"));
  }
  EXPECT_THAT(raw.read(), ::testing::Not(HasSubstr("0\r\n\r\n")));
}

TEST_F(LateServerTest, AStreamThatIsOverBeforeItIsSentArrivesWhole) {
  start_late();
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  {
    Responder::Stream stream = next().stream({200, {}, {}});
    stream.write("all");
    stream.end();
  }
  EXPECT_THAT(raw.read(), HasSubstr("3\r\nall\r\n0\r\n\r\n"));
}

TEST_F(ServerTest, AStreamsPiecesNeverOvertakeItsHead) {
  start([](const Request&, Responder responder) {
    Responder::Stream stream = responder.stream({200, {}, {}});
    std::thread other([&stream] {
      stream.write("all");
      stream.end();
    });
    other.join();
  });
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(raw.read(), HasSubstr("\r\n\r\n3\r\nall\r\n0\r\n\r\n"));
}

TEST_F(LateServerTest, ASlowReaderOfAStreamIsCutOff) {
  start_late({.stream_bytes = 100'000});
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  Responder::Stream stream = next().stream({200, {}, {}});
  const std::string piece(10'000, 'x');
  std::size_t pieces = 0;
  while (pieces < 100'000 && stream.write(piece)) ++pieces;
  EXPECT_LT(pieces, 100'000U);
  EXPECT_FALSE(stream.is_open());
  EXPECT_LT(raw.read().size(), 100'000U * 10'000);
  EXPECT_THAT(log(), ::testing::Contains(HasSubstr("wait to be read")));
}

TEST_F(LateServerTest, AStreamLearnsThatItsReaderIsGone) {
  start_late();
  std::optional<RawClient> raw(path());
  raw->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  Responder::Stream stream = next().stream({200, {}, {}});
  EXPECT_TRUE(stream.write("x"));
  raw->read("x\r\n");
  raw.reset();
  // The server sees it without being written to; another request shows that it had its turn.
  while (stream.is_open()) {
    RawClient other(path());
    other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    next().respond({200, {}, "."});
    other.read(".");
  }
  EXPECT_FALSE(stream.write("y"));
}

TEST_F(LateServerTest, StopsWhileRequestsAreOpen) {
  start_late();
  RawClient waiting(path());
  waiting.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  RawClient streaming(path());
  Responder late = next();
  streaming.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  Responder::Stream stream = next().stream({200, {}, {}});
  RawClient idle(path());
  server_.reset();
  EXPECT_EQ(waiting.read(), "");
  streaming.read();
  EXPECT_FALSE(std::filesystem::exists(path()));
  late.respond({200, {}, "too late"});
  stream.write("too late");
  stream.end();
}

}  // namespace
}  // namespace weir::net
