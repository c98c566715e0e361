#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/etcd/answers.h"
#include "store/etcd/loop.h"
#include "store/etcd/rpc.grpc.pb.h"
#include "store/etcd/rpc.h"

// Internal: include only from sources that use gRPC.
namespace plimsoll::store::etcd {

/// A watch stream over gRPC. Begin starts it; requests made before are queued.
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

  /// The stream's state. gRPC's pending operations keep it alive after the link is destroyed.
  const std::shared_ptr<Stream>& stream() const { return stream_; }
  // Both may be called by any thread. Begin does nothing on a stream that is broken.
  static void Begin(Loop& loop, const std::shared_ptr<Stream>& stream,
                    std::shared_ptr<etcdserverpb::Watch::Stub> stub, const std::string& token);
  static void Break(Loop& loop, const std::shared_ptr<Stream>& stream, const Fault& fault);

 private:
  std::shared_ptr<Stream> stream_;
};

}  // namespace plimsoll::store::etcd
