// AgentIdentity: a node's key and certificate and whom it trusts, in one private folder. The key is
// made here and stays here. What a call changes is on the disk when it returns.
//
// One process owns the folder. Not thread safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "identity/certificate_facts.hpp"
#include "identity/controller_identity.hpp"
#include "identity/credentials.hpp"

namespace weir::identity {

class AgentIdentity {
 public:
  // Errors: kIo, kCorrupt.
  static Result<AgentIdentity> open(std::filesystem::path folder);

  // Whether the node has joined. The names of its files are good before that, too.
  [[nodiscard]] bool has_joined() const { return facts_.has_value(); }
  // REQUIRES: has_joined().
  [[nodiscard]] const std::string& node() const { return facts_->node; }
  [[nodiscard]] Instant renewal() const { return renewal_of(facts_->validity); }
  [[nodiscard]] Instant end() const { return facts_->validity.until; }

  [[nodiscard]] CredentialFiles files() const;

  // A request for a certificate of a new key. Until accept() it is the same key, also after a
  // restart, so that an answer that was lost can be asked for again.
  Result<std::string> request();

  // Takes what the controller signed. Errors: kBadInput, it is not for the key of request(), for
  // another node, or signed by none of the authorities that came with it.
  Status accept(const Issued& issued, const std::string& node);

 private:
  explicit AgentIdentity(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  std::optional<CertificateFacts> facts_;
};

}  // namespace weir::identity
