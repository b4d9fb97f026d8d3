#include <utility>

#include <channel.grpc.pb.h>
#include <fmt/format.h>
#include <grpcpp/create_channel.h>

#include "channel/client.hpp"
#include "channel/tls.hpp"
#include "identity/certificate_facts.hpp"
#include "identity/pem.hpp"
#include "identity/token.hpp"

namespace weir::channel {
namespace {

// The authority of the token must be among those that the node is told to trust.
Status check_authorities(const std::string& authorities, const identity::TokenText& token) {
  for (const identity::PemBlock& block : WEIR_TRY(identity::pem_blocks(authorities)))
    if (WEIR_TRY(identity::read_certificate(block.text)).fingerprint == token.fingerprint)
      return {};
  return bad_input("the controller's answer does not hold the authority that the token names");
}

}  // namespace

Result<Admission> join(const JoinOptions& options) {
  prepare_grpc();
  const identity::TokenText token = WEIR_TRY(identity::parse_token(options.token));
  const auto credentials = joining_credentials([&](const std::string& chain) -> Status {
    WEIR_TRY(identity::trust_controller(chain, token.fingerprint, options.now));
    return {};
  });
  const auto stub = wire::Joining::NewStub(grpc::CreateCustomChannel(
      "dns:///" + options.joining, credentials,
      client_arguments(options.link, std::string(identity::kControllerName))));
  wire::JoinRequest request;
  request.set_secret(token.secret);
  request.set_node(options.node);
  request.set_request(options.request);
  wire::Certificate reply;
  grpc::ClientContext context;
  context.set_deadline(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                    gpr_time_from_micros(options.patience.count(), GPR_TIMESPAN)));
  if (const grpc::Status status = stub->Join(&context, request, &reply); !status.ok()) {
    const std::string why = fmt::format("{}: {}", options.joining, text_of(status));
    if (status.error_code() == grpc::StatusCode::PERMISSION_DENIED) return bad_input(why);
    return io_error(why);
  }
  WEIR_TRY(check_authorities(reply.authorities(), token));
  return Admission{{reply.certificate(), reply.authorities()}, reply.agents()};
}

}  // namespace weir::channel
