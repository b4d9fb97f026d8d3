#include "identity/agent_identity.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "os/durable_file.hpp"
#include "os/files.hpp"

namespace weir::identity {
namespace {

constexpr const char* kOwn = "node.pem";
constexpr const char* kAuthorities = "authorities.pem";
constexpr const char* kAsking = "asking.pem";  // the key that a request is under way for

}  // namespace

Result<AgentIdentity> AgentIdentity::open(std::filesystem::path folder) {
  WEIR_TRY(os::create_private_folder(folder));
  AgentIdentity identity(std::move(folder));
  const CredentialFiles files = identity.files();
  if (!std::filesystem::exists(files.own)) return identity;
  const Credentials credentials = WEIR_TRY(read_credentials(files));
  auto facts = read_certificate(credentials.chain);
  if (!facts || facts->node.empty())
    return corrupt(fmt::format("{}: expected a certificate of a node", files.own.string()));
  identity.facts_ = *std::move(facts);
  return identity;
}

CredentialFiles AgentIdentity::files() const { return {folder_ / kOwn, folder_ / kAuthorities}; }

Result<std::string> AgentIdentity::request() {
  const std::filesystem::path path = folder_ / kAsking;
  if (std::filesystem::exists(path)) {
    const std::string key = WEIR_TRY(os::read_text(path, limits::kIdentityFileBytes));
    if (auto request = make_request(key)) return request;
  }
  const std::string key = WEIR_TRY(make_key());
  WEIR_TRY(os::write_private_file(path, key));
  return make_request(key);
}

Status AgentIdentity::accept(const Issued& issued, const std::string& node) {
  const std::string key = WEIR_TRY(os::read_text(folder_ / kAsking, limits::kIdentityFileBytes));
  const std::string own_key = WEIR_TRY(key_of_private(key));
  CertificateFacts facts = WEIR_TRY(read_certificate(issued.certificate));
  if (facts.key != own_key)
    return bad_input("the controller signed another key than the one it was asked for");
  if (facts.node != node)
    return bad_input(fmt::format("the controller signed for node {}: expected {}",
                                 weir::quoted(facts.node), node));
  WEIR_TRY(check_signed(issued.certificate, issued.authorities));
  // Trust first: the old certificate is good under the new bundle, too.
  WEIR_TRY(os::write_private_file(folder_ / kAuthorities, issued.authorities));
  WEIR_TRY(os::write_private_file(folder_ / kOwn, key + issued.certificate));
  facts_ = std::move(facts);
  return os::remove_file(folder_ / kAsking);
}

}  // namespace weir::identity
