#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/etcd/answers.h"
#include "store/etcd/loop.h"
#include "store/etcd/rpc.grpc.pb.h"
#include "store/etcd/rpc.h"

// Only for the sources that speak gRPC.
namespace plimsoll::store::etcd {

/// A watch stream over gRPC. It begins when it is told to; what is asked for before waits.
class GrpcWatchLink final : public WatchLink {
 public:
  class Stream;
  using NoteFault = std::function<void(const Fault&)>;

  GrpcWatchLink(Answers& answers, Loop& loop, WatchListener& listener, NoteFault note);
  ~GrpcWatchLink() override;
  GrpcWatchLink(const GrpcWatchLink&) = delete;
  GrpcWatchLink& operator=(const GrpcWatchLink&) = delete;

  void Create(WatchRequest request) override;
  void Cancel(std::int64_t id) override;

  /// What outlives the link while gRPC is busy with it.
  const std::shared_ptr<Stream>& stream() const { return stream_; }
  // By any thread. It begins once, unless it was broken before.
  static void Begin(Loop& loop, const std::shared_ptr<Stream>& stream,
                    std::shared_ptr<etcdserverpb::Watch::Stub> stub, const std::string& token);
  static void Break(Loop& loop, const std::shared_ptr<Stream>& stream, const Fault& fault);

 private:
  std::shared_ptr<Stream> stream_;
};

}  // namespace plimsoll::store::etcd
