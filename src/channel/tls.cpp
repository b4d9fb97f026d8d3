#include "channel/tls.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <grpcpp/server_builder.h>

#include "base/limits.hpp"
#include "identity/certificate_facts.hpp"

namespace weir::channel {
namespace {

namespace tls = grpc::experimental;

// Streams of one connection: an agent has one session and now and then a renewal.
constexpr int kStreamsPerConnection = 16;

int milliseconds(Duration duration) {
  return static_cast<int>(std::min<std::int64_t>(duration.count() / 1000, INT_MAX));
}

// Takes a server by a rule of ours instead of by known authorities.
class TrustBy final : public tls::ExternalCertificateVerifier {
 public:
  explicit TrustBy(std::function<Status(const std::string&)> trust) : trust_(std::move(trust)) {}

  bool Verify(tls::TlsCustomVerificationCheckRequest* request,
              std::function<void(grpc::Status)> /*callback*/, grpc::Status* status) override {
    const grpc::string_ref chain = request->peer_cert_full_chain();
    if (const Status trusted = trust_(std::string(chain.data(), chain.size())); !trusted)
      *status = grpc::Status(grpc::StatusCode::UNAUTHENTICATED, trusted.error().message);
    return true;  // it is decided
  }
  void Cancel(tls::TlsCustomVerificationCheckRequest* /*request*/) override {}

 private:
  std::function<Status(const std::string&)> trust_;
};

void print_last_words(gpr_log_func_args* line) {
  if (std::string_view(line->message).starts_with("assertion failed"))
    std::fprintf(stderr, "gRPC: %s:%d: %s\n", line->file, line->line, line->message);
}

// gRPC 1.51 ends its callback threads when the last channel that used them goes. If that happens on
// one of them, as when a stream deletes itself, the thread joins itself and gRPC aborts. So one
// channel that has used them, and leads nowhere, never goes.
void keep_callback_threads() {
  static const auto* const keeper = new std::shared_ptr<grpc::Channel>(
      grpc::CreateCustomChannel("", nullptr, grpc::ChannelArguments()));
  grpc::ClientContext context;
  const grpc::Slice empty;
  const grpc::ByteBuffer request(&empty, 1);
  grpc::ByteBuffer reply;
  std::promise<void> done;
  grpc::GenericStub(*keeper).UnaryCall(
      &context, "/none", {}, &request, &reply,
      [&done](const grpc::Status& /*status*/) { done.set_value(); });
  done.get_future().wait();
}

}  // namespace

void prepare_grpc() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (std::getenv("GRPC_VERBOSITY") == nullptr) gpr_set_log_function(print_last_words);
    keep_callback_threads();
  });
}

Result<std::shared_ptr<grpc::ServerCredentials>> server_credentials(
    const identity::CredentialFiles& files, const LinkOptions& link, bool asks_for_certificate) {
  WEIR_TRY(identity::read_credentials(files));
  // Key and certificate are one file, so that they are replaced together.
  const auto provider = std::make_shared<tls::FileWatcherCertificateProvider>(
      files.own.string(), files.own.string(), files.authorities.string(),
      static_cast<unsigned>(std::max<std::int64_t>(1, link.reload.count() / 1'000'000)));
  tls::TlsServerCredentialsOptions options(provider);
  options.watch_identity_key_cert_pairs();
  if (asks_for_certificate) {
    options.watch_root_certs();
    options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  } else {
    options.set_cert_request_type(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  }
  return tls::TlsServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> client_credentials(
    const identity::Credentials& credentials) {
  return grpc::SslCredentials({credentials.authorities, credentials.key, credentials.chain});
}

std::shared_ptr<grpc::ChannelCredentials> joining_credentials(
    std::function<Status(const std::string& chain)> trust) {
  tls::TlsChannelCredentialsOptions options;
  options.set_verify_server_certs(false);
  options.set_check_call_host(false);
  options.set_certificate_verifier(
      tls::ExternalCertificateVerifier::Create<TrustBy>(std::move(trust)));
  return tls::TlsCredentials(options);
}

void set_server_options(grpc::ServerBuilder& builder, const LinkOptions& link) {
  builder.SetMaxReceiveMessageSize(limits::kChannelMessageBytes);
  builder.SetMaxSendMessageSize(limits::kChannelMessageBytes);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds(link.keepalive));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, milliseconds(link.keepalive_answer));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // The other end asks as often as we do; gRPC takes more than that for an attack.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             milliseconds(link.keepalive / 4));
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, milliseconds(link.connect));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsPerConnection);
  // A second listener on a port is refused instead of getting every other connection.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

grpc::ChannelArguments client_arguments(const LinkOptions& link, const std::string& name) {
  grpc::ChannelArguments arguments;
  arguments.SetSslTargetNameOverride(name);
  arguments.SetMaxReceiveMessageSize(limits::kChannelMessageBytes);
  arguments.SetMaxSendMessageSize(limits::kChannelMessageBytes);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds(link.keepalive));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, milliseconds(link.keepalive_answer));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, milliseconds(link.connect));
  // Else agents in one process share one connection, and the certificate of the first of them.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // Straight to the address given: no proxy of the environment, no configuration from DNS.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  return arguments;
}

std::string node_of_peer(const grpc::AuthContext& context) {
  if (!context.IsPeerAuthenticated()) return {};
  for (const grpc::string_ref& uri : context.FindPropertyValues(GRPC_PEER_URI_PROPERTY_NAME))
    if (std::string node = identity::node_of_uri(std::string(uri.data(), uri.size()));
        !node.empty())
      return node;
  return {};
}

std::string text_of(const grpc::Status& status) {
  if (status.ok()) return "the other end closed it";
  return status.error_message().empty()
             ? fmt::format("gRPC status {}", static_cast<int>(status.error_code()))
             : status.error_message();
}

}  // namespace weir::channel
