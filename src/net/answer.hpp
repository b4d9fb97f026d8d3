// Answer: the way of one answer from any thread to the server's, which owns the connection.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/message.hpp"

namespace weir::net {

class Answer;

// A connection as the answers see it; on the server's thread only.
class Exchange {
 public:
  Exchange() = default;
  virtual ~Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // `request` counts the connection's requests: what belongs to another one is dropped.
  virtual void respond(std::uint64_t request, const Response& response) = 0;
  virtual void begin_stream(std::uint64_t request, const std::weak_ptr<Answer>& stream,
                            std::string_view head) = 0;
  virtual void add_to_stream(std::uint64_t request, std::string_view bytes) = 0;
  virtual void end_stream(std::uint64_t request) = 0;
  virtual void cut_stream(std::uint64_t request, std::string_view why) = 0;
};

// The server's thread, as whoever has work for it sees it. Never runs it at once.
class Poster {
 public:
  Poster() = default;
  virtual ~Poster() = default;
  Poster(const Poster&) = delete;
  Poster& operator=(const Poster&) = delete;
  virtual void post(std::function<void()> work) = 0;
};

// Shared by all copies of a request's Responder and Stream. Any thread.
class Answer : public std::enable_shared_from_this<Answer> {
 public:
  // At most `limit` bytes of a stream wait for the client.
  Answer(std::shared_ptr<Poster> server, std::weak_ptr<Exchange> exchange, std::uint64_t request,
         std::size_t limit)
      : server_(std::move(server)),
        exchange_(std::move(exchange)),
        request_(request),
        limit_(limit) {}
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  void respond(const Response& response);
  void begin_stream(const Response& head);
  bool write(std::string_view bytes);
  void end();
  [[nodiscard]] bool is_open() const { return open_; }

  // By the exchange: that many bytes went to the client; there is no client any more.
  void sent(std::size_t bytes);
  void close() { open_ = false; }

 private:
  // Hands work to the server's thread; it is dropped if the exchange is gone by then.
  template <typename Work>
  void post(Work work);

  std::shared_ptr<Poster> server_;
  std::weak_ptr<Exchange> exchange_;
  const std::uint64_t request_;
  const std::size_t limit_;
  std::atomic<bool> answered_ = false;
  std::atomic<bool> open_ = false;  // a stream that may be written to
  std::atomic<std::size_t> waiting_ = 0;
};

}  // namespace weir::net
