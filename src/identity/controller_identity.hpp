// ControllerIdentity: the site's authority, the controller's own certificate and the join tokens,
// in one private folder (STATE/identity). What a call changes is on the disk when it returns.
//
// One process owns the folder. Not thread safe. Times come in as arguments (wall clock, since
// certificates are dated by it).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "identity/authority.hpp"
#include "identity/credentials.hpp"
#include "identity/token.hpp"

namespace weir::identity {

// What a node gets.
struct Issued {
  std::string certificate;  // PEM
  std::string authorities;  // PEM, whom to trust from now on

  friend bool operator==(const Issued&, const Issued&) = default;
};

struct ControllerOptions {
  // Names and addresses of the controller's hosts, for those who connect by name.
  std::vector<std::string> names = {"localhost", "127.0.0.1"};
  Duration certificate_life{std::int64_t{7} * 86'400 * 1'000'000};  // of nodes and its own
};

class ControllerIdentity {
 public:
  // Makes authority and certificate where there are none; a new certificate where two thirds of its
  // life are over or the names are others. Errors: kIo, kCorrupt, kBadInput.
  static Result<ControllerIdentity> open(std::filesystem::path folder, ControllerOptions options,
                                         Instant now);

  // What a server shows and trusts by; both files are replaced as a whole.
  [[nodiscard]] CredentialFiles files() const;
  [[nodiscard]] const Authority& authority() const { return authority_; }

  // A text for `weir agent --join`, bound to a node unless that is empty.
  Result<std::string> make_token(std::string_view node, Instant now, Duration life);
  [[nodiscard]] const TokenTable& tokens() const { return tokens_; }

  // Uses the token, then signs. Errors: kBadInput, the token or the request is refused; kIo.
  // The secret is that of parse_token().
  Result<Issued> join(std::string_view secret, std::string_view node, std::string_view request,
                      Instant now);
  // For a node that showed its certificate.
  Result<Issued> renew(std::string_view node, std::string_view request, Instant now);

  // To be called now and then: renews the own certificate when that is due.
  Status refresh(Instant now);

  // The steps of a change of authority (authority.hpp); change also renews the own certificate.
  Status prepare_authority(Instant now);
  Status change_authority(Instant now);
  Status drop_old_authorities();

 private:
  ControllerIdentity(std::filesystem::path folder, ControllerOptions options, Authority authority)
      : folder_(std::move(folder)),
        options_(std::move(options)),
        authority_(std::move(authority)) {}

  [[nodiscard]] bool is_own_certificate_good(Instant now) const;
  Status make_own_certificate(Instant now);
  Status keep(Authority authority);
  Status keep(TokenTable tokens);
  Result<Issued> sign(std::string_view node, std::string_view request, Instant now) const;

  std::filesystem::path folder_;
  ControllerOptions options_;
  Authority authority_;
  TokenTable tokens_;
};

}  // namespace weir::identity
