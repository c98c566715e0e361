#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "store/etcd/grpc_rpc.h"
#include "store/etcd/rpc.grpc.pb.h"

// Only for the sources that speak gRPC.
namespace plimsoll::store::etcd {

/// A connection to one member, made when it is first used, and what is asked over it.
struct Member {
  std::unique_ptr<etcdserverpb::KV::Stub> kv;
  std::shared_ptr<etcdserverpb::Watch::Stub> watch;
  std::unique_ptr<etcdserverpb::Maintenance::Stub> maintenance;
  std::unique_ptr<etcdserverpb::Auth::Stub> auth;
};

/// All members, and which of them is asked. Safe for use by many threads.
class Members {
 public:
  explicit Members(const GrpcOptions& options);

  std::size_t current() const { return current_.load() % members_.size(); }
  const Member& at(std::size_t index) const { return members_[index]; }
  /// From now on the next one is asked, unless that was decided already.
  void Leave(std::size_t index);

  /// How many calls it has answered.
  std::uint64_t answers(std::size_t index) const { return answers_[index].load(); }
  void CountAnswer(std::size_t index) { ++answers_[index]; }

 private:
  std::vector<Member> members_;
  std::vector<std::atomic<std::uint64_t>> answers_;
  std::atomic<std::size_t> current_ = 0;
};

/// What every call carries: the token, if there is one, and the wish that a member without a leader
/// says so rather than be silent.
void AddHeaders(grpc::ClientContext& context, const std::string& token);

}  // namespace plimsoll::store::etcd
