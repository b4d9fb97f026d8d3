#include "net/server.hpp"

#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "net/test_server.hpp"

namespace weir::net {
namespace {

using ::testing::HasSubstr;
using testing::milliseconds;
using testing::RawClient;
using testing::ServerTest;

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_F(ServerTest, AnswersAndKeepsTheConnection) {
  start_echo();
  RawClient raw(path());
  for (int i = 0; i < 3; ++i) {
    raw.send("POST /jobs?x=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ(raw.read("hello"),
              "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nPOST /jobs?x=1 hello");
  }
}

TEST_F(ServerTest, ClosesWhenAskedTo) {
  start_echo();
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(raw.read(), "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nGET / ");
  RawClient old(path());
  old.send("GET /old HTTP/1.0\r\n\r\n");
  EXPECT_THAT(old.read(), HasSubstr("GET /old"));
}

TEST_F(ServerTest, AnswersHeadWithoutABody) {
  start_echo();
  RawClient raw(path());
  raw.send("HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(raw.read(), "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\n");
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  start_echo();
  RawClient raw(path());
  std::string all;
  for (int i = 0; i < 3'000; ++i)
    all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  std::thread sender([&] {
    raw.send(all);
    raw.end_sending();
  });
  const std::string answers = raw.read();
  sender.join();
  EXPECT_EQ(count(answers, "HTTP/1.1 200 OK"), 3'000U);
  std::size_t at = 0;
  for (int i = 0; i < 3'000; ++i) {
    at = answers.find("GET /" + std::to_string(i) + " ", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

TEST_F(ServerTest, TakesRequestsCutAnywhere) {
  start_echo();
  const std::string request = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
  for (std::size_t cut = 1; cut < request.size(); ++cut) {
    RawClient raw(path());
    raw.send(std::string_view(request).substr(0, cut));
    raw.send(std::string_view(request).substr(cut));
    EXPECT_THAT(raw.read("abc"), HasSubstr("POST /a abc"));
  }
}

TEST_F(ServerTest, TakesChunkedBodiesAndAsksToContinue) {
  start_echo();
  RawClient raw(path());
  raw.send(
      "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n"
      "0\r\n\r\n");
  EXPECT_THAT(raw.read("abcde"), HasSubstr("200 OK"));
  raw.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(raw.read("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  raw.send("ok");
  EXPECT_THAT(raw.read("POST /b ok"), HasSubstr("200 OK"));
}

TEST_F(ServerTest, TellsWhoIsThere) {
  Peer peer;
  start([&](const Request& request, Responder responder) {
    peer = request.peer;
    responder.respond({204, {}, {}});
  });
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(raw.read(), "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
  server_.reset();
  EXPECT_EQ(peer.uid, ::getuid());
  EXPECT_EQ(peer.gid, ::getgid());
  EXPECT_EQ(peer.pid, ::getpid());
}

struct Malformed {
  std::string bytes;
  unsigned status;
};

TEST_F(ServerTest, RefusesWhatIsNoRequest) {
  start_echo();
  const std::string start = "GET / HTTP/1.1\r\nHost: x\r\n";
  const Malformed table[] = {
      {"hello\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET / HTTP/9.9\r\n\r\n", 400},
      {"GET / FTP/1.1\r\n\r\n", 400},
      {std::string("\0\1\2\3\r\n\r\n", 8), 400},
      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS greeting\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},                     // no Host
      {start + "Host: y\r\n\r\n", 400},                    // two
      {"GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400},  // a proxy's form
      {"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},       // broken escape
      {"GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400},       // NUL
      {"GET /../x HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {start + "no colon here\r\n\r\n", 400},
      {start + "Content-Length: -1\r\n\r\n", 400},
      {start + "Content-Length: 1x\r\n\r\n", 400},
      {start + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {start + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {start + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400},
      {start + "Name : value\r\n\r\n", 400},     // blank before the colon
      {start + "A: b\r\n folded\r\n\r\n", 200},  // obsolete, but read (RFC 9112, 5.2)
      {start + "Content-Length: 99999999999\r\n\r\n", 413},
      {start + "X: " + std::string(100'000, 'a') + "\r\n\r\n", 431},
  };
  for (const Malformed& entry : table) {
    RawClient raw(path());
    raw.send(entry.bytes);
    raw.end_sending();
    const std::string answer = raw.read();
    EXPECT_THAT(answer, HasSubstr("HTTP/1.1 " + std::to_string(entry.status) + " "))
        << entry.bytes.substr(0, 200);
    if (entry.status == 200) continue;
    EXPECT_THAT(answer, HasSubstr(R"({"error":{"status":)" + std::to_string(entry.status)));
    EXPECT_THAT(answer, HasSubstr("Connection: close"));
  }
}

TEST_F(ServerTest, ABodyThatIsTooLargeIsRefusedAndTheAnswerArrives) {
  start_echo({.message = {.body_bytes = 1'000}});
  RawClient raw(path());
  raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" +
           std::string(5'000'000, 'b'));
  EXPECT_THAT(raw.read("}}"), HasSubstr("HTTP/1.1 413"));
  // Chunks do not say their sum before.
  RawClient chunked(path());
  chunked.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" +
               std::string(2'000, 'b') + "\r\n0\r\n\r\n");
  EXPECT_THAT(chunked.read("}}"), HasSubstr("HTTP/1.1 413"));
}

TEST_F(ServerTest, HalfARequestTimesOut) {
  start_echo({.read = milliseconds(30)});
  RawClient raw(path());
  raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  const std::string answer = raw.read();
  EXPECT_THAT(answer, HasSubstr("HTTP/1.1 408"));
  EXPECT_THAT(log(), ::testing::Contains(HasSubstr("half a request")));
}

TEST_F(ServerTest, DrippingBytesDoNotStretchTheTime) {
  start_echo({.read = milliseconds(60)});
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\nX: ");
  // A byte whenever the server has not answered within a millisecond.
  std::size_t drips = 0;
  for (pollfd answer{raw.descriptor(), POLLIN, 0}; ::poll(&answer, 1, 1) == 0; ++drips)
    raw.send("a");
  EXPECT_THAT(raw.read(), HasSubstr("HTTP/1.1 408"));
  EXPECT_LT(drips, 15'000U);
}

TEST_F(ServerTest, SilenceBetweenRequestsEndsTheConnection) {
  start_echo({.idle = milliseconds(30)});
  RawClient raw(path());
  raw.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(raw.read(), HasSubstr("GET /a"));
  RawClient silent(path());
  EXPECT_EQ(silent.read(), "");
}

TEST_F(ServerTest, AClientThatTakesNothingIsCutOff) {
  start([](const Request&,
           Responder responder) { responder.respond({200, {}, std::string(20'000'000, 'x')}); },
        {.write = milliseconds(30)});
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  // Reads only once the server has hung up.
  pollfd hung_up{raw.descriptor(), POLLHUP, 0};
  hung_up.events = POLLRDHUP;
  ASSERT_EQ(::poll(&hung_up, 1, testing::kDeadlineMs), 1);
  EXPECT_LT(raw.read().size(), 20'000'000U);
  EXPECT_THAT(log(), ::testing::Contains(HasSubstr("takes nothing")));
}

TEST_F(ServerTest, ServesAHundredAtOnce) {
  start_echo();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 100; ++i) clients.push_back(std::make_unique<RawClient>(path()));
  for (int round = 0; round < 3; ++round) {
    for (const auto& client : clients) client->send("GET /r HTTP/1.1\r\nHost: x\r\n\r\n");
    for (const auto& client : clients) EXPECT_THAT(client->read("GET /r "), HasSubstr("200"));
  }
}

TEST_F(ServerTest, RefusesConnectionsBeyondTheLimit) {
  start_echo({.connections = 2});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(std::make_unique<RawClient>(path()));
    clients.back()->send("GET /r HTTP/1.1\r\nHost: x\r\n\r\n");
    clients.back()->read("GET /r ");
  }
  RawClient third(path());
  EXPECT_THAT(third.read(), HasSubstr("HTTP/1.1 503"));
  EXPECT_THAT(log(), ::testing::Contains(HasSubstr("beyond 2")));
}

TEST_F(ServerTest, TheSocketHasItsModeAndIsNotTakenFromAnother) {
  start_echo();
  struct stat status{};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const auto second = Server::start({.socket = path()}, [](const Request&, const Responder&) {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("listens there already"));
}

TEST_F(ServerTest, ReplacesTheSocketOfADeadProcessAndNoOtherFile) {
  {
    const auto left = listen_at(path(), 0600);
  }
  ASSERT_TRUE(std::filesystem::exists(path()));
  start_echo();
  RawClient raw(path());
  raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(raw.read("GET / "), HasSubstr("200"));

  const auto file = folder_.write("file", "precious");
  EXPECT_FALSE(listen_at(file, 0600));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_THAT(listen_at(folder_.path() / std::string(120, 'a'), 0600).error().message,
              HasSubstr("shorter"));
}

}  // namespace
}  // namespace weir::net
