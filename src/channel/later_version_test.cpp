// An agent of a later version than the controller's: it says what the controller does not know.
#include <channel.grpc.pb.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include "channel/test_site.hpp"
#include "identity/certificate.hpp"
#include "identity/credentials.hpp"

namespace weir::channel {
namespace {

TEST(LaterVersion, WhatIsNotKnownIsSkippedAndCounted) {
  TestSite site;
  RecordingHandler handler;
  const auto server = site.server(handler);
  const auto credentials = identity::read_credentials(site.agent("n1").files()).value();
  grpc::ChannelArguments arguments;
  arguments.SetSslTargetNameOverride(std::string(identity::kControllerName));
  const auto stub = wire::Agents::NewStub(grpc::CreateCustomChannel(
      "dns:///127.0.0.1:" + std::to_string(server->agents_port()),
      grpc::SslCredentials({credentials.authorities, credentials.key, credentials.chain}),
      arguments));
  grpc::ClientContext context;
  const auto stream = stub->Session(&context);

  wire::AgentMessage hello;
  hello.mutable_hello()->set_name("n1");
  hello.mutable_hello()
      ->GetReflection()
      ->MutableUnknownFields(hello.mutable_hello())
      ->AddVarint(1000, 1);
  EXPECT_TRUE(stream->Write(hello));
  wire::AgentMessage later;
  later.GetReflection()->MutableUnknownFields(&later)->AddLengthDelimited(1000, "later");
  EXPECT_TRUE(stream->Write(later));
  wire::AgentMessage heartbeat;
  heartbeat.mutable_heartbeat()->set_number(1);
  EXPECT_TRUE(stream->Write(heartbeat));

  ASSERT_TRUE(handler.log.wait_for("received n1 heartbeat"));
  EXPECT_EQ(server->figures().skipped, 1U);
  EXPECT_EQ(server->figures().refused, 0U);
  EXPECT_EQ(handler.log.count("received n1"), 2U);
  EXPECT_TRUE(stream->WritesDone());
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_TRUE(handler.log.wait_for("closed n1: the agent closed the session"));
}

}  // namespace
}  // namespace weir::channel
