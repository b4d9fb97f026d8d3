// What stands in a certificate, and whether to trust one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "identity/certificate.hpp"

namespace weir::identity {

// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

struct CertificateFacts {
  std::string fingerprint;  // SHA-256 of the certificate
  std::string key;          // SHA-256 of its public key
  std::string node;         // of weir://node/NAME; empty where it is none of a node
  std::vector<std::string> names;
  Validity validity;
};

// Of the first certificate in the text. Errors: kBadInput.
Result<CertificateFacts> read_certificate(std::string_view pem);

// SHA-256 of the public key that a request, or a private key, holds. Errors: kBadInput.
Result<std::string> key_of_request(std::string_view request);
Result<std::string> key_of_private(std::string_view key);

// "weir://node/NAME" -> NAME; empty for any other text.
std::string node_of_uri(std::string_view uri);

// The name that is expected in the certificate of a node when one connects to it: one that keeps
// apart names which differ in case only, and fits what TLS takes for a host's name.
std::string peer_name(std::string_view node);

// Whether `chain`, the server's certificate first, is of a controller whose authority has this
// fingerprint; yields the authority's certificate. For those who know no authority yet but got the
// fingerprint with a token. Errors: kBadInput, saying which of it does not hold.
Result<std::string> trust_controller(std::string_view chain, std::string_view fingerprint,
                                     Instant now);

// Whether one of the authorities signed the certificate. Times are left to the handshake.
Status check_signed(std::string_view certificate, std::string_view authorities);

}  // namespace weir::identity
