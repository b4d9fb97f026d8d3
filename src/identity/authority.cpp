#include "identity/authority.hpp"

#include <utility>

#include "identity/certificate_facts.hpp"
#include "identity/pem.hpp"

namespace weir::identity {
namespace {

// Longer than a cluster lives; who wants less changes the authority.
constexpr Duration kLife{std::int64_t{20} * 365 * 86'400 * 1'000'000};

std::unexpected<Error> bad_file() {
  return corrupt(
      "the authority's file: expected the key and the certificate that sign, at most one more "
      "pair, "
      "and certificates without a key");
}

Status check_pair(const KeyedCertificate& pair) {
  const auto key = key_of_private(pair.key);
  const auto facts = read_certificate(pair.certificate);
  if (!key || !facts || facts->key != *key) return bad_file();
  return {};
}

}  // namespace

Result<Authority> Authority::make(Instant now) {
  return Authority(WEIR_TRY(make_authority(validity_for(now, kLife))));
}

Result<std::string> Authority::fingerprint() const {
  return WEIR_TRY(read_certificate(signing_.certificate)).fingerprint;
}

std::string Authority::bundle() const {
  std::string text = signing_.certificate;
  if (next_) text += next_->certificate;
  for (const std::string& certificate : old_) text += certificate;
  return text;
}

Status Authority::prepare(Instant now) {
  if (next_) return bad_input("an authority is prepared already: change to it first");
  next_ = WEIR_TRY(make_authority(validity_for(now, kLife)));
  return {};
}

Status Authority::change() {
  if (!next_) return bad_input("no authority is prepared to change to");
  old_.insert(old_.begin(), signing_.certificate);
  signing_ = *std::move(next_);
  next_.reset();
  return {};
}

std::string Authority::text() const {
  std::string text = signing_.key + signing_.certificate;
  if (next_) text += next_->key + next_->certificate;
  for (const std::string& certificate : old_) text += certificate;
  return text;
}

Result<Authority> Authority::parse(std::string_view text) {
  auto blocks = pem_blocks(text);
  if (!blocks) return bad_file();
  std::vector<KeyedCertificate> pairs;
  std::vector<std::string> old;
  std::string key;
  for (PemBlock& block : *blocks) {
    const bool is_key = block.label.ends_with("PRIVATE KEY");
    if (is_key && !key.empty()) return bad_file();
    if (is_key)
      key = std::move(block.text);
    else if (key.empty())
      old.push_back(std::move(block.text));
    else
      pairs.push_back({std::exchange(key, {}), std::move(block.text)});
  }
  if (!key.empty() || pairs.empty() || pairs.size() > 2) return bad_file();
  for (const KeyedCertificate& pair : pairs) WEIR_TRY(check_pair(pair));
  Authority authority(std::move(pairs.front()));
  if (pairs.size() == 2) authority.next_ = std::move(pairs.back());
  authority.old_ = std::move(old);
  return authority;
}

}  // namespace weir::identity
