#include "identity/controller_identity.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "identity/certificate_facts.hpp"
#include "os/durable_file.hpp"
#include "os/files.hpp"

namespace weir::identity {
namespace {

constexpr const char* kAuthority = "authority.pem";
constexpr const char* kAuthorities = "authorities.pem";
constexpr const char* kOwn = "controller.pem";
constexpr const char* kTokens = "tokens";

std::unexpected<Error> in_file(const std::filesystem::path& path, Error error) {
  error.message = fmt::format("{}: {}", path.string(), error.message);
  return std::unexpected(std::move(error));
}

Result<Authority> read_authority(const std::filesystem::path& path) {
  auto authority = Authority::parse(WEIR_TRY(os::read_text(path, limits::kIdentityFileBytes)));
  if (!authority) return in_file(path, std::move(authority).error());
  return authority;
}

Result<Authority> first_authority(const std::filesystem::path& path, Instant now) {
  Authority authority = WEIR_TRY(Authority::make(now));
  WEIR_TRY(os::write_private_file(path, authority.text()));
  return authority;
}

Result<TokenTable> read_tokens(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return TokenTable();
  auto tokens = TokenTable::parse(WEIR_TRY(os::read_text(path, limits::kIdentityFileBytes)));
  if (!tokens) return in_file(path, std::move(tokens).error());
  return tokens;
}

}  // namespace

Result<ControllerIdentity> ControllerIdentity::open(std::filesystem::path folder,
                                                    ControllerOptions options, Instant now) {
  WEIR_TRY(os::create_private_folder(folder));
  const std::filesystem::path path = folder / kAuthority;
  Authority authority =
      WEIR_TRY(std::filesystem::exists(path) ? read_authority(path) : first_authority(path, now));
  ControllerIdentity identity(std::move(folder), std::move(options), std::move(authority));
  identity.tokens_ = WEIR_TRY(read_tokens(identity.folder_ / kTokens));
  // A crash may have fallen between the authority's file and this one.
  WEIR_TRY(os::write_private_file(identity.folder_ / kAuthorities, identity.authority_.bundle()));
  if (!identity.is_own_certificate_good(now)) WEIR_TRY(identity.make_own_certificate(now));
  return identity;
}

CredentialFiles ControllerIdentity::files() const {
  return {folder_ / kOwn, folder_ / kAuthorities};
}

bool ControllerIdentity::is_own_certificate_good(Instant now) const {
  const auto credentials = read_credentials(files());
  if (!credentials) return false;
  const auto facts = read_certificate(credentials->chain);
  if (!facts || now < facts->validity.from || now >= renewal_of(facts->validity)) return false;
  const bool named = std::ranges::all_of(options_.names, [&](const std::string& name) {
    return std::ranges::find(facts->names, name) != facts->names.end();
  });
  return named && check_signed(credentials->chain, authority_.signing().certificate).has_value();
}

Status ControllerIdentity::make_own_certificate(Instant now) {
  const std::string key = WEIR_TRY(make_key());
  const std::string request = WEIR_TRY(make_request(key));
  const std::string certificate =
      WEIR_TRY(issue(authority_.signing(), request, ControllerSubject{options_.names},
                     validity_for(now, options_.certificate_life)));
  // With the authority behind it: a node that joins compares that with its token.
  return os::write_private_file(folder_ / kOwn,
                                key + certificate + authority_.signing().certificate);
}

Status ControllerIdentity::keep(Authority authority) {
  WEIR_TRY(os::write_private_file(folder_ / kAuthority, authority.text()));
  authority_ = std::move(authority);
  return os::write_private_file(folder_ / kAuthorities, authority_.bundle());
}

Status ControllerIdentity::keep(TokenTable tokens) {
  WEIR_TRY(os::write_private_file(folder_ / kTokens, tokens.text()));
  tokens_ = std::move(tokens);
  return {};
}

Result<std::string> ControllerIdentity::make_token(std::string_view node, Instant now,
                                                   Duration life) {
  if (!node.empty()) WEIR_TRY(check_node_name(node));
  TokenText text;
  text.secret = make_secret();
  text.fingerprint = WEIR_TRY(authority_.fingerprint());
  TokenTable tokens = tokens_;
  tokens.drop_expired(now);
  WEIR_TRY(tokens.add({hash_secret(text.secret), now + life, std::string(node), {}, {}}));
  WEIR_TRY(keep(std::move(tokens)));
  return to_text(text);
}

Result<Issued> ControllerIdentity::join(std::string_view secret, std::string_view node,
                                        std::string_view request, Instant now) {
  // A token is not spent on a request that nobody could sign.
  Issued issued = WEIR_TRY(sign(node, request, now));
  const std::string key = WEIR_TRY(key_of_request(request));
  TokenTable tokens = tokens_;
  WEIR_TRY(tokens.use({std::string(secret), std::string(node), key}, now));
  WEIR_TRY(keep(std::move(tokens)));
  return issued;
}

Result<Issued> ControllerIdentity::renew(std::string_view node, std::string_view request,
                                         Instant now) {
  return sign(node, request, now);
}

Result<Issued> ControllerIdentity::sign(std::string_view node, std::string_view request,
                                        Instant now) const {
  Issued issued;
  issued.certificate = WEIR_TRY(issue(authority_.signing(), request, NodeSubject{std::string(node)},
                                      validity_for(now, options_.certificate_life)));
  issued.authorities = authority_.bundle();
  return issued;
}

Status ControllerIdentity::refresh(Instant now) {
  if (is_own_certificate_good(now)) return {};
  return make_own_certificate(now);
}

Status ControllerIdentity::prepare_authority(Instant now) {
  Authority next = authority_;
  WEIR_TRY(next.prepare(now));
  return keep(std::move(next));
}

Status ControllerIdentity::change_authority(Instant now) {
  Authority next = authority_;
  WEIR_TRY(next.change());
  WEIR_TRY(keep(std::move(next)));
  return make_own_certificate(now);
}

Status ControllerIdentity::drop_old_authorities() {
  Authority next = authority_;
  next.drop_old();
  return keep(std::move(next));
}

}  // namespace weir::identity
