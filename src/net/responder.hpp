// Responder: what a handler answers one request through, at once or later, from any thread.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "net/message.hpp"

namespace weir::net {

class Answer;  // one request's way back (answer.hpp)

// May be copied; the first answer counts, and when the last copy goes without any, the client gets
// 500.
class Responder {
 public:
  explicit Responder(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}

  void respond(const Response& response);

  // An answer without an end of its own, in pieces.
  class Stream {
   public:
    explicit Stream(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}

    // Never waits. False: the client is gone, or was cut off because ServerLimits::stream_bytes
    // wait for it; nothing further will reach it.
    bool write(std::string_view bytes);
    [[nodiscard]] bool is_open() const;
    // The regular end. Without it, the client sees a broken answer when the last copy goes.
    void end();

   private:
    std::shared_ptr<Answer> answer_;
  };
  // Sends status and fields at once.
  [[nodiscard]] Stream stream(const Response& head);

 private:
  std::shared_ptr<Answer> answer_;
};

}  // namespace weir::net
