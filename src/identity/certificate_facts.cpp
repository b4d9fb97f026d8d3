#include "identity/certificate_facts.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <ctime>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>

#include "identity/c_pointer.hpp"
#include "identity/pem.hpp"

namespace weir::identity {
namespace {

using Bio = CPointer<BIO, BIO_free>;
using Key = CPointer<EVP_PKEY, EVP_PKEY_free>;
using Certificate = CPointer<X509, X509_free>;
using Request = CPointer<X509_REQ, X509_REQ_free>;
using Names = CPointer<GENERAL_NAMES, GENERAL_NAMES_free>;

constexpr std::string_view kNodeUri = "weir://node/";

Bio reader_of(std::string_view text) {
  return Bio(BIO_new_mem_buf(
      text.data(), static_cast<int>(std::min<std::size_t>(text.size(), std::size_t{INT_MAX}))));
}

Result<Certificate> read_x509(std::string_view pem) {
  Certificate certificate(PEM_read_bio_X509(reader_of(pem).get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!certificate) return bad_input("expected a certificate as PEM");
  return certificate;
}

// The DER bytes that an i2d function of OpenSSL writes.
template <typename Encode>
std::string der_of(Encode encode) {
  unsigned char* bytes = nullptr;
  const int size = encode(&bytes);
  if (size <= 0) return {};
  std::string text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return text;
}

std::string hash_of_key(EVP_PKEY* key) {
  return sha256_hex(der_of([&](unsigned char** out) { return i2d_PUBKEY(key, out); }));
}

std::string hash_of(X509* certificate) {
  return sha256_hex(der_of([&](unsigned char** out) { return i2d_X509(certificate, out); }));
}

std::string text_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string address_of(const ASN1_OCTET_STRING* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = ASN1_STRING_length(bytes) == 4 ? AF_INET : AF_INET6;
  const char* done =
      inet_ntop(family, ASN1_STRING_get0_data(bytes), text.data(), socklen_t{text.size()});
  return done == nullptr ? std::string() : std::string(done);
}

void read_names(X509* certificate, CertificateFacts& facts) {
  const Names names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) facts.names.push_back(text_of(name->d.dNSName));
    if (name->type == GEN_IPADD) facts.names.push_back(address_of(name->d.iPAddress));
    if (name->type == GEN_URI) facts.node = node_of_uri(text_of(name->d.uniformResourceIdentifier));
  }
}

Result<Instant> instant_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return bad_input("certificate: its validity is no time");
  return Instant(std::int64_t{::timegm(&parts)} * 1'000'000);
}

bool signed_by(X509* certificate, X509* authority) {
  const Key key(X509_get_pubkey(authority));
  const bool good = key && X509_check_ca(authority) == 1 &&
                    X509_check_issued(authority, certificate) == X509_V_OK &&
                    X509_verify(certificate, key.get()) == 1;
  ERR_clear_error();
  return good;
}

Result<std::vector<PemBlock>> certificates_of(std::string_view text) {
  std::vector<PemBlock> blocks = WEIR_TRY(pem_blocks(text));
  std::erase_if(blocks, [](const PemBlock& block) { return block.label != "CERTIFICATE"; });
  return blocks;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), hash.data());
  std::string text;
  for (const unsigned char byte : hash) text += fmt::format("{:02x}", byte);
  return text;
}

Result<CertificateFacts> read_certificate(std::string_view pem) {
  const Certificate certificate = WEIR_TRY(read_x509(pem));
  const Key key(X509_get_pubkey(certificate.get()));
  if (!key) return bad_input("certificate: its key is of no known kind");
  CertificateFacts facts;
  facts.fingerprint = hash_of(certificate.get());
  facts.key = hash_of_key(key.get());
  facts.validity.from = WEIR_TRY(instant_of(X509_get0_notBefore(certificate.get())));
  facts.validity.until = WEIR_TRY(instant_of(X509_get0_notAfter(certificate.get())));
  read_names(certificate.get(), facts);
  return facts;
}

Result<std::string> key_of_request(std::string_view pem) {
  const Request request(PEM_read_bio_X509_REQ(reader_of(pem).get(), nullptr, nullptr, nullptr));
  const Key key(request ? X509_REQ_get_pubkey(request.get()) : nullptr);
  ERR_clear_error();
  if (!key) return bad_input("expected a certificate request as PEM");
  return hash_of_key(key.get());
}

Result<std::string> key_of_private(std::string_view pem) {
  const Key key(PEM_read_bio_PrivateKey(reader_of(pem).get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!key) return bad_input("expected a private key as PEM");
  return hash_of_key(key.get());
}

std::string node_of_uri(std::string_view uri) {
  if (!uri.starts_with(kNodeUri)) return {};
  return std::string(uri.substr(kNodeUri.size()));
}

std::string peer_name(std::string_view node) {
  return sha256_hex(node).substr(0, 32) + ".node.weir";
}

Result<std::string> trust_controller(std::string_view chain, std::string_view fingerprint,
                                     Instant now) {
  const std::vector<PemBlock> blocks = WEIR_TRY(certificates_of(chain));
  if (blocks.size() < 2)
    return bad_input("the server shows no authority: it is no Weir controller");
  const CertificateFacts facts = WEIR_TRY(read_certificate(blocks.front().text));
  const Certificate server = WEIR_TRY(read_x509(blocks.front().text));
  for (const PemBlock& block : blocks) {
    const Certificate authority = WEIR_TRY(read_x509(block.text));
    if (hash_of(authority.get()) != fingerprint) continue;
    if (!signed_by(server.get(), authority.get()))
      return bad_input("the authority that the token names did not sign the server's certificate");
    if (std::ranges::find(facts.names, kControllerName) == facts.names.end())
      return bad_input("the server's certificate is not that of a controller");
    if (now < facts.validity.from || now > facts.validity.until)
      return bad_input(
          fmt::format("the controller's certificate is valid from {} to {}, and here "
                      "it is {}: set the clock",
                      format_instant(facts.validity.from), format_instant(facts.validity.until),
                      format_instant(now)));
    return block.text;
  }
  return bad_input(
      "the server's authority is not the one that the token names: expected a token "
      "made by this controller");
}

Status check_signed(std::string_view certificate, std::string_view authorities) {
  const Certificate checked = WEIR_TRY(read_x509(certificate));
  const std::vector<PemBlock> blocks = WEIR_TRY(certificates_of(authorities));
  for (const PemBlock& block : blocks) {
    const Certificate authority = WEIR_TRY(read_x509(block.text));
    if (signed_by(checked.get(), authority.get())) return {};
  }
  return bad_input("the certificate is signed by none of the authorities");
}

}  // namespace weir::identity
