// Both ends: a controller's folder and a node's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "identity/agent_identity.hpp"
#include "identity/certificate_facts.hpp"
#include "identity/controller_identity.hpp"
#include "identity/test_times.hpp"
#include "support/folder.hpp"

namespace weir::identity {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

struct Site {
  testing::TestFolder folder;
  std::filesystem::path at = folder.path() / "controller";
  ControllerOptions options;

  ControllerIdentity controller(Instant now = kNow) const {
    return ControllerIdentity::open(at, options, now).value();
  }
  AgentIdentity agent(const std::string& name = "n1") const {
    return AgentIdentity::open(folder.path() / name).value();
  }
  static std::string secret(const std::string& token) { return parse_token(token).value().secret; }
};

// What a listener of this controller shows.
CertificateFacts own_facts(const ControllerIdentity& controller) {
  return read_certificate(read_credentials(controller.files()).value().chain).value();
}

Status join(ControllerIdentity& controller, AgentIdentity& agent, const std::string& token,
            const std::string& node = "n1") {
  const std::string request = WEIR_TRY(agent.request());
  const Issued issued = WEIR_TRY(controller.join(Site::secret(token), node, request, kNow));
  return agent.accept(issued, node);
}

TEST(Identities, ANodeJoinsOnceByItsToken) {
  const Site site;
  ControllerIdentity controller = site.controller();
  AgentIdentity agent = site.agent();
  EXPECT_FALSE(agent.has_joined());
  const std::string token = controller.make_token("", kNow, kHour).value();
  ASSERT_TRUE(join(controller, agent, token));
  EXPECT_EQ(agent.node(), "n1");
  EXPECT_EQ(agent.end(), kNow + 7 * kDay);
  EXPECT_TRUE(site.agent().has_joined()) << "after a restart, too";

  AgentIdentity thief = site.agent("n2");
  EXPECT_THAT(join(controller, thief, token, "n2").error().message, HasSubstr("has been used"));
  EXPECT_THAT(join(controller, thief, token, "n1").error().message, HasSubstr("has been used"));
  ControllerIdentity again = site.controller();
  EXPECT_THAT(join(again, thief, token, "n2").error().message, HasSubstr("has been used"))
      << "after a restart, too";
}

TEST(Identities, ALostAnswerIsAskedForAgainWithTheSameKey) {
  const Site site;
  ControllerIdentity controller = site.controller();
  const std::string token = controller.make_token("n1", kNow, kHour).value();
  AgentIdentity first = site.agent();
  ASSERT_TRUE(controller.join(Site::secret(token), "n1", first.request().value(), kNow));
  AgentIdentity restarted = site.agent();
  EXPECT_TRUE(join(controller, restarted, token));
}

TEST(Identities, ATokenIsNotSpentOnARequestThatCannotBeSigned) {
  const Site site;
  ControllerIdentity controller = site.controller();
  const std::string token = controller.make_token("", kNow, kHour).value();
  EXPECT_FALSE(controller.join(Site::secret(token), "n1", "no request", kNow));
  EXPECT_FALSE(
      controller.join(Site::secret(token), "no name", site.agent().request().value(), kNow));
  AgentIdentity agent = site.agent();
  EXPECT_TRUE(join(controller, agent, token));
}

TEST(Identities, KeysAreClosedToOthers) {
  const Site site;
  ControllerIdentity controller = site.controller();
  ASSERT_TRUE(controller.make_token("", kNow, kHour));
  struct stat status{};
  ASSERT_EQ(::stat(site.at.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(site.at)) {
    ASSERT_EQ(::stat(file.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U) << file.path();
    ++files;
  }
  EXPECT_EQ(files, 4);
}

TEST(Identities, TheSameAuthorityAfterARestart) {
  const Site site;
  const std::string bundle = site.controller().authority().bundle();
  const std::string shown = own_facts(site.controller()).fingerprint;
  EXPECT_EQ(site.controller().authority().bundle(), bundle);
  EXPECT_EQ(own_facts(site.controller()).fingerprint, shown);
}

TEST(Identities, TheControllersCertificateIsRenewedInTime) {
  const Site site;
  ControllerIdentity controller = site.controller();
  const CertificateFacts first = own_facts(controller);
  ASSERT_TRUE(controller.refresh(renewal_of(first.validity) + Duration(-1)));
  EXPECT_EQ(own_facts(controller).fingerprint, first.fingerprint);
  ASSERT_TRUE(controller.refresh(renewal_of(first.validity)));
  EXPECT_NE(own_facts(controller).fingerprint, first.fingerprint);
  EXPECT_NE(own_facts(site.controller(kNow + 30 * kDay)).fingerprint, first.fingerprint);
}

TEST(Identities, ANewNameOfTheControllerTakesEffect) {
  Site site;
  EXPECT_THAT(own_facts(site.controller()).names, Contains("127.0.0.1"));
  site.options.names = {"head2", "localhost"};
  EXPECT_THAT(own_facts(site.controller()).names, Contains("head2"));
}

TEST(Identities, ANodeTakesOnlyWhatWasSignedForIt) {
  const Site site;
  ControllerIdentity controller = site.controller();
  AgentIdentity agent = site.agent();
  const std::string mine = agent.request().value();
  const std::string other = site.agent("n2").request().value();
  EXPECT_THAT(agent.accept(controller.renew("n1", other, kNow).value(), "n1").error().message,
              HasSubstr("another key"));
  EXPECT_THAT(agent.accept(controller.renew("n2", mine, kNow).value(), "n1").error().message,
              HasSubstr("for node \"n2\""));
  Issued issued = controller.renew("n1", mine, kNow).value();
  const Site elsewhere;
  issued.authorities = elsewhere.controller().authority().bundle();
  EXPECT_THAT(agent.accept(issued, "n1").error().message, HasSubstr("none of the authorities"));
  EXPECT_FALSE(agent.has_joined());
}

TEST(Identities, TheAuthorityIsChangedInThreeSteps) {
  const Site site;
  ControllerIdentity controller = site.controller();
  AgentIdentity agent = site.agent();
  ASSERT_TRUE(join(controller, agent, controller.make_token("", kNow, kHour).value()));
  const auto renew = [&] {
    const auto issued = controller.renew("n1", agent.request().value(), kNow);
    ASSERT_TRUE(agent.accept(*issued, "n1"));
  };
  const auto trusts_controller = [&] {
    return check_signed(read_credentials(controller.files()).value().chain,
                        read_credentials(agent.files()).value().authorities)
        .has_value();
  };
  EXPECT_FALSE(controller.change_authority(kNow)) << "none is prepared";
  ASSERT_TRUE(controller.prepare_authority(kNow));
  EXPECT_FALSE(controller.prepare_authority(kNow));
  EXPECT_TRUE(trusts_controller());
  renew();
  const std::string old = agent.files().own;
  ASSERT_TRUE(controller.change_authority(kNow));
  EXPECT_TRUE(trusts_controller()) << "the agent has learned the new one in time";
  // What the old one signed is still good.
  EXPECT_TRUE(check_signed(read_credentials(agent.files()).value().chain,
                           read_credentials(controller.files()).value().authorities));
  ControllerIdentity restarted = site.controller();
  EXPECT_EQ(restarted.authority().bundle(), controller.authority().bundle());
  renew();
  ASSERT_TRUE(controller.drop_old_authorities());
  EXPECT_TRUE(check_signed(read_credentials(agent.files()).value().chain,
                           read_credentials(controller.files()).value().authorities));
  EXPECT_EQ(site.controller().authority().bundle(), controller.authority().signing().certificate);
}

TEST(Identities, ABrokenFileIsNamed) {
  const Site site;
  ControllerIdentity controller = site.controller();
  [[maybe_unused]] const auto written = site.folder.write("controller/authority.pem", "nothing");
  const auto refused = ControllerIdentity::open(site.at, {}, kNow);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kCorrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("authority.pem"));
}

TEST(Identities, AKeyThatDoesNotFitItsCertificateIsNamed) {
  const Authority one = Authority::make(kNow).value();
  const Authority two = Authority::make(kNow).value();
  EXPECT_TRUE(Authority::parse(one.signing().key + one.signing().certificate));
  EXPECT_FALSE(Authority::parse(one.signing().key + two.signing().certificate));
  EXPECT_FALSE(Authority::parse(one.signing().certificate));
  EXPECT_FALSE(Authority::parse(one.signing().key));
  EXPECT_FALSE(Authority::parse(one.signing().key + one.text()));
}

}  // namespace
}  // namespace weir::identity
