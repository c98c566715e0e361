#pragma once

#include <memory>
#include <optional>
#include <string>

#include "store/etcd/rpc.h"

namespace plimsoll::store::etcd {

/// Largest revision that an answer may contain. The sum of two such numbers does not overflow.
inline constexpr Revision kRevisionMax{(std::int64_t{1} << 62) - 1};

/// Checks every answer of another Rpc against its request. Keys must lie in the requested range, in
/// ascending order; counts must fit the records; revisions must be possible. A wrong answer becomes
/// a fault of kind Unknown, a wrong watch reply breaks its link. So a broken member, or a server
/// that is not etcd, cannot crash the store or fill it with foreign keys.
class CheckedRpc final : public Rpc {
 public:
  explicit CheckedRpc(std::unique_ptr<Rpc> rpc) : rpc_(std::move(rpc)) {}

  void Swap(SwapRequest request, RpcDone<SwapReply> done) override;
  void Read(ReadRequest request, RpcDone<ReadReply> done) override;
  void Compact(Revision revision, RpcDone<Revision> done) override {
    rpc_->Compact(revision, std::move(done));
  }
  void GetStatus(RpcDone<StatusReply> done) override { rpc_->GetStatus(std::move(done)); }
  std::unique_ptr<WatchLink> OpenWatch(WatchListener& listener) override;
  void After(std::chrono::milliseconds time, std::move_only_function<void()> task) override {
    rpc_->After(time, std::move(task));
  }
  void Shutdown() override { rpc_->Shutdown(); }

 private:
  const std::unique_ptr<Rpc> rpc_;
};

}  // namespace plimsoll::store::etcd
