#include "identity/credentials.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "identity/pem.hpp"
#include "os/files.hpp"

namespace weir::identity {

Result<Credentials> read_credentials(const CredentialFiles& files) {
  Credentials credentials;
  const std::string own = WEIR_TRY(os::read_text(files.own, limits::kIdentityFileBytes));
  for (const PemBlock& block : WEIR_TRY(pem_blocks(own)))
    (block.label == "CERTIFICATE" ? credentials.chain : credentials.key) += block.text;
  if (credentials.key.empty() || credentials.chain.empty())
    return corrupt(fmt::format("{}: expected a private key and a certificate", files.own.string()));
  credentials.authorities = WEIR_TRY(os::read_text(files.authorities, limits::kIdentityFileBytes));
  return credentials;
}

}  // namespace weir::identity
