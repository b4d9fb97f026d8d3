#include "channel/server.hpp"

#include <mutex>
#include <utility>

#include <channel.grpc.pb.h>

#include "channel/listener.hpp"
#include "channel/sessions.hpp"
#include "channel/tls.hpp"

namespace weir::channel {
namespace {

// A call that is answered with a certificate, now or later, or never when the caller is gone.
class Admitting final : public grpc::ServerUnaryReactor {
 public:
  explicit Admitting(wire::Certificate* reply) : pending_(std::make_shared<Pending>()) {
    pending_->reactor = this;
    pending_->reply = reply;
  }

  // What answers the call. Works, or does nothing, on any thread at any time.
  Admit admit() {
    return [pending = pending_](const Result<Admission>& result) { pending->answer(result); };
  }

  void OnCancel() override { pending_->finish({grpc::StatusCode::CANCELLED, "cancelled"}); }
  void OnDone() override { delete this; }

 private:
  struct Pending {
    std::mutex mutex;
    Admitting* reactor = nullptr;  // none: it is answered
    wire::Certificate* reply = nullptr;

    void answer(const Result<Admission>& result) {
      if (!result) return finish({grpc::StatusCode::PERMISSION_DENIED, result.error().message});
      const std::lock_guard lock(mutex);
      if (reactor == nullptr) return;
      reply->set_certificate(result->issued.certificate);
      reply->set_authorities(result->issued.authorities);
      reply->set_agents(result->agents);
      std::exchange(reactor, nullptr)->Finish(grpc::Status::OK);
    }
    void finish(const grpc::Status& status) {
      const std::lock_guard lock(mutex);
      if (reactor != nullptr) std::exchange(reactor, nullptr)->Finish(status);
    }
  };

  std::shared_ptr<Pending> pending_;
};

class AgentsService final : public wire::Agents::CallbackService {
 public:
  AgentsService(ServerHandler& handler, const LinkOptions& link)
      : handler_(handler), sessions_(handler, link) {}

  Sessions& sessions() { return sessions_; }

  Sessions::Reactor* Session(grpc::CallbackServerContext* context) override {
    return sessions_.accept(context);
  }

  grpc::ServerUnaryReactor* Renew(grpc::CallbackServerContext* context,
                                  const wire::RenewRequest* request,
                                  wire::Certificate* reply) override {
    auto* call = new Admitting(reply);
    if (const std::string node = node_of_peer(*context->auth_context()); !node.empty())
      handler_.renewal(node, request->request(), call->admit());
    else
      call->admit()(bad_input("the certificate is not that of a node"));
    return call;
  }

 private:
  ServerHandler& handler_;
  Sessions sessions_;
};

class JoiningService final : public wire::Joining::CallbackService {
 public:
  explicit JoiningService(ServerHandler& handler) : handler_(handler) {}

  grpc::ServerUnaryReactor* Join(grpc::CallbackServerContext* context,
                                 const wire::JoinRequest* request,
                                 wire::Certificate* reply) override {
    auto* call = new Admitting(reply);
    handler_.join({request->secret(), request->node(), request->request(), context->peer()},
                  call->admit());
    return call;
  }

 private:
  ServerHandler& handler_;
};

}  // namespace

class Server::Impl {
 public:
  Impl(ServerHandler& handler, const LinkOptions& link)
      : agents_(handler, link), joining_(handler) {}

  ~Impl() {
    agents_.sessions().close_all("the controller stops");
    joining_listener_.stop();
    agents_listener_.stop();
    agents_.sessions().wait_until_empty();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status start(const ServerOptions& options) {
    WEIR_TRY(
        agents_listener_.start({options.agents, options.credentials, options.link, true}, agents_));
    if (options.joining.empty()) return {};
    return joining_listener_.start({options.joining, options.credentials, options.link, false},
                                   joining_);
  }

  [[nodiscard]] Sessions& sessions() { return agents_.sessions(); }
  [[nodiscard]] std::uint16_t agents_port() const { return agents_listener_.port(); }
  [[nodiscard]] std::uint16_t joining_port() const { return joining_listener_.port(); }

 private:
  AgentsService agents_;
  JoiningService joining_;
  Listener agents_listener_;
  Listener joining_listener_;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options,
                                              ServerHandler& handler) {
  prepare_grpc();
  auto impl = std::make_unique<Impl>(handler, options.link);
  WEIR_TRY(impl->start(options));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::agents_port() const { return impl_->agents_port(); }
std::uint16_t Server::joining_port() const { return impl_->joining_port(); }
ServerFigures Server::figures() const { return impl_->sessions().figures(); }

Sent Server::send(SessionId session, const FromController& message) {
  return impl_->sessions().send(session, message);
}
void Server::close(SessionId session, const std::string& why) {
  impl_->sessions().close(session, why);
}

}  // namespace weir::channel
