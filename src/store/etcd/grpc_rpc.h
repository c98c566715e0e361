#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "store/etcd/endpoint.h"
#include "store/etcd/loop.h"
#include "store/etcd/rpc.h"

namespace plimsoll::store::etcd {

struct GrpcOptions {
  std::vector<Endpoint> endpoints;
  // PEM; empty: the machine's authorities, and no certificate of our own.
  std::string authorities;
  std::string certificate;
  std::string key;
  // Empty: no user.
  std::string user;
  std::string password;
  std::chrono::milliseconds timeout{5'000};  // of one call
  // Files to read again when they change, instead of the three texts above. Empty: the text counts.
  std::string authorities_file;
  std::string certificate_file;
  std::string key_file;
};

/// etcd over gRPC: one connection to each member, calls to one of them until it fails, many at
/// once; one thread takes all the answers. The loop must outlive it.
class GrpcRpc final : public Rpc {
 public:
  GrpcRpc(GrpcOptions options, Loop& loop);
  ~GrpcRpc() override;
  GrpcRpc(const GrpcRpc&) = delete;
  GrpcRpc& operator=(const GrpcRpc&) = delete;

  void Swap(SwapRequest request, RpcDone<SwapReply> done) override;
  void Read(ReadRequest request, RpcDone<ReadReply> done) override;
  void Compact(Revision revision, RpcDone<Revision> done) override;
  void GetStatus(RpcDone<StatusReply> done) override;
  std::unique_ptr<WatchLink> OpenWatch(WatchListener& listener) override;
  void After(std::chrono::milliseconds time, std::move_only_function<void()> task) override;
  void Shutdown() override;

 private:
  class Caller;

  std::shared_ptr<Caller> caller_;
};

}  // namespace plimsoll::store::etcd
