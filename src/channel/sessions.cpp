#include "channel/sessions.hpp"

#include <utility>
#include <vector>

#include <channel.grpc.pb.h>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "channel/convert.hpp"
#include "channel/outbox.hpp"
#include "channel/tls.hpp"

namespace weir::channel {
namespace {

// For who may not have a session.
class Refusal final : public Sessions::Reactor {
 public:
  explicit Refusal(const grpc::Status& status) { Finish(status); }
  void OnDone() override { delete this; }
};

const node::Hello* hello_in(const FromAgent& message) {
  const auto* words = std::get_if<node::ToController>(&message);
  return words == nullptr ? nullptr : std::get_if<node::Hello>(words);
}

}  // namespace

// One agent's stream. gRPC calls On...(); OnReadDone() never runs twice at a time, and OnDone()
// comes when all others have returned.
class Session final : public Sessions::Reactor, public std::enable_shared_from_this<Session> {
 public:
  Session(Sessions& sessions, SessionId id, grpc::CallbackServerContext* context, std::string node)
      : sessions_(sessions),
        id_(id),
        context_(context),
        node_(std::move(node)),
        outbox_(sessions.link_.queue_bytes) {}

  [[nodiscard]] SessionId id() const { return id_; }
  [[nodiscard]] const std::string& node() const { return node_; }

  void start() {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    // Tells the agent that its session stands, before anything is said in it.
    StartSendInitialMetadata();
    StartRead(&incoming_);
  }

  Sent send(std::unique_ptr<wire::ControllerMessage> message, std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      if (ended_) return Sent::kGone;
      if (outbox_.push(std::move(message), bytes)) {
        if (!std::exchange(writing_, true)) StartWrite(&outbox_.front());
        return Sent::kQueued;
      }
    }
    end("the agent took nothing for too long", grpc::StatusCode::RESOURCE_EXHAUSTED);
    return Sent::kFull;
  }

  void end(const std::string& why, grpc::StatusCode code) {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(ended_, true)) return;
      why_ = why;
      // A status waits behind what is being written, and that may wait for ever.
      if (writing_) context_->TryCancel();
    }
    Finish(code == grpc::StatusCode::OK ? grpc::Status::OK : grpc::Status(code, why));
  }

  void deliver_opened() {
    const std::lock_guard lock(events_);
    phase_ = Phase::kOpen;
    sessions_.handler_.opened(id_, node_, context_->peer());
  }
  void deliver_closed(const std::string& why) {
    const std::lock_guard lock(events_);
    if (std::exchange(phase_, Phase::kClosed) == Phase::kOpen) sessions_.handler_.closed(id_, why);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return end("the agent closed the session", grpc::StatusCode::OK);
    if (!take()) return;
    const std::lock_guard lock(mutex_);
    if (!ended_) StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    outbox_.pop();
    writing_ = ok && !ended_ && !outbox_.empty();
    if (writing_) StartWrite(&outbox_.front());
  }

  void OnCancel() override { end("the connection broke", grpc::StatusCode::CANCELLED); }

  void OnDone() override {
    const std::shared_ptr<Session> self = shared_from_this();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    sessions_.done(self);
  }

  [[nodiscard]] std::string why() {
    const std::lock_guard lock(mutex_);
    return why_;
  }

 private:
  enum class Phase : std::uint8_t { kNew, kOpen, kClosed };

  bool refuse(const std::string& why, grpc::StatusCode code) {
    ++sessions_.refused_;
    end(why, code);
    return false;
  }

  // What has just been read; false when the session ends for it.
  bool take() {
    auto message = read(incoming_);
    if (!message) return refuse(message.error().message, grpc::StatusCode::INVALID_ARGUMENT);
    if (!message->has_value()) {
      ++sessions_.skipped_;
      return true;
    }
    const node::Hello* hello = hello_in(**message);
    if (hello != nullptr && hello->name != node_)
      return refuse(fmt::format("the certificate is that of node {}, the greeting that of {}",
                                node_, hello->name),
                    grpc::StatusCode::PERMISSION_DENIED);
    if (!greeted_ && hello == nullptr)
      return refuse("the first message of a session must be a greeting",
                    grpc::StatusCode::FAILED_PRECONDITION);
    if (!std::exchange(greeted_, true)) sessions_.open(*this);
    deliver(**std::move(message));
    return true;
  }

  void deliver(FromAgent message) {
    const std::lock_guard lock(events_);
    if (phase_ == Phase::kOpen) sessions_.handler_.received(id_, std::move(message));
  }

  Sessions& sessions_;
  const SessionId id_;
  grpc::CallbackServerContext* const context_;
  const std::string node_;
  wire::AgentMessage incoming_;  // of the read that is under way
  bool greeted_ = false;         // as above

  std::mutex mutex_;
  Outbox<wire::ControllerMessage> outbox_;
  bool writing_ = false;  // its front is on its way
  bool ended_ = false;    // Finish() was called or will be at once
  std::string why_;

  std::mutex events_;  // held while the handler is called
  Phase phase_ = Phase::kNew;
};

Sessions::Sessions(ServerHandler& handler, LinkOptions link) : handler_(handler), link_(link) {}

Sessions::~Sessions() { WEIR_ASSERT(all_.empty()); }

Sessions::Reactor* Sessions::accept(grpc::CallbackServerContext* context) {
  const std::string node = node_of_peer(*context->auth_context());
  if (node.empty())
    return new Refusal(
        {grpc::StatusCode::UNAUTHENTICATED, "the certificate is not that of a node"});
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return new Refusal({grpc::StatusCode::UNAVAILABLE, "the controller stops"});
    session = std::make_shared<Session>(*this, SessionId(++last_), context, node);
    all_.emplace(session->id(), session);
  }
  session->start();
  return session.get();
}

Sent Sessions::send(SessionId id, const FromController& message) {
  const std::shared_ptr<Session> session = find(id);
  if (!session) return Sent::kGone;
  auto wire = std::make_unique<wire::ControllerMessage>();
  write(message, *wire);
  const std::size_t bytes = wire->ByteSizeLong();
  if (bytes > limits::kChannelMessageBytes) return Sent::kTooLarge;
  return session->send(std::move(wire), bytes);
}

void Sessions::close(SessionId id, const std::string& why) {
  if (const std::shared_ptr<Session> session = find(id))
    session->end(why, grpc::StatusCode::ABORTED);
}

void Sessions::close_all(const std::string& why) {
  std::vector<std::shared_ptr<Session>> sessions;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (const auto& [id, session] : all_) sessions.push_back(session);
  }
  for (const auto& session : sessions) session->end(why, grpc::StatusCode::UNAVAILABLE);
}

void Sessions::wait_until_empty() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return all_.empty(); });
  lock.unlock();
  // Whoever took the last one out has returned, too.
  const std::lock_guard order(order_);
}

void Sessions::open(Session& session) {
  const std::lock_guard order(order_);
  std::shared_ptr<Session> earlier;
  {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = of_node_.try_emplace(session.node(), session.id());
    if (!is_new) {
      if (const auto found = all_.find(known->second); found != all_.end()) earlier = found->second;
      known->second = session.id();
    }
  }
  if (earlier) {
    const std::string why = "a newer session of the same node has come";
    earlier->deliver_closed(why);
    earlier->end(why, grpc::StatusCode::ABORTED);
  }
  session.deliver_opened();
}

void Sessions::done(const std::shared_ptr<Session>& session) {
  const std::lock_guard order(order_);
  session->deliver_closed(session->why());
  const std::lock_guard lock(mutex_);
  const auto known = of_node_.find(session->node());
  if (known != of_node_.end() && known->second == session->id()) of_node_.erase(known);
  all_.erase(session->id());
  changed_.notify_all();
}

std::shared_ptr<Session> Sessions::find(SessionId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : found->second;
}

}  // namespace weir::channel
