// RequestParser, ResponseParser: HTTP/1.1 from bytes, cut anywhere, within limits. No I/O.
//
// The only file that knows Boost.Beast.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "net/message.hpp"

namespace weir::net {

struct MessageLimits {
  std::size_t head_bytes = limits::kHttpHeadBytes;
  std::size_t body_bytes = limits::kHttpBodyBytes;
};

enum class Parsed : std::uint8_t {
  kMore,     // needs more bytes
  kMessage,  // a whole message is there
  kFailed,   // it can never become one
};

class RequestParser {
 public:
  explicit RequestParser(MessageLimits limits = {});
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  void add(std::string_view bytes) { input_ += bytes; }
  Parsed parse();

  // After kMessage: the request, and the parser is ready for the next, from the bytes behind it.
  Request take();
  // Of the request that take() gave last: whether the client wants to go on.
  [[nodiscard]] bool keep_alive() const { return keep_alive_; }
  // After kFailed: what to answer (400, 413, 431, 501) before the connection ends.
  [[nodiscard]] const Response& failure() const { return failure_; }

  // True once, when the client waits for "100 Continue" before it sends the body.
  bool take_expectation();
  // Nothing of a request has come.
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] std::size_t buffered() const { return input_.size(); }

 private:
  struct Impl;
  Parsed fail(unsigned status, std::string_view message);
  Parsed check_message();

  MessageLimits limits_;
  std::unique_ptr<Impl> impl_;
  std::string input_;
  Target target_;
  Response failure_;
  bool keep_alive_ = true;
};

class ResponseParser {
 public:
  // `to_head`: the answer to HEAD, which has no body whatever it says of its length.
  explicit ResponseParser(bool to_head = false);
  ~ResponseParser();
  ResponseParser(const ResponseParser&) = delete;
  ResponseParser& operator=(const ResponseParser&) = delete;

  void add(std::string_view bytes) { input_ += bytes; }
  Parsed parse();
  // The connection has ended: kMessage where that ends the message, else kFailed.
  Parsed end();

  // From when the head is there: status and fields, no body.
  [[nodiscard]] bool has_head() const;
  [[nodiscard]] Response head() const;
  // The part of the body that came since the last call.
  std::string take_body();
  // After kMessage.
  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  struct Impl;

  std::unique_ptr<Impl> impl_;
  std::string input_;
  std::string failure_;
};

}  // namespace weir::net
