#include "channel/listener.hpp"

#include <fmt/format.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "channel/tls.hpp"

namespace weir::channel {
namespace {

// How long the ends of calls may take to reach the other ends when the listener stops.
constexpr int kGoodbyeSeconds = 1;

}  // namespace

Listener::Listener() = default;
Listener::~Listener() { stop(); }

Status Listener::start(const ListenerOptions& options, grpc::Service& service) {
  prepare_grpc();
  grpc::ServerBuilder builder;
  set_server_options(builder, options.link);
  builder.AddListeningPort(
      options.address,
      WEIR_TRY(server_credentials(options.credentials, options.link, options.asks_for_certificate)),
      &port_);
  builder.RegisterService(&service);
  server_ = builder.BuildAndStart();
  if (server_ && port_ != 0) return {};
  return io_error(
      fmt::format("{}: cannot be listened on: expected host:port of this machine that no "
                  "other program uses",
                  options.address));
}

void Listener::stop() {
  if (!server_) return;
  server_->Shutdown(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                 gpr_time_from_seconds(kGoodbyeSeconds, GPR_TIMESPAN)));
  server_->Wait();
  server_.reset();
}

}  // namespace weir::channel
