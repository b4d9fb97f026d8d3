#include "net/answer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "net/responder.hpp"

namespace weir::net {

// What is posted holds exchange and answer weakly: work that no thread runs any more must not keep
// its own server alive.
template <typename Work>
void Answer::post(Work work) {
  server_->post([exchange = exchange_, work = std::move(work)] {
    if (const auto alive = exchange.lock()) work(*alive);
  });
}

Answer::~Answer() {
  if (!answered_)
    post([request = request_](Exchange& exchange) {
      exchange.respond(request, error_response(500, "the controller has no answer to this"));
    });
  else if (open_)
    post([request = request_](Exchange& exchange) {
      exchange.cut_stream(request, "its answer broke off");
    });
}

void Answer::respond(const Response& response) {
  if (answered_.exchange(true)) return;
  post([request = request_, response](Exchange& exchange) { exchange.respond(request, response); });
}

void Answer::begin_stream(const Response& head) {
  if (answered_.exchange(true)) return;
  std::string text = format_stream_head(head);
  waiting_ += text.size();
  open_ = true;
  post([request = request_, self = weak_from_this(), text = std::move(text)](Exchange& exchange) {
    exchange.begin_stream(request, self, text);
  });
}

bool Answer::write(std::string_view bytes) {
  if (!open_) return false;
  if (bytes.empty()) return true;
  std::string chunk = format_chunk(bytes);
  if (waiting_.fetch_add(chunk.size()) + chunk.size() > limit_) {
    if (!open_.exchange(false)) return false;
    post([request = request_, limit = limit_](Exchange& exchange) {
      exchange.cut_stream(request, fmt::format("more than {} bytes wait to be read", limit));
    });
    return false;
  }
  post([request = request_, chunk = std::move(chunk)](Exchange& exchange) {
    exchange.add_to_stream(request, chunk);
  });
  return true;
}

void Answer::end() {
  if (!open_.exchange(false)) return;
  post([request = request_](Exchange& exchange) { exchange.end_stream(request); });
}

void Answer::sent(std::size_t bytes) { waiting_ -= std::min<std::size_t>(bytes, waiting_); }

void Responder::respond(const Response& response) { answer_->respond(response); }

Responder::Stream Responder::stream(const Response& head) {
  answer_->begin_stream(head);
  return Stream(answer_);
}

bool Responder::Stream::write(std::string_view bytes) { return answer_->write(bytes); }
bool Responder::Stream::is_open() const { return answer_->is_open(); }
void Responder::Stream::end() { answer_->end(); }

}  // namespace weir::net
