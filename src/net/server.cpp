#include "net/server.hpp"

#include <array>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/answer.hpp"
#include "net/post_queue.hpp"
#include "net/unix_socket.hpp"

namespace weir::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::local::stream_protocol;

constexpr std::size_t kReadBytes = 16 * 1024;
// When no descriptor is left for a new connection.
constexpr auto kAcceptPause = std::chrono::milliseconds(50);

class Connection;

}  // namespace

// Everything that the server's thread works on. Outlives the Server as long as a Responder does,
// so that posting to it is always safe.
class Core : public Poster, public std::enable_shared_from_this<Core> {
 public:
  Core(ServerOptions options, Handler handler)
      : options_(std::move(options)), handler_(std::move(handler)) {}

  Status listen();
  void run_thread() {
    thread_ = std::thread([this] { context_.run(); });
  }
  void stop();

  void post(std::function<void()> work) override {
    if (queue_.add(std::move(work))) asio::post(context_, [this] { queue_.run(); });
  }

  asio::io_context& context() { return context_; }
  const ServerLimits& limits() const { return options_.limits; }
  void log(const std::string& line) const {
    if (options_.log) options_.log(line);
  }
  void handle(Request request, Responder responder) {
    handler_(std::move(request), std::move(responder));
  }
  void forget(const std::shared_ptr<Connection>& connection) { connections_.erase(connection); }

 private:
  void accept();
  void accepted(Protocol::socket socket);
  void refuse(Protocol::socket& socket) const;

  ServerOptions options_;
  Handler handler_;
  asio::io_context context_{1};
  Protocol::acceptor acceptor_{context_};
  asio::steady_timer pause_{context_};
  std::set<std::shared_ptr<Connection>> connections_;
  std::thread thread_;
  PostQueue queue_;
};

namespace {

// One client. All of it runs on the server's thread.
class Connection : public Exchange, public std::enable_shared_from_this<Connection> {
 public:
  Connection(Core& core, Protocol::socket socket)
      : core_(&core),
        socket_(std::move(socket)),
        deadline_(core.context()),
        peer_(peer_of(socket_.native_handle())),
        parser_(core.limits().message) {}

  void start() {
    advance();
    read();
  }
  void close();

  void respond(std::uint64_t request, const Response& response) override;
  void begin_stream(std::uint64_t request, const std::weak_ptr<Answer>& stream,
                    std::string_view head) override;
  void add_to_stream(std::uint64_t request, std::string_view bytes) override;
  void end_stream(std::uint64_t request) override;
  void cut_stream(std::uint64_t request, std::string_view why) override;

 private:
  enum class Phase : std::uint8_t { kReading, kAnswering, kStreaming, kDraining, kClosed };

  void read();
  void received(error_code failure, std::size_t bytes);
  void input_ended(error_code failure);
  void advance();
  void wait_for_more();
  void send(const Response& response);
  void fail(const Response& response);
  void end_of_answer();
  void cut(std::string_view why);
  void write();
  void written(error_code failure, std::size_t bytes);
  void answered();
  void drain();
  void set_deadline(Duration after);
  void deadline_passed();

  Core* core_;
  Protocol::socket socket_;
  asio::steady_timer deadline_;
  Peer peer_;
  RequestParser parser_;
  std::array<char, kReadBytes> input_{};
  std::string output_;   // what is being written
  std::string waiting_;  // what comes after it
  std::weak_ptr<Answer> stream_;
  std::uint64_t request_ = 0;  // how many were taken up
  std::chrono::steady_clock::time_point request_deadline_;
  Phase phase_ = Phase::kReading;
  bool head_only_ = false;  // the request is HEAD
  bool keep_alive_ = true;
  bool reading_ = false;
  bool writing_ = false;
  bool input_ended_ = false;
  bool in_request_ = false;  // its deadline runs
};

void Connection::close() {
  if (phase_ == Phase::kClosed) return;
  phase_ = Phase::kClosed;
  if (const auto stream = stream_.lock()) stream->close();
  error_code ignored;
  socket_.close(ignored);
  deadline_.cancel();
  core_->forget(shared_from_this());
}

void Connection::cut(std::string_view why) {
  core_->log(fmt::format("connection of uid {} pid {} cut off: {}", peer_.uid, peer_.pid, why));
  close();
}

void Connection::read() {
  if (reading_ || input_ended_ || phase_ == Phase::kClosed) return;
  const bool taken_at_once = phase_ == Phase::kDraining || (phase_ == Phase::kReading && !writing_);
  if (!taken_at_once && parser_.buffered() >= core_->limits().pipeline_bytes) return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(input_),
                          [self = shared_from_this()](error_code failure, std::size_t bytes) {
                            self->received(failure, bytes);
                          });
}

void Connection::received(error_code failure, std::size_t bytes) {
  reading_ = false;
  if (phase_ == Phase::kClosed) return;
  if (failure) return input_ended(failure);
  if (phase_ != Phase::kDraining) parser_.add({input_.data(), bytes});
  // Before an answer is out the next request is not taken up, or answers would pile up here.
  if (phase_ == Phase::kReading && !writing_) advance();
  read();
}

// A client may close its half and still wait for answers; a stream's reader that does is gone.
void Connection::input_ended(error_code failure) {
  input_ended_ = true;
  if (failure != asio::error::eof || phase_ == Phase::kStreaming) return close();
  if (phase_ == Phase::kDraining && !writing_) return close();
  if (phase_ == Phase::kReading && !writing_) advance();
}

// Takes up the next request, if it is there.
void Connection::advance() {
  switch (parser_.parse()) {
    case Parsed::kFailed: return fail(parser_.failure());
    case Parsed::kMore: return input_ended_ ? close() : wait_for_more();
    case Parsed::kMessage: break;
  }
  in_request_ = false;
  phase_ = Phase::kAnswering;
  deadline_.cancel();
  Request request = parser_.take();
  keep_alive_ = parser_.keep_alive();
  head_only_ = request.method == "HEAD";
  request.peer = peer_;
  core_->handle(std::move(request),
                Responder(std::make_shared<Answer>(core_->shared_from_this(), weak_from_this(),
                                                   ++request_, core_->limits().stream_bytes)));
}

// The time for a request runs from its first byte, however slowly the others drop in.
void Connection::wait_for_more() {
  if (parser_.is_idle()) return set_deadline(core_->limits().idle);
  const auto now = std::chrono::steady_clock::now();
  if (!std::exchange(in_request_, true))
    request_deadline_ = now + std::chrono::microseconds(core_->limits().read.count());
  if (parser_.take_expectation()) {
    waiting_ += "HTTP/1.1 100 Continue\r\n\r\n";
    return write();
  }
  set_deadline(std::chrono::duration_cast<Duration>(request_deadline_ - now));
}

void Connection::respond(std::uint64_t request, const Response& response) {
  if (phase_ == Phase::kAnswering && request == request_) send(response);
}

void Connection::send(const Response& response) {
  waiting_ += format_response(response, keep_alive_, !head_only_);
  end_of_answer();
}

void Connection::fail(const Response& response) {
  keep_alive_ = false;
  head_only_ = false;
  send(response);
}

void Connection::end_of_answer() {
  stream_.reset();
  phase_ = keep_alive_ ? Phase::kReading : Phase::kDraining;
  write();
}

void Connection::begin_stream(std::uint64_t request, const std::weak_ptr<Answer>& stream,
                              std::string_view head) {
  const bool wanted = phase_ == Phase::kAnswering && request == request_;
  if (!wanted || head_only_ || input_ended_)
    if (const auto alive = stream.lock()) alive->close();
  if (!wanted) return;
  waiting_ += head;
  if (head_only_) return end_of_answer();
  phase_ = Phase::kStreaming;
  if (input_ended_) return close();
  stream_ = stream;
  write();
}

void Connection::add_to_stream(std::uint64_t request, std::string_view bytes) {
  if (phase_ != Phase::kStreaming || request != request_) return;
  waiting_ += bytes;
  write();
}

void Connection::end_stream(std::uint64_t request) {
  if (phase_ != Phase::kStreaming || request != request_) return;
  waiting_ += kLastChunk;
  end_of_answer();
}

void Connection::cut_stream(std::uint64_t request, std::string_view why) {
  if (phase_ == Phase::kStreaming && request == request_) cut(why);
}

void Connection::write() {
  if (writing_ || phase_ == Phase::kClosed) return;
  if (output_.empty()) output_.swap(waiting_);
  if (output_.empty()) return answered();
  writing_ = true;
  set_deadline(core_->limits().write);
  socket_.async_write_some(asio::buffer(output_),
                           [self = shared_from_this()](error_code failure, std::size_t bytes) {
                             self->written(failure, bytes);
                           });
}

void Connection::written(error_code failure, std::size_t bytes) {
  writing_ = false;
  if (phase_ == Phase::kClosed) return;
  if (failure) return close();
  output_.erase(0, bytes);
  if (const auto stream = stream_.lock()) stream->sent(bytes);
  write();
}

// All that was to be written is.
void Connection::answered() {
  if (phase_ == Phase::kDraining) return drain();
  deadline_.cancel();
  if (phase_ == Phase::kReading) {
    advance();
    read();
  }
}

// Closing a socket with unread input makes the client lose the answer: read it away for a while.
void Connection::drain() {
  error_code ignored;
  socket_.shutdown(Protocol::socket::shutdown_send, ignored);
  if (input_ended_) return close();
  set_deadline(core_->limits().read);
  read();
}

void Connection::set_deadline(Duration after) {
  deadline_.expires_after(std::chrono::microseconds(after.count()));
  deadline_.async_wait([self = shared_from_this()](error_code failure) {
    // One that was set anew meanwhile is not this one.
    if (failure || self->deadline_.expiry() > std::chrono::steady_clock::now()) return;
    self->deadline_passed();
  });
}

void Connection::deadline_passed() {
  if (phase_ == Phase::kClosed) return;
  if (writing_) return cut("it takes nothing of what it asked for");
  if (phase_ == Phase::kReading && in_request_) {
    core_->log(fmt::format("uid {} pid {}: half a request, then silence", peer_.uid, peer_.pid));
    return fail(error_response(408, "the request did not come to its end in time"));
  }
  if (phase_ == Phase::kReading || phase_ == Phase::kDraining) close();
}

}  // namespace

Status Core::listen() {
  os::Descriptor listener = WEIR_TRY(listen_at(options_.socket, options_.mode));
  error_code failure;
  acceptor_.assign(Protocol(), listener.get(), failure);
  if (failure) return io_error(fmt::format("{}: {}", options_.socket.string(), failure.message()));
  [[maybe_unused]] const int taken = listener.release();
  accept();
  return {};
}

void Core::accept() {
  acceptor_.async_accept([this](error_code failure, Protocol::socket socket) {
    if (failure == asio::error::operation_aborted) return;
    if (!failure) {
      accepted(std::move(socket));
      return accept();
    }
    log(fmt::format("no connection can be accepted: {}", failure.message()));
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](error_code stopped) {
      if (!stopped) accept();
    });
  });
}

void Core::accepted(Protocol::socket socket) {
  if (connections_.size() >= options_.limits.connections) return refuse(socket);
  const auto connection = std::make_shared<Connection>(*this, std::move(socket));
  connections_.insert(connection);
  connection->start();
}

void Core::refuse(Protocol::socket& socket) const {
  log(fmt::format("a connection beyond {} was refused", options_.limits.connections));
  const std::string answer = format_response(
      error_response(503, fmt::format("{} clients are connected already: try again later",
                                      options_.limits.connections)),
      /*keep_alive=*/false, /*with_body=*/true);
  // A new socket takes as much without waiting.
  [[maybe_unused]] const ssize_t sent =
      ::send(socket.native_handle(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

void Core::stop() {
  queue_.stop();
  asio::post(context_, [this] {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    const auto all = std::exchange(connections_, {});
    for (const auto& connection : all) connection->close();
    context_.stop();
  });
  thread_.join();
  ::unlink(options_.socket.c_str());
}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, Handler handler) {
  auto core = std::make_shared<Core>(std::move(options), std::move(handler));
  WEIR_TRY(core->listen());
  core->run_thread();
  return std::unique_ptr<Server>(new Server(std::move(core)));
}

Server::~Server() { core_->stop(); }

}  // namespace weir::net
