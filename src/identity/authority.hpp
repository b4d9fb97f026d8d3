// Authority: who signs certificates at a site, and those that were or will be in its place.
//
// An authority is changed in three steps, and between two of them every node renews its certificate
// and learns with it whom to trust: prepare() makes the next one, trusted but not yet signing;
// change() lets it sign; drop_old() ends trust in what stood before.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "identity/certificate.hpp"

namespace weir::identity {

class Authority {
 public:
  static Result<Authority> make(Instant now);

  [[nodiscard]] const KeyedCertificate& signing() const { return signing_; }
  [[nodiscard]] bool has_next() const { return next_.has_value(); }
  // SHA-256 of the certificate that signs.
  [[nodiscard]] Result<std::string> fingerprint() const;
  // All certificates to trust, the signing one first.
  [[nodiscard]] std::string bundle() const;

  // Errors: kBadInput, one is prepared already.
  Status prepare(Instant now);
  // Errors: kBadInput, none is prepared.
  Status change();
  void drop_old() { old_.clear(); }

  // Keys and certificates as PEM. Errors: kCorrupt.
  [[nodiscard]] std::string text() const;
  static Result<Authority> parse(std::string_view text);

 private:
  explicit Authority(KeyedCertificate signing) : signing_(std::move(signing)) {}

  KeyedCertificate signing_;
  std::optional<KeyedCertificate> next_;
  std::vector<std::string> old_;  // certificates, the latest first
};

}  // namespace weir::identity
