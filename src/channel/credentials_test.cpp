// Who is let in, and what happens while certificates are replaced.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/test_site.hpp"
#include "identity/certificate.hpp"
#include "os/durable_file.hpp"

namespace weir::channel {
namespace {

using ::testing::HasSubstr;

identity::CredentialFiles files_at(const std::filesystem::path& folder, const std::string& own,
                                   const std::string& authorities) {
  EXPECT_TRUE(os::create_private_folder(folder));
  EXPECT_TRUE(os::write_private_file(folder / "own.pem", own));
  EXPECT_TRUE(os::write_private_file(folder / "authorities.pem", authorities));
  return {folder / "own.pem", folder / "authorities.pem"};
}

// Two sites with a controller each that knows only its own.
struct TwoSites {
  TestSite mine;
  TestSite other;
  RecordingHandler handler;
  std::unique_ptr<Server> server = mine.server(handler);

  // Tries with these, and hears that it is not let in.
  void expect_refused(const identity::CredentialFiles& files) {
    TestAgent agent("n1", TestSite::client_options(files, server->agents_port()));
    EXPECT_TRUE(agent.log().wait_for("failed: "));
    agent.stop();
    EXPECT_EQ(agent.log().count("opened"), 0U);
    EXPECT_TRUE(handler.log.all().empty());
  }
};

TEST(Credentials, ACertificateOfAnotherAuthorityIsRefused) {
  TwoSites sites;
  const auto stranger = sites.other.agent("n1");
  sites.expect_refused({stranger.files().own, sites.mine.controller().files().authorities});
}

TEST(Credentials, AnAgentRefusesAnotherSitesController) {
  TwoSites sites;
  const auto agent = sites.mine.agent("n1");
  sites.expect_refused({agent.files().own, sites.other.controller().files().authorities});
}

TEST(Credentials, AnExpiredCertificateIsRefused) {
  TwoSites sites;
  const std::string key = identity::make_key().value();
  const auto& authority = sites.mine.controller().authority();
  const std::string expired =
      identity::issue(authority.signing(), identity::make_request(key).value(),
                      identity::NodeSubject{"n1"}, identity::validity_for(kThen, kDay))
          .value();
  sites.expect_refused(
      files_at(sites.mine.folder() / "expired", key + expired, authority.bundle()));
}

TEST(Credentials, AControllerIsNoAgent) {
  TwoSites sites;
  sites.expect_refused(sites.mine.controller().files());
}

TEST(Credentials, ANodeIsNoController) {
  TestSite site;
  RecordingHandler handler;
  const auto impostor = site.agent("n2");
  ServerOptions options = site.server_options();
  options.credentials = impostor.files();
  const auto server = Server::start(options, handler).value();
  const auto identity = site.agent("n1");
  TestAgent agent("n1", TestSite::client_options(identity.files(), server->agents_port()));
  EXPECT_TRUE(agent.log().wait_for("failed: "));
  EXPECT_TRUE(handler.log.all().empty());
}

TEST(Credentials, WhoShowsNoneIsRefused) {
  TwoSites sites;
  JoinOptions options;
  options.joining = "127.0.0.1:" + std::to_string(sites.server->agents_port());
  options.token = sites.mine.controller().make_token("", kThen, kDay).value();
  options.node = "n1";
  options.now = kThen;
  const auto refused = join(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kIo) << "no connection, no answer";
  EXPECT_TRUE(sites.handler.log.all().empty());
}

TEST(Credentials, FilesThatAreMissingAreTriedAgain) {
  TestSite site;
  RecordingHandler handler;
  const auto server = site.server(handler);
  const auto identity = site.agent("n1");
  const std::filesystem::path hidden = identity.files().own.string() + ".hidden";
  std::filesystem::rename(identity.files().own, hidden);
  TestAgent agent("n1", TestSite::client_options(identity.files(), server->agents_port()));
  ASSERT_TRUE(agent.log().wait_for("failed: "));
  EXPECT_THAT(agent.log().first("failed"), HasSubstr("node.pem"));
  std::filesystem::rename(hidden, identity.files().own);
  EXPECT_TRUE(handler.log.wait_for("received n1 hello"));
}

TEST(Credentials, AServerWithoutItsFilesDoesNotStart) {
  TestSite site;
  RecordingHandler handler;
  ServerOptions options = site.server_options();
  options.credentials.own = "/nowhere/controller.pem";
  const auto refused = Server::start(options, handler);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("/nowhere/controller.pem"));
}

// The whole change of an authority under one session that never breaks.
TEST(Credentials, AreReplacedUnderARunningSession) {
  TestSite site;
  RecordingHandler handler;
  const auto server = site.server(handler);
  auto old = site.agent("old");
  TestAgent old_agent("old", TestSite::client_options(old.files(), server->agents_port()));
  ASSERT_TRUE(handler.log.wait_for("received old hello"));

  ASSERT_TRUE(site.controller().prepare_authority(kThen));
  site.renew(old, "old");
  ASSERT_TRUE(site.controller().change_authority(kThen));
  ASSERT_TRUE(site.controller().drop_old_authorities());
  // This one trusts the new authority alone and is trusted by it alone: it tries until the server
  // has read its files again.
  const auto fresh = site.agent("fresh");
  TestAgent fresh_agent("fresh", TestSite::client_options(fresh.files(), server->agents_port()));
  ASSERT_TRUE(handler.log.wait_for("received fresh hello"));

  old_agent.client().send(FromAgent(node::ToController(node::Heartbeat{1, 0})));
  EXPECT_TRUE(handler.log.wait_for("received old heartbeat"));
  EXPECT_EQ(handler.log.count("closed old"), 0U);

  // What the dropped authority had signed is good no more.
  server->close(handler.session_of("old"), "once more");
  ASSERT_TRUE(old_agent.log().wait_for("failed: "));
  site.renew(old, "old");
  EXPECT_TRUE(handler.log.wait_for("received old hello", 2));
}

}  // namespace
}  // namespace weir::channel
