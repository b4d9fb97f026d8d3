#include "identity/certificate.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/text.hpp"
#include "identity/c_pointer.hpp"
#include "identity/certificate_facts.hpp"

namespace weir::identity {
namespace {

using Bio = CPointer<BIO, BIO_free>;
using Key = CPointer<EVP_PKEY, EVP_PKEY_free>;
using Certificate = CPointer<X509, X509_free>;
using Request = CPointer<X509_REQ, X509_REQ_free>;
using Extension = CPointer<X509_EXTENSION, X509_EXTENSION_free>;
using Number = CPointer<BIGNUM, BN_free>;

constexpr std::size_t kNodeNameBytes = 200;
constexpr Duration kSkew{std::int64_t{86'400} * 1'000'000};
constexpr std::int64_t kMicroseconds = 1'000'000;

// The library keeps a queue of errors for each thread; the last one says the most.
std::unexpected<Error> library_error(std::string_view what) {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return bad_input(fmt::format("{}: {}", what, reason == nullptr ? "refused by OpenSSL" : reason));
}

Bio reader_of(std::string_view text) {
  return Bio(BIO_new_mem_buf(
      text.data(), static_cast<int>(std::min<std::size_t>(text.size(), std::size_t{INT_MAX}))));
}

template <typename Write>
Result<std::string> pem_of(std::string_view what, Write write) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (!bio || write(bio.get()) != 1) return library_error(what);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

Result<std::string> pem_of(X509* certificate) {
  return pem_of("certificate", [&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

Result<std::string> pem_of(EVP_PKEY* key) {
  return pem_of("key", [&](BIO* bio) {
    return PEM_write_bio_PKCS8PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

Result<Key> read_key(std::string_view pem) {
  Key key(PEM_read_bio_PrivateKey(reader_of(pem).get(), nullptr, nullptr, nullptr));
  if (!key) return library_error("private key");
  return key;
}

Result<Certificate> read_x509(std::string_view pem) {
  Certificate certificate(PEM_read_bio_X509(reader_of(pem).get(), nullptr, nullptr, nullptr));
  if (!certificate) return library_error("certificate");
  return certificate;
}

Result<Key> generate_key() {
  Key key(EVP_EC_gen("P-256"));
  if (!key) return library_error("a new key");
  return key;
}

// The public key of a request that was signed with its private half.
Result<Key> asked_key(std::string_view pem) {
  const Request request(PEM_read_bio_X509_REQ(reader_of(pem).get(), nullptr, nullptr, nullptr));
  if (!request) return library_error("certificate request");
  Key key(X509_REQ_get_pubkey(request.get()));
  if (!key || X509_REQ_verify(request.get(), key.get()) != 1)
    return library_error("certificate request: its signature does not fit its key");
  std::array<char, 32> group{};
  if (EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), nullptr) != 1 ||
      std::string_view(group.data()) != "prime256v1")
    return bad_input("certificate request: expected a P-256 key");
  return key;
}

Status add_extension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1)
    return library_error(fmt::format("certificate: {}", value));
  return {};
}

struct NamedExtension {
  int nid;
  std::string value;
};

Status add_extensions(X509* certificate, X509* issuer, const std::vector<NamedExtension>& list) {
  for (const NamedExtension& each : list)
    WEIR_TRY(add_extension(certificate, issuer, each.nid, each.value));
  return {};
}

Status set_times(X509* certificate, const Validity& validity) {
  if (validity.until <= validity.from)
    return bad_input("certificate: expected an end of its validity that is after its begin");
  const auto seconds = [](Instant at) {
    return static_cast<time_t>(at.microseconds() / kMicroseconds);
  };
  if (ASN1_TIME_set(X509_getm_notBefore(certificate), seconds(validity.from)) == nullptr ||
      ASN1_TIME_set(X509_getm_notAfter(certificate), seconds(validity.until)) == nullptr)
    return library_error("certificate: its validity");
  return {};
}

Status set_name(X509_NAME* name, const std::string& common_name) {
  // A common name ends at 64 characters; who it is for stands in the alternative names.
  const std::string text = common_name.substr(0, 64);
  if (X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(text.data()),
                                 static_cast<int>(text.size()), -1, 0) != 1)
    return library_error("certificate: its name");
  return {};
}

// A version 3 certificate with a random number, as yet unsigned.
Result<Certificate> new_certificate(const Validity& validity, EVP_PKEY* key) {
  Certificate certificate(X509_new());
  const Number number(BN_new());
  if (!certificate || !number || BN_rand(number.get(), 127, BN_RAND_TOP_ONE, 0) != 1 ||
      BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get())) == nullptr ||
      X509_set_version(certificate.get(), X509_VERSION_3) != 1 ||
      X509_set_pubkey(certificate.get(), key) != 1)
    return library_error("a new certificate");
  WEIR_TRY(set_times(certificate.get(), validity));
  return certificate;
}

Result<std::string> sign(X509* certificate, EVP_PKEY* key) {
  if (X509_sign(certificate, key, EVP_sha256()) == 0) return library_error("signing a certificate");
  return pem_of(certificate);
}

bool is_name(std::string_view text, std::size_t limit) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= limit && std::ranges::all_of(text, allowed);
}

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// The alternative names as OpenSSL reads them. Names hold no comma, so none can add another.
Result<std::string> alternative_names(const ControllerSubject& controller) {
  std::string text = fmt::format("DNS:{}", kControllerName);
  for (const std::string& name : controller.names) {
    if (is_address(name))
      text += fmt::format(",IP:{}", name);
    else if (is_name(name, 253))
      text += fmt::format(",DNS:{}", name);
    else
      return bad_input(fmt::format("name of the controller: {}: expected a host name or an address",
                                   weir::quoted(name)));
  }
  return text;
}
Result<std::string> alternative_names(const NodeSubject& subject) {
  WEIR_TRY(check_node_name(subject.node));
  return fmt::format("URI:weir://node/{},DNS:{}", subject.node, peer_name(subject.node));
}

// An agent answers its witnesses, so its certificate is good for both ends.
std::string usage_of(const Subject& subject) {
  return std::holds_alternative<NodeSubject>(subject) ? "serverAuth,clientAuth" : "serverAuth";
}

std::string name_of(const Subject& subject) {
  const auto* node = std::get_if<NodeSubject>(&subject);
  return node == nullptr ? std::string(kControllerName) : node->node;
}

}  // namespace

Validity validity_for(Instant now, Duration life) {
  const Duration margin = std::min(kSkew, life / 4);
  return {now + Duration(-margin.count()), now + life};
}

Instant renewal_of(const Validity& validity) {
  return validity.from + (validity.until - validity.from) / 3 * 2;
}

Status check_node_name(std::string_view node) {
  if (is_name(node, kNodeNameBytes)) return {};
  return bad_input(
      fmt::format("name of a node: {}: expected letters, digits, '.', '-' and '_', "
                  "at most {} of them",
                  quoted(node), kNodeNameBytes));
}

Result<std::string> make_key() {
  const Key key = WEIR_TRY(generate_key());
  return pem_of(key.get());
}

Result<KeyedCertificate> make_authority(const Validity& validity) {
  const Key key = WEIR_TRY(generate_key());
  const std::string key_text = WEIR_TRY(pem_of(key.get()));
  const Certificate certificate = WEIR_TRY(new_certificate(validity, key.get()));
  X509* made = certificate.get();
  // Authorities that follow each other differ in name, so that a chain leads to the right one.
  const std::string number = WEIR_TRY(key_of_private(key_text)).substr(0, 16);
  WEIR_TRY(set_name(X509_get_subject_name(made), fmt::format("Weir authority {}", number)));
  WEIR_TRY(set_name(X509_get_issuer_name(made), fmt::format("Weir authority {}", number)));
  WEIR_TRY(add_extensions(made, made,
                          {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                           {NID_key_usage, "critical,keyCertSign,cRLSign"},
                           {NID_subject_key_identifier, "hash"}}));
  std::string text = WEIR_TRY(sign(made, key.get()));
  return KeyedCertificate{key_text, std::move(text)};
}

Result<std::string> make_request(std::string_view key_text) {
  const Key key = WEIR_TRY(read_key(key_text));
  const Request request(X509_REQ_new());
  if (!request || X509_REQ_set_version(request.get(), X509_REQ_VERSION_1) != 1 ||
      X509_REQ_set_pubkey(request.get(), key.get()) != 1 ||
      X509_REQ_sign(request.get(), key.get(), EVP_sha256()) == 0)
    return library_error("certificate request");
  return pem_of("certificate request",
                [&](BIO* bio) { return PEM_write_bio_X509_REQ(bio, request.get()); });
}

Result<std::string> issue(const KeyedCertificate& authority, std::string_view request,
                          const Subject& subject, const Validity& validity) {
  const Certificate issuer = WEIR_TRY(read_x509(authority.certificate));
  const Key issuer_key = WEIR_TRY(read_key(authority.key));
  const Key key = WEIR_TRY(asked_key(request));
  const std::string names =
      WEIR_TRY(std::visit([](const auto& who) { return alternative_names(who); }, subject));
  const Certificate certificate = WEIR_TRY(new_certificate(validity, key.get()));
  X509* made = certificate.get();
  WEIR_TRY(set_name(X509_get_subject_name(made), name_of(subject)));
  if (X509_set_issuer_name(made, X509_get_subject_name(issuer.get())) != 1)
    return library_error("certificate: the name of its issuer");
  WEIR_TRY(add_extensions(made, issuer.get(),
                          {{NID_basic_constraints, "critical,CA:FALSE"},
                           {NID_key_usage, "critical,digitalSignature"},
                           {NID_ext_key_usage, usage_of(subject)},
                           {NID_authority_key_identifier, "keyid:always"},
                           {NID_subject_alt_name, names}}));
  return sign(made, issuer_key.get());
}

}  // namespace weir::identity
