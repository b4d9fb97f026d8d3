#include "channel/client.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <utility>

#include <channel.grpc.pb.h>
#include <grpcpp/alarm.h>
#include <grpcpp/create_channel.h>

#include "channel/convert.hpp"
#include "channel/outbox.hpp"
#include "channel/tls.hpp"
#include "identity/certificate.hpp"

namespace weir::channel {
namespace {

class Stream;

// What a stream tells of itself, one call at a time; stream_ended() is the last, and after it the
// stream deletes itself.
class StreamUser {
 public:
  virtual ~StreamUser() = default;
  virtual void stream_opened() = 0;
  virtual void stream_received(FromController message) = 0;
  virtual void stream_skipped() = 0;
  virtual void stream_ended(bool was_open, const std::string& why) = 0;
};

// One session. gRPC calls On...() and OnDone() last, which deletes it.
class Stream final : public grpc::ClientBidiReactor<wire::AgentMessage, wire::ControllerMessage> {
 public:
  Stream(StreamUser& user, std::shared_ptr<grpc::Channel> channel, std::size_t queue_bytes)
      : user_(user), stub_(wire::Agents::NewStub(std::move(channel))), outbox_(queue_bytes) {}

  void start() {
    stub_->async()->Session(&context_, this);
    AddHold();  // for writes, which start on any thread; until reading ends
    StartCall();
  }

  Sent send(std::unique_ptr<wire::AgentMessage> message, std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      if (!open_) return Sent::kGone;
      if (outbox_.push(std::move(message), bytes)) {
        if (!std::exchange(writing_, true)) StartWrite(&outbox_.front());
        return Sent::kQueued;
      }
    }
    end("the controller took nothing for too long");
    return Sent::kFull;
  }

  void end(const std::string& why) {
    {
      const std::lock_guard lock(mutex_);
      if (why_.empty()) why_ = why;
    }
    context_.TryCancel();
  }

  wire::Agents::Stub& stub() { return *stub_; }

  void OnReadInitialMetadataDone(bool ok) override {
    if (!ok) return RemoveHold();
    {
      const std::lock_guard lock(mutex_);
      open_ = was_open_ = true;
    }
    user_.stream_opened();
    StartRead(&incoming_);
  }

  void OnReadDone(bool ok) override {
    if (ok && take()) return StartRead(&incoming_);
    {
      const std::lock_guard lock(mutex_);
      open_ = false;
    }
    RemoveHold();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    outbox_.pop();
    writing_ = ok && open_ && !outbox_.empty();
    if (writing_) StartWrite(&outbox_.front());
  }

  void OnDone(const grpc::Status& status) override {
    bool was_open = false;
    std::string why;
    {
      const std::lock_guard lock(mutex_);
      was_open = was_open_;
      why = why_.empty() ? text_of(status) : why_;
    }
    user_.stream_ended(was_open, why);
    delete this;
  }

 private:
  // False when the session ends for what has just been read.
  bool take() {
    auto message = read(incoming_);
    if (!message) {
      end(message.error().message);
      return false;
    }
    if (message->has_value())
      user_.stream_received(**std::move(message));
    else
      user_.stream_skipped();
    return true;
  }

  StreamUser& user_;
  std::unique_ptr<wire::Agents::Stub> stub_;
  grpc::ClientContext context_;
  wire::ControllerMessage incoming_;

  std::mutex mutex_;
  Outbox<wire::AgentMessage> outbox_;
  bool writing_ = false;  // its front is on its way
  bool open_ = false;
  bool was_open_ = false;
  std::string why_;
};

// A call of Renew; deletes itself through its callback.
struct Renewal {
  grpc::ClientContext context;
  wire::RenewRequest request;
  wire::Certificate reply;
  std::function<void(Result<Admission>)> done;
};

Admission admission_of(const wire::Certificate& reply) {
  return {{reply.certificate(), reply.authorities()}, reply.agents()};
}

}  // namespace

class Client::Impl final : public StreamUser {
 public:
  Impl(ClientOptions options, ClientSink& sink)
      : options_(std::move(options)), sink_(sink), backoff_(options_.backoff, Rng(options_.seed)) {
    connect();
  }

  ~Impl() override {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    if (stream_ != nullptr) stream_->end("the agent stops");
    for (Renewal* renewal : renewals_) renewal->context.TryCancel();
    if (alarm_) alarm_->Cancel();
    idle_.wait(lock, [&] { return stream_ == nullptr && !waiting_ && renewals_.empty(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Sent send(const FromAgent& message) {
    auto wire = std::make_unique<wire::AgentMessage>();
    write(message, *wire);
    const std::size_t bytes = wire->ByteSizeLong();
    if (bytes > limits::kChannelMessageBytes) return Sent::kTooLarge;
    const std::lock_guard lock(mutex_);
    return stream_ == nullptr ? Sent::kGone : stream_->send(std::move(wire), bytes);
  }

  void renew(const std::string& request, std::function<void(Result<Admission>)> done) {
    auto* renewal = new Renewal;
    renewal->request.set_request(request);
    renewal->done = std::move(done);
    {
      const std::lock_guard lock(mutex_);
      if (stream_ != nullptr && !stopping_) {
        renewals_.insert(renewal);
        stream_->stub().async()->Renew(
            &renewal->context, &renewal->request, &renewal->reply,
            [this, renewal](const grpc::Status& status) { renewed(renewal, status); });
        return;
      }
    }
    renewal->done(io_error("no session with the controller is open"));
    delete renewal;
  }

  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

  void stream_opened() override { sink_.opened(); }
  void stream_received(FromController message) override {
    {
      const std::lock_guard lock(mutex_);
      backoff_.reset();
    }
    sink_.received(std::move(message));
  }
  void stream_skipped() override { ++skipped_; }
  void stream_ended(bool was_open, const std::string& why) override {
    {
      const std::lock_guard lock(mutex_);
      stream_ = nullptr;
      waiting_ = true;
    }
    if (was_open)
      sink_.closed(why);
    else
      sink_.failed(why);
    const std::lock_guard lock(mutex_);
    wait_locked();
  }

 private:
  void connect() {
    auto credentials = identity::read_credentials(options_.credentials);
    if (!credentials) sink_.failed(credentials.error().message);
    const std::lock_guard lock(mutex_);
    if (!credentials || stopping_) return wait_locked();
    waiting_ = false;
    stream_ =
        new Stream(*this,
                   grpc::CreateCustomChannel(
                       "dns:///" + options_.controller, client_credentials(*credentials),
                       client_arguments(options_.link, std::string(identity::kControllerName))),
                   options_.link.queue_bytes);
    stream_->start();
  }

  // Until the next attempt, or for ever when there is none.
  void wait_locked() {
    waiting_ = !stopping_;
    if (stopping_) return idle_.notify_all();
    const auto wait = gpr_time_from_micros(backoff_.next().count(), GPR_TIMESPAN);
    alarm_ = std::make_unique<grpc::Alarm>();
    alarm_->Set(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), wait),
                [this](bool /*ok*/) { connect(); });
  }

  void renewed(Renewal* renewal, const grpc::Status& status) {
    bool stopping = false;
    {
      const std::lock_guard lock(mutex_);
      stopping = stopping_;
    }
    if (!stopping && status.ok())
      renewal->done(admission_of(renewal->reply));
    else if (!stopping)
      renewal->done(io_error(text_of(status)));
    const std::lock_guard lock(mutex_);
    renewals_.erase(renewal);
    delete renewal;
    idle_.notify_all();
  }

  const ClientOptions options_;
  ClientSink& sink_;
  std::atomic<std::uint64_t> skipped_ = 0;

  std::mutex mutex_;
  std::condition_variable idle_;
  Backoff backoff_;
  bool stopping_ = false;
  bool waiting_ = true;       // between two streams: for the alarm, or in a call of the sink
  Stream* stream_ = nullptr;  // owns itself
  std::unique_ptr<grpc::Alarm> alarm_;
  std::set<Renewal*> renewals_;  // own themselves
};

Client::Client(ClientOptions options, ClientSink& sink) {
  prepare_grpc();
  impl_ = std::make_unique<Impl>(std::move(options), sink);
}
Client::~Client() = default;

Sent Client::send(const FromAgent& message) { return impl_->send(message); }
void Client::renew(const std::string& request, std::function<void(Result<Admission>)> done) {
  impl_->renew(request, std::move(done));
}
std::uint64_t Client::skipped() const { return impl_->skipped(); }

}  // namespace weir::channel
