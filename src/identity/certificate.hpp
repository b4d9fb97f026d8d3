// Keys and certificates as PEM texts: P-256 keys, an authority of our own, and what it signs. The
// key of an agent never leaves its node: only a request with the public half travels.
//
// Times come in as arguments; randomness is the library's. Any thread may call these.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace weir::identity {

struct KeyedCertificate {
  std::string key;          // PEM, PKCS #8
  std::string certificate;  // PEM
};

struct Validity {
  Instant from;
  Instant until;

  friend bool operator==(const Validity&, const Validity&) = default;
};

// From a little before `now`, so that a node whose clock is behind takes it, until `now + life`.
// The margin is a day, or a quarter of a shorter life.
Validity validity_for(Instant now, Duration life);

// When to ask for the next one: two thirds of it have passed.
Instant renewal_of(const Validity& validity);

// The name that every agent expects in the certificate of whom it takes for its controller. Only
// the authority gives it, and never to a node, so a controller may move to another host.
inline constexpr std::string_view kControllerName = "controller.weir";

struct ControllerSubject {
  std::vector<std::string> names;  // of its hosts and addresses, beside kControllerName
};
struct NodeSubject {
  std::string node;
};
using Subject = std::variant<ControllerSubject, NodeSubject>;

// Names of nodes go into certificates: letters, digits, dots, dashes, underscores; 200 bytes.
Status check_node_name(std::string_view node);

Result<std::string> make_key();
Result<KeyedCertificate> make_authority(const Validity& validity);

// Asks for a certificate of this key (PEM, PKCS #10). Signed with the key, so that nobody gets a
// certificate for a key that is not his.
Result<std::string> make_request(std::string_view key);

// Signs a request. Of the request only the key counts: who it is for says `subject`.
// Errors: kBadInput, no P-256 key or a wrong signature in the request, a name that cannot be.
Result<std::string> issue(const KeyedCertificate& authority, std::string_view request,
                          const Subject& subject, const Validity& validity);

}  // namespace weir::identity
