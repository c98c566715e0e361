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
  // PEM. Empty: the system's root certificates, and no client certificate.
  std::string authorities;
  std::string certificate;
  std::string key;
  // Empty: no authentication.
  std::string user;
  std::string password;
  std::chrono::milliseconds timeout{5'000};  // of one call
  // Files that replace the three texts above and are reloaded when they change. Empty: not used.
  std::string authorities_file;
  std::string certificate_file;
  std::string key_file;
};

/// Rpc over gRPC, with one connection per member. Many calls run at once, all to one member until
/// it fails. One thread takes all completions. The loop must outlive this object.
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
