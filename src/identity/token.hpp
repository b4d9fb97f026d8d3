// Join tokens: a text that lets one node join once. It holds a secret and the fingerprint of the
// site's authority, so that the node knows whom it gives the secret to. The controller keeps only a
// hash of the secret. Values and rules here; who keeps the table writes it down
// (ControllerIdentity).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace weir::identity {

// "weir-SECRET-FINGERPRINT": 64 hexadecimal digits each.
struct TokenText {
  std::string secret;
  std::string fingerprint;  // SHA-256 of the authority's certificate

  friend bool operator==(const TokenText&, const TokenText&) = default;
};
std::string to_text(const TokenText& token);
// Errors: kBadInput; the message never holds the token.
Result<TokenText> parse_token(std::string_view text);

// 32 random bytes.
std::string make_secret();
// BLAKE2b of a secret, 64 hexadecimal digits.
std::string hash_secret(std::string_view secret);

struct JoinToken {
  std::string hash;  // hash_secret()
  Instant expires;
  std::string node;     // who may use it; empty: any
  std::string used_by;  // the node that did; empty: nobody yet
  std::string key;      // the key it asked with

  friend bool operator==(const JoinToken&, const JoinToken&) = default;
};

// Who wants to use a token.
struct TokenUse {
  std::string secret;
  std::string node;
  std::string key;  // SHA-256 of the public key that it asks a certificate for
};

class TokenTable {
 public:
  // Errors: kLimit, too many tokens that have not expired.
  Status add(JoinToken token);

  // A token is used once. The same node may ask again with the same key until the token expires,
  // for the answer may have been lost on its way. Errors: kBadInput, which do not tell more than
  // whether the token is unknown, used, expired or another node's.
  Status use(const TokenUse& use, Instant now);

  // Tokens that have expired, used or not, are dropped.
  void drop_expired(Instant now);

  [[nodiscard]] const std::vector<JoinToken>& tokens() const { return tokens_; }

  // One line for each; equal tables give equal texts.
  [[nodiscard]] std::string text() const;
  // Errors: kCorrupt, naming the line.
  static Result<TokenTable> parse(std::string_view text);

  friend bool operator==(const TokenTable&, const TokenTable&) = default;

 private:
  std::vector<JoinToken> tokens_;  // in the order they were made
};

}  // namespace weir::identity
