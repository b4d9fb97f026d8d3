// What gRPC is told about TLS and time, for the .cpp files of this folder. TLS is always mutual but
// where a node joins; names are those of identity/certificate.hpp, never those of hosts.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "channel/link_options.hpp"
#include "identity/credentials.hpp"

namespace grpc {
class AuthContext;
class ChannelArguments;
class ChannelCredentials;
class ServerBuilder;
class ServerCredentials;
class Status;
}  // namespace grpc

namespace weir::channel {

// Before anything else of gRPC, any number of times. What it has to say goes to its callers as
// statuses; to standard error only that it is about to abort, or all that GRPC_VERBOSITY asks for.
void prepare_grpc();

// For a listener. The files are read again when they change; running sessions stay.
// Errors: kIo, kCorrupt, they cannot be read now.
Result<std::shared_ptr<grpc::ServerCredentials>> server_credentials(
    const identity::CredentialFiles& files, const LinkOptions& link, bool asks_for_certificate);

std::shared_ptr<grpc::ChannelCredentials> client_credentials(
    const identity::Credentials& credentials);
// For a node that knows no authority yet: `trust` gets the PEM chain that the server shows.
std::shared_ptr<grpc::ChannelCredentials> joining_credentials(
    std::function<Status(const std::string& chain)> trust);

void set_server_options(grpc::ServerBuilder& builder, const LinkOptions& link);
// `name`: the one that the server's certificate must have.
grpc::ChannelArguments client_arguments(const LinkOptions& link, const std::string& name);

// The node whose certificate the other end has shown; empty where it is none of a node.
std::string node_of_peer(const grpc::AuthContext& context);

// "the connection broke: ..." for people.
std::string text_of(const grpc::Status& status);

}  // namespace weir::channel
