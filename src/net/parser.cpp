#include "net/parser.hpp"

#include <utility>

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

namespace weir::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;

std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

template <typename Message>
Fields fields_of(const Message& message) {
  Fields fields;
  for (const auto& field : message)
    fields.push_back({text_of(field.name_string()), text_of(field.value())});
  return fields;
}

// Feeds what it takes, and cuts that off the input. True: something was taken or the message ended.
template <typename Parser>
bool feed(Parser& parser, std::string& input, error_code& failure) {
  if (parser.is_done() || input.empty()) return false;
  const std::size_t used =
      parser.put(boost::asio::const_buffer(input.data(), input.size()), failure);
  input.erase(0, used);
  if (failure == http::error::need_more) failure = {};
  return used > 0;
}

}  // namespace

struct RequestParser::Impl {
  explicit Impl(const MessageLimits& limits) {
    parser.header_limit(static_cast<std::uint32_t>(limits.head_bytes));
    parser.body_limit(limits.body_bytes);
    parser.eager(true);
  }
  http::request_parser<http::string_body> parser;
  bool expectation_seen = false;
};

RequestParser::RequestParser(MessageLimits limits)
    : limits_(limits), impl_(std::make_unique<Impl>(limits)) {}
RequestParser::~RequestParser() = default;

Parsed RequestParser::fail(unsigned status, std::string_view message) {
  failure_ = error_response(status, message);
  return Parsed::kFailed;
}

Parsed RequestParser::parse() {
  error_code failure;
  while (!failure && feed(impl_->parser, input_, failure)) {
  }
  if (failure == http::error::header_limit)
    return fail(431, fmt::format("the head of a request has at most {} bytes", limits_.head_bytes));
  if (failure == http::error::body_limit)
    return fail(413, fmt::format("the body of a request has at most {} bytes", limits_.body_bytes));
  if (failure) return fail(400, fmt::format("this is no HTTP/1.1 request: {}", failure.message()));
  return impl_->parser.is_done() ? check_message() : Parsed::kMore;
}

Parsed RequestParser::check_message() {
  const auto& message = impl_->parser.get();
  if (message.version() == 11 && message.count(http::field::host) != 1)
    return fail(400, "an HTTP/1.1 request has one Host field");
  Result<Target> target = parse_target(text_of(message.target()));
  if (!target) return fail(400, target.error().message);
  target_ = *std::move(target);
  return Parsed::kMessage;
}

Request RequestParser::take() {
  keep_alive_ = impl_->parser.keep_alive();
  Request request;
  auto message = impl_->parser.release();
  request.method = text_of(message.method_string());
  request.target = std::move(target_);
  request.fields = fields_of(message);
  request.body = std::move(message.body());
  impl_ = std::make_unique<Impl>(limits_);
  return request;
}

bool RequestParser::take_expectation() {
  if (impl_->expectation_seen || !impl_->parser.is_header_done() || impl_->parser.is_done())
    return false;
  impl_->expectation_seen = true;
  return boost::beast::iequals(impl_->parser.get()[http::field::expect], "100-continue");
}

bool RequestParser::is_idle() const { return input_.empty() && !impl_->parser.got_some(); }

struct ResponseParser::Impl {
  http::response_parser<http::string_body> parser;
};

ResponseParser::ResponseParser(bool to_head) : impl_(std::make_unique<Impl>()) {
  // The body leaves by take_body() as it comes; whoever keeps it limits it.
  impl_->parser.body_limit(boost::none);
  impl_->parser.header_limit(static_cast<std::uint32_t>(limits::kHttpHeadBytes));
  impl_->parser.eager(true);
  impl_->parser.skip(to_head);
}
ResponseParser::~ResponseParser() = default;

Parsed ResponseParser::parse() {
  error_code failure;
  while (!failure && feed(impl_->parser, input_, failure)) {
  }
  if (failure) {
    failure_ = failure.message();
    return Parsed::kFailed;
  }
  return impl_->parser.is_done() ? Parsed::kMessage : Parsed::kMore;
}

Parsed ResponseParser::end() {
  if (impl_->parser.is_done()) return Parsed::kMessage;
  error_code failure;
  if (impl_->parser.got_some()) impl_->parser.put_eof(failure);
  if (!failure && impl_->parser.is_done()) return Parsed::kMessage;
  failure_ = "the connection ended inside the answer";
  return Parsed::kFailed;
}

bool ResponseParser::has_head() const { return impl_->parser.is_header_done(); }

Response ResponseParser::head() const {
  const auto& message = impl_->parser.get();
  return {message.result_int(), fields_of(message), {}};
}

std::string ResponseParser::take_body() { return std::exchange(impl_->parser.get().body(), {}); }

bool ResponseParser::keep_alive() const { return impl_->parser.keep_alive(); }

}  // namespace weir::net
