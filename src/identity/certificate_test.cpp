#include "identity/certificate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identity/certificate_facts.hpp"
#include "identity/pem.hpp"
#include "identity/test_times.hpp"

namespace weir::identity {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Validity kWeek = validity_for(kNow, 7 * kDay);

KeyedCertificate authority() { return make_authority(validity_for(kNow, 1000 * kDay)).value(); }

std::string signed_for(const KeyedCertificate& by, const Subject& subject) {
  return issue(by, make_request(make_key().value()).value(), subject, kWeek).value();
}

TEST(Certificate, OfANodeNamesTheNodeAndFitsItsKey) {
  const KeyedCertificate ca = authority();
  const std::string key = make_key().value();
  const std::string request = make_request(key).value();
  const std::string text = issue(ca, request, NodeSubject{"gpu_07.Rack-3"}, kWeek).value();
  const CertificateFacts facts = read_certificate(text).value();
  EXPECT_EQ(facts.node, "gpu_07.Rack-3");
  EXPECT_THAT(facts.names, ElementsAre(peer_name("gpu_07.Rack-3")));
  EXPECT_EQ(facts.validity, kWeek);
  EXPECT_EQ(facts.key, key_of_private(key).value());
  EXPECT_EQ(facts.key, key_of_request(request).value());
  EXPECT_TRUE(check_signed(text, ca.certificate));
}

TEST(Certificate, OfAControllerHasItsNamesAndNoNode) {
  const std::string text =
      signed_for(authority(), ControllerSubject{{"head.example", "10.1.2.3", "fd00::1"}});
  const CertificateFacts facts = read_certificate(text).value();
  EXPECT_EQ(facts.node, "");
  EXPECT_THAT(facts.names,
              ElementsAre(std::string(kControllerName), "head.example", "10.1.2.3", "fd00::1"));
}

TEST(Certificate, ANodeCannotHaveANameThatIsMoreThanAName) {
  const KeyedCertificate ca = authority();
  const std::string request = make_request(make_key().value()).value();
  for (const char* name : {"", "*", "a,DNS:controller.weir", "a b", "a/b", "n\xC3\xA4me"}) {
    const auto refused = issue(ca, request, NodeSubject{name}, kWeek);
    ASSERT_FALSE(refused) << name;
    EXPECT_THAT(refused.error().message, HasSubstr("name of a node"));
  }
  EXPECT_FALSE(issue(ca, request, NodeSubject{std::string(201, 'a')}, kWeek));
  EXPECT_TRUE(issue(ca, request, NodeSubject{std::string(200, 'a')}, kWeek));
  EXPECT_FALSE(issue(ca, request, ControllerSubject{{"x,URI:weir://node/a"}}, kWeek));
}

TEST(Certificate, NamesThatDifferInCaseHaveDifferentNamesToConnectTo) {
  EXPECT_NE(peer_name("A"), peer_name("a"));
}

TEST(Certificate, ARequestWithAWrongSignatureIsRefused) {
  const std::string mine = make_request(make_key().value()).value();
  std::string changed = mine;
  // A letter in the middle of the public key.
  char& letter = changed[changed.size() / 2];
  letter = letter == 'A' ? 'B' : 'A';
  EXPECT_FALSE(issue(authority(), changed, NodeSubject{"n1"}, kWeek));
  EXPECT_FALSE(issue(authority(), "no request", NodeSubject{"n1"}, kWeek));
  EXPECT_FALSE(issue(authority(), make_key().value(), NodeSubject{"n1"}, kWeek));
}

TEST(Certificate, IsSignedByItsAuthorityAlone) {
  const KeyedCertificate mine = authority();
  const KeyedCertificate other = authority();
  const std::string node = signed_for(mine, NodeSubject{"n1"});
  EXPECT_TRUE(check_signed(node, other.certificate + mine.certificate));
  EXPECT_FALSE(check_signed(node, other.certificate));
  EXPECT_FALSE(check_signed(node, node)) << "a node is no authority";
  EXPECT_FALSE(check_signed(node, ""));
}

TEST(Certificate, TheControllerIsTrustedByTheFingerprintOfItsAuthority) {
  const KeyedCertificate mine = authority();
  const std::string fingerprint = read_certificate(mine.certificate).value().fingerprint;
  const std::string server = signed_for(mine, ControllerSubject{});
  EXPECT_EQ(trust_controller(server + mine.certificate, fingerprint, kNow).value(),
            mine.certificate);

  const KeyedCertificate other = authority();
  const auto why = [&](const std::string& chain, Instant now = kNow) {
    const auto trusted = trust_controller(chain, fingerprint, now);
    return trusted ? std::string("trusted") : trusted.error().message;
  };
  EXPECT_THAT(why(server), HasSubstr("shows no authority"));
  EXPECT_THAT(why(signed_for(other, ControllerSubject{}) + other.certificate),
              HasSubstr("not the one that the token names"));
  // Whoever saw the authority's certificate can show it, but not sign with it.
  EXPECT_THAT(why(signed_for(other, ControllerSubject{}) + mine.certificate),
              HasSubstr("did not sign"));
  EXPECT_THAT(why(signed_for(mine, NodeSubject{"n1"}) + mine.certificate),
              HasSubstr("not that of a controller"));
  EXPECT_THAT(why(server + mine.certificate, kNow + 8 * kDay), HasSubstr("set the clock"));
}

TEST(Certificate, IsRenewedWhenTwoThirdsAreOver) {
  const Validity validity{kNow, kNow + 3 * kDay};
  EXPECT_EQ(renewal_of(validity), kNow + 2 * kDay);
  // Also the shortest lives are renewed after their begin.
  const Validity hour = validity_for(kNow, kHour);
  EXPECT_LT(hour.from, kNow);
  EXPECT_GT(renewal_of(hour), kNow);
  EXPECT_EQ(validity_for(kNow, 7 * kDay).from, kNow + (-1) * kDay);
}

TEST(Certificate, AnEndBeforeTheBeginIsRefused) { EXPECT_FALSE(make_authority({kNow, kNow})); }

TEST(Pem, BlocksAreFoundBetweenOtherText) {
  const auto blocks = pem_blocks(
                          "text\n-----BEGIN A-----\nx\n-----END A-----\n-----BEGIN B-----\n"
                          "-----END B-----")
                          .value();
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].text, "-----BEGIN A-----\nx\n-----END A-----\n");
  EXPECT_EQ(blocks[1].label, "B");
  EXPECT_FALSE(pem_blocks("-----BEGIN A-----\nx"));
  EXPECT_FALSE(pem_blocks("-----BEGIN A"));
}

}  // namespace
}  // namespace weir::identity
