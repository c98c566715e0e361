#include "store/etcd/grpc_rpc.h"

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <mutex>

#include "store/etcd/rpc.grpc.pb.h"

namespace plimsoll::store::etcd {
namespace {

namespace pb = etcdserverpb;

/// A fake etcd member whose answers the test sets.
class FakeMember final : public pb::KV::Service,
                         public pb::Watch::Service,
                         public pb::Auth::Service {
 public:
  FakeMember() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(static_cast<pb::KV::Service*>(this));
    builder.RegisterService(static_cast<pb::Watch::Service*>(this));
    builder.RegisterService(static_cast<pb::Auth::Service*>(this));
    server_ = builder.BuildAndStart();
  }
  ~FakeMember() override { Stop(); }
  FakeMember(const FakeMember&) = delete;
  FakeMember& operator=(const FakeMember&) = delete;

  void Stop() {
    if (server_ == nullptr) return;
    server_->Shutdown(gpr_time_0(GPR_TIMESPAN));
    server_.reset();
  }
  Endpoint endpoint() const { return {"127.0.0.1:" + std::to_string(port_), false}; }

  grpc::Status Txn(grpc::ServerContext* context, const pb::TxnRequest* request,
                   pb::TxnResponse* response) override {
    ++calls;
    last_txn = *request;
    if (is_silent) {
      while (!context->IsCancelled()) std::this_thread::yield();
      return grpc::Status::CANCELLED;
    }
    if (!fault.ok()) return fault;
    response->mutable_header()->set_revision(7);
    response->set_succeeded(true);
    return grpc::Status::OK;
  }

  grpc::Status Range(grpc::ServerContext* context, const pb::RangeRequest* /*request*/,
                     pb::RangeResponse* response) override {
    ++calls;
    const auto token = context->client_metadata().find("token");
    const bool is_known =
        token != context->client_metadata().end() && token->second == wanted_token;
    if (!wanted_token.empty() && !is_known) {
      return {grpc::StatusCode::UNAUTHENTICATED, "etcdserver: invalid auth token"};
    }
    response->mutable_header()->set_revision(9);
    return grpc::Status::OK;
  }

  grpc::Status Authenticate(grpc::ServerContext* /*context*/,
                            const pb::AuthenticateRequest* request,
                            pb::AuthenticateResponse* response) override {
    if (request->password() != "secret") {
      return {grpc::StatusCode::INVALID_ARGUMENT,
              "etcdserver: authentication failed, invalid user"};
    }
    wanted_token = "token-" + std::to_string(++tokens);
    response->set_token(wanted_token);
    return grpc::Status::OK;
  }

  grpc::Status Watch(
      grpc::ServerContext* /*context*/,
      grpc::ServerReaderWriter<pb::WatchResponse, pb::WatchRequest>* stream) override {
    ++watches;
    pb::WatchRequest request;
    while (stream->Read(&request)) {
      if (request.has_cancel_request()) return {grpc::StatusCode::UNAVAILABLE, "bye"};
      pb::WatchResponse response;
      response.set_watch_id(request.create_request().watch_id());
      response.set_created(true);
      stream->Write(response);
      response.set_created(false);
      pb::Event& event = *response.add_events();
      event.mutable_kv()->set_key(request.create_request().key());
      event.mutable_kv()->set_mod_revision(request.create_request().start_revision());
      stream->Write(response);
    }
    return grpc::Status::OK;
  }

  // Set before, or read after, a call.
  std::atomic<int> calls = 0;
  std::atomic<int> watches = 0;
  bool is_silent = false;
  grpc::Status fault;
  pb::TxnRequest last_txn;
  std::string wanted_token;
  int tokens = 0;

 private:
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

/// Provides futures for the first event and for the end.
class Listener final : public WatchListener {
 public:
  void OnReply(WatchReply reply) override {
    if (!reply.events.empty()) event.set_value(std::move(reply));
  }
  void OnBroken(const Fault& fault) override { broken.set_value(fault); }

  std::promise<WatchReply> event;
  std::promise<Fault> broken;
};

class GrpcRpcTest : public testing::Test {
 protected:
#ifdef __SANITIZE_THREAD__
  void SetUp() override { GTEST_SKIP() << "Debian's gRPC is not built for the thread sanitizer"; }
#endif
  ~GrpcRpcTest() override {
    if (rpc_ != nullptr) rpc_->Shutdown();
    loop_.Stop();
  }
  GrpcRpc& Make(GrpcOptions options) {
    rpc_ = std::make_unique<GrpcRpc>(std::move(options), loop_);
    return *rpc_;
  }
  template <class Reply>
  static std::expected<Reply, Fault> Wait(const std::function<void(RpcDone<Reply>)>& call) {
    std::promise<std::expected<Reply, Fault>> promise;
    call([&](std::expected<Reply, Fault> reply) { promise.set_value(std::move(reply)); });
    return promise.get_future().get();
  }
  std::expected<SwapReply, Fault> Swap(SwapRequest request) {
    return Wait<SwapReply>([&](RpcDone<SwapReply> done) { rpc_->Swap(request, std::move(done)); });
  }
  std::expected<ReadReply, Fault> Read() {
    return Wait<ReadReply>(
        [&](RpcDone<ReadReply> done) { rpc_->Read({.keys = {"/a", ""}}, std::move(done)); });
  }

  std::unique_ptr<WatchLink> OpenWatch(Listener& listener) {
    std::unique_ptr<WatchLink> link;
    loop_.PostAndWait([&] {
      link = rpc_->OpenWatch(listener);
      link->Create({.id = 5, .keys = {"/a", "/b"}, .start = Revision{3}});
    });
    return link;
  }

  Loop loop_;
  std::unique_ptr<GrpcRpc> rpc_;
};

TEST_F(GrpcRpcTest, ASwapIsOneTransaction) {
  FakeMember member;
  Make({.endpoints = {member.endpoint()}});
  const auto reply = Swap({"/a", MakeBytes("v"), Revision{3}});
  ASSERT_TRUE(reply.has_value());
  EXPECT_TRUE(reply->is_swapped);
  EXPECT_EQ(reply->revision, Revision{7});
  EXPECT_EQ(member.last_txn.compare(0).mod_revision(), 3);
  EXPECT_EQ(member.last_txn.compare(0).target(), pb::Compare::MOD);
  EXPECT_EQ(member.last_txn.success(0).request_put().value(), "v");
  EXPECT_EQ(member.last_txn.failure(0).request_range().key(), "/a");
  ASSERT_TRUE(Swap({"/a", nullptr, Revision{3}}).has_value());
  EXPECT_EQ(member.last_txn.success(0).request_delete_range().key(), "/a");
}

TEST_F(GrpcRpcTest, AfterAFaultOfAMemberTheNextIsAsked) {
  FakeMember one;
  FakeMember two;
  Make({.endpoints = {one.endpoint(), two.endpoint()}});
  ASSERT_TRUE(Swap({"/a", MakeBytes("v")}).has_value());
  EXPECT_EQ(one.calls, 1);
  one.Stop();
  const auto lost = Swap({"/a", MakeBytes("v")});
  ASSERT_FALSE(lost.has_value());
  EXPECT_TRUE(lost.error().IsMemberFault());
  ASSERT_TRUE(Swap({"/a", MakeBytes("v")}).has_value());
  EXPECT_EQ(two.calls, 1);
  // A rejection would be the same from every member.
  two.fault = {grpc::StatusCode::RESOURCE_EXHAUSTED, "etcdserver: mvcc: database space exceeded"};
  EXPECT_EQ(Swap({"/a", MakeBytes("v")}).error().kind, Fault::Kind::NoSpace);
  EXPECT_EQ(Swap({"/a", MakeBytes("v")}).error().kind, Fault::Kind::NoSpace);
  EXPECT_EQ(two.calls, 3);
}

TEST_F(GrpcRpcTest, NothingIsSentTwiceFromWithin) {
  FakeMember member;
  Make({.endpoints = {member.endpoint()}});
  member.fault = {grpc::StatusCode::UNAVAILABLE, "etcdserver: request timed out"};
  EXPECT_EQ(Swap({"/a", MakeBytes("v")}).error().kind, Fault::Kind::Unknown);
  EXPECT_EQ(member.calls, 1);
}

TEST_F(GrpcRpcTest, ASilentMemberIsGivenUp) {
  FakeMember member;
  member.is_silent = true;
  Make({.endpoints = {member.endpoint()}, .timeout = std::chrono::milliseconds(50)});
  EXPECT_EQ(Swap({"/a", MakeBytes("v")}).error().kind, Fault::Kind::Unknown);
}

TEST_F(GrpcRpcTest, ATokenThatExpiredIsAskedForAnew) {
  FakeMember member;
  Make({.endpoints = {member.endpoint()}, .user = "root", .password = "secret"});
  ASSERT_TRUE(Read().has_value());
  EXPECT_EQ(member.tokens, 1);
  ASSERT_TRUE(Read().has_value());
  EXPECT_EQ(member.tokens, 1);
  member.wanted_token = "another";
  EXPECT_EQ(Read().error().kind, Fault::Kind::TokenInvalid);
  ASSERT_TRUE(Read().has_value());
  EXPECT_EQ(member.tokens, 2);
}

TEST_F(GrpcRpcTest, AWrongPasswordIsTold) {
  FakeMember member;
  Make({.endpoints = {member.endpoint()}, .user = "root", .password = "wrong"});
  EXPECT_EQ(Read().error().kind, Fault::Kind::Refused);
  EXPECT_EQ(member.calls, 0);
}

TEST_F(GrpcRpcTest, AWatchLinkTellsUntilItBreaks) {
  FakeMember member;
  Make({.endpoints = {member.endpoint()}});
  Listener listener;
  std::unique_ptr<WatchLink> link = OpenWatch(listener);
  const WatchReply reply = listener.event.get_future().get();
  EXPECT_EQ(reply.id, 5);
  EXPECT_EQ(reply.events[0].now.modified, Revision{3});
  EXPECT_FALSE(reply.events[0].is_deletion);
  loop_.PostAndWait([&] { link->Cancel(5); });
  EXPECT_EQ(listener.broken.get_future().get().text, "bye");
  loop_.PostAndWait([&] { link.reset(); });
}

TEST_F(GrpcRpcTest, TheWatchLeavesASilentMemberWithTheCalls) {
  FakeMember one;
  one.is_silent = true;
  FakeMember two;
  Make({.endpoints = {one.endpoint(), two.endpoint()}, .timeout = std::chrono::milliseconds(500)});
  Listener listener;
  std::unique_ptr<WatchLink> link = OpenWatch(listener);
  listener.event.get_future().wait();
  EXPECT_EQ(Swap({"/a", MakeBytes("v")}).error().kind, Fault::Kind::Unknown);
  EXPECT_EQ(listener.broken.get_future().get().text, "its member does not answer");
  Listener next;
  loop_.PostAndWait([&] { link.reset(); });
  link = OpenWatch(next);
  next.event.get_future().wait();
  EXPECT_EQ(one.watches, 1);
  EXPECT_EQ(two.watches, 1);
  loop_.PostAndWait([&] { link.reset(); });
}

TEST_F(GrpcRpcTest, AMemberThatAnswersOthersIsNotLeft) {
  FakeMember one;
  one.is_silent = true;  // swaps get no answer
  FakeMember two;
  Make({.endpoints = {one.endpoint(), two.endpoint()}, .timeout = std::chrono::milliseconds(500)});
  std::promise<Fault> lost;
  rpc_->Swap({"/a", MakeBytes("v")},
             [&](const std::expected<SwapReply, Fault>& reply) { lost.set_value(reply.error()); });
  ASSERT_TRUE(Read().has_value());
  EXPECT_EQ(lost.get_future().get().kind, Fault::Kind::Unknown);
  ASSERT_TRUE(Read().has_value());
  EXPECT_EQ(one.calls, 3);
  EXPECT_EQ(two.calls, 0);
}

TEST_F(GrpcRpcTest, WhatWaitsIsToldAtTheEnd) {
  FakeMember member;
  member.is_silent = true;
  Make({.endpoints = {member.endpoint()}});
  std::latch told(2);
  rpc_->Swap({"/a", MakeBytes("v")}, [&](const std::expected<SwapReply, Fault>& reply) {
    EXPECT_FALSE(reply.has_value());
    told.count_down();
  });
  rpc_->After(std::chrono::hours(1), [&] { told.count_down(); });
  rpc_->Shutdown();
  told.wait();
  EXPECT_EQ(Swap({"/a", MakeBytes("v")}).error().kind, Fault::Kind::Unreachable);
}

}  // namespace
}  // namespace plimsoll::store::etcd
