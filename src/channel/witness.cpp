#include "channel/witness.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <channel.grpc.pb.h>
#include <fmt/format.h>
#include <grpcpp/create_channel.h>

#include "channel/convert.hpp"
#include "channel/listener.hpp"
#include "channel/tls.hpp"
#include "identity/certificate_facts.hpp"

namespace weir::channel {
namespace {

// A question that is answered now or later.
class Asked final : public grpc::ServerUnaryReactor {
 public:
  explicit Asked(wire::WitnessAnswer* reply) : pending_(std::make_shared<Pending>()) {
    pending_->reactor = this;
    pending_->reply = reply;
  }

  AnswerWitness answer() {
    return [pending = pending_](const node::WitnessAnswer& answer) {
      const std::lock_guard lock(pending->mutex);
      if (pending->reactor == nullptr) return;
      write(answer, *pending->reply);
      std::exchange(pending->reactor, nullptr)->Finish(grpc::Status::OK);
    };
  }
  void refuse(const grpc::Status& status) {
    const std::lock_guard lock(pending_->mutex);
    if (pending_->reactor != nullptr) std::exchange(pending_->reactor, nullptr)->Finish(status);
  }

  void OnCancel() override { refuse({grpc::StatusCode::CANCELLED, "cancelled"}); }
  void OnDone() override { delete this; }

 private:
  struct Pending {
    std::mutex mutex;
    Asked* reactor = nullptr;  // none: it is answered
    wire::WitnessAnswer* reply = nullptr;
  };
  std::shared_ptr<Pending> pending_;
};

// Whether `message` comes from the node whose certificate was shown.
template <typename Message>
grpc::Status check_from(const grpc::CallbackServerContext& context,
                        const Result<Message>& message) {
  if (!message) return {grpc::StatusCode::INVALID_ARGUMENT, message.error().message};
  const std::string node = node_of_peer(*context.auth_context());
  if (!node.empty() && node == message->from) return grpc::Status::OK;
  return {grpc::StatusCode::PERMISSION_DENIED,
          fmt::format("the certificate is not that of node {}", message->from)};
}

class WitnessService final : public wire::Witness::CallbackService {
 public:
  explicit WitnessService(WitnessHandler& handler) : handler_(handler) {}

  grpc::ServerUnaryReactor* Ask(grpc::CallbackServerContext* context,
                                const wire::AskWitness* request,
                                wire::WitnessAnswer* reply) override {
    auto* call = new Asked(reply);
    auto question = read(*request);
    if (const grpc::Status status = check_from(*context, question); status.ok())
      handler_.asked(*std::move(question), call->answer());
    else
      call->refuse(status);
    return call;
  }

 private:
  WitnessHandler& handler_;
};

}  // namespace

class WitnessServer::Impl {
 public:
  explicit Impl(WitnessHandler& handler) : service_(handler) {}

  Status start(const ListenerOptions& options) { return listener_.start(options, service_); }
  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }

 private:
  WitnessService service_;
  Listener listener_;  // stops before the service goes
};

WitnessServer::WitnessServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WitnessServer::~WitnessServer() = default;

Result<std::unique_ptr<WitnessServer>> WitnessServer::start(
    const std::string& address, const identity::CredentialFiles& credentials,
    const LinkOptions& link, WitnessHandler& handler) {
  auto impl = std::make_unique<Impl>(handler);
  WEIR_TRY(impl->start({address, credentials, link, true}));
  return std::unique_ptr<WitnessServer>(new WitnessServer(std::move(impl)));
}

std::uint16_t WitnessServer::port() const { return impl_->port(); }

class WitnessClient::Impl {
 public:
  Impl(identity::CredentialFiles credentials, LinkOptions link)
      : credentials_(std::move(credentials)), link_(link) {}

  ~Impl() {
    std::unique_lock lock(mutex_);
    for (grpc::ClientContext* context : running_) context->TryCancel();
    idle_.wait(lock, [&] { return running_.empty(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // A call under way, owned by its callback.
  template <typename Request, typename Reply>
  struct Call {
    grpc::ClientContext context;
    Request request;
    Reply reply;
  };

  // Starts the call by `begin(stub, call, callback)`; `done` gets how it ended.
  template <typename Called, typename Begin, typename Done>
  void start(const node::Peer& witness, const std::shared_ptr<Called>& call, Duration patience,
             Begin begin, const Done& done) {
    call->context.set_deadline(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                            gpr_time_from_micros(patience.count(), GPR_TIMESPAN)));
    std::unique_lock lock(mutex_);
    auto stub = stub_of(witness);
    if (!stub) {
      lock.unlock();
      return done(grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, stub.error().message), *call);
    }
    running_.insert(&call->context);
    begin((*stub)->async(), *call, [this, call, done, witness](const grpc::Status& status) {
      done(status, *call);
      ended(witness, status, call->context);
    });
  }

 private:
  using Stub = std::shared_ptr<wire::Witness::Stub>;
  using Key = std::pair<std::string, std::string>;  // name, address

  Result<Stub> stub_of(const node::Peer& witness) {
    Stub& stub = stubs_[Key(witness.name, witness.address)];
    if (stub) return stub;
    const identity::Credentials credentials = WEIR_TRY(identity::read_credentials(credentials_));
    stub = wire::Witness::NewStub(
        grpc::CreateCustomChannel("dns:///" + witness.address, client_credentials(credentials),
                                  client_arguments(link_, identity::peer_name(witness.name))));
    return stub;
  }

  void ended(const node::Peer& witness, const grpc::Status& status, grpc::ClientContext& context) {
    const std::lock_guard lock(mutex_);
    // Its certificate, or ours, may be another by now.
    if (!status.ok()) stubs_.erase(Key(witness.name, witness.address));
    running_.erase(&context);
    idle_.notify_all();
  }

  const identity::CredentialFiles credentials_;
  const LinkOptions link_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::map<Key, Stub> stubs_;
  std::set<grpc::ClientContext*> running_;
};

WitnessClient::WitnessClient(identity::CredentialFiles credentials, LinkOptions link) {
  prepare_grpc();
  impl_ = std::make_unique<Impl>(std::move(credentials), link);
}
WitnessClient::~WitnessClient() = default;

void WitnessClient::ask(const node::Peer& witness, const node::AskWitness& question,
                        Duration patience, std::function<void(Result<node::WitnessAnswer>)> done) {
  using Question = Impl::Call<wire::AskWitness, wire::WitnessAnswer>;
  auto call = std::make_shared<Question>();
  write(question, call->request);
  impl_->start(
      witness, call, patience,
      [](auto* stub, Question& each, auto callback) {
        stub->Ask(&each.context, &each.request, &each.reply, std::move(callback));
      },
      [witness, done = std::move(done)](const grpc::Status& status, const Question& each) {
        if (!status.ok())
          return done(io_error(fmt::format("witness {}: {}", witness.name, text_of(status))));
        auto answer = read(each.reply);
        if (answer && answer->from != witness.name)
          answer = io_error(fmt::format("witness {} answers as {}", witness.name, answer->from));
        done(std::move(answer));
      });
}

}  // namespace weir::channel
