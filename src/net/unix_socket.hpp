// UNIX stream sockets: listen at a path, connect to one, and who is at the other end.
#pragma once

#include <filesystem>

#include <sys/types.h>

#include "base/result.hpp"
#include "net/message.hpp"
#include "os/descriptor.hpp"

namespace weir::net {

// Listens at `path`, with its permissions set to `mode`. A socket that a dead process left there is
// replaced. Errors (kBadInput): somebody listens there; there is a file of another kind; the path
// is longer than a socket's name may be (107 bytes); kIo.
Result<os::Descriptor> listen_at(const std::filesystem::path& path, mode_t mode);

// Not blocking. Errors: kIo; nobody listens there, and then the message says how to start one.
Result<os::Descriptor> connect_to(const std::filesystem::path& path);

// REQUIRES: a connected UNIX socket.
Peer peer_of(int socket);

}  // namespace weir::net
