#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "store/etcd/grpc_rpc.h"
#include "store/etcd/rpc.grpc.pb.h"

// Internal: include only from sources that use gRPC.
namespace plimsoll::store::etcd {

/// Stubs for one member. They share a connection, which gRPC opens on first use.
struct Member {
  std::unique_ptr<etcdserverpb::KV::Stub> kv;
  std::shared_ptr<etcdserverpb::Watch::Stub> watch;
  std::unique_ptr<etcdserverpb::Maintenance::Stub> maintenance;
  std::unique_ptr<etcdserverpb::Auth::Stub> auth;
};

/// All members, and the index of the one in use. Safe for use by many threads.
class Members {
 public:
  explicit Members(const GrpcOptions& options);

  std::size_t current() const { return current_.load() % members_.size(); }
  const Member& at(std::size_t index) const { return members_[index]; }
  /// Switches to the next member, unless `index` is no longer the current one.
  void SwitchFrom(std::size_t index);

  /// Returns the number of calls that this member has answered.
  std::uint64_t answers(std::size_t index) const { return answers_[index].load(); }
  void CountAnswer(std::size_t index) { ++answers_[index]; }

 private:
  std::vector<Member> members_;
  std::vector<std::atomic<std::uint64_t>> answers_;
  std::atomic<std::size_t> current_ = 0;
};

/// Adds the headers of every call: the token, if any, and `hasleader`. With `hasleader`, a member
/// without a leader fails the call instead of staying silent.
void AddHeaders(grpc::ClientContext& context, const std::string& token);

}  // namespace plimsoll::store::etcd
