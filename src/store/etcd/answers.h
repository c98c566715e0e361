#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

namespace grpc {
class CompletionQueue;
}

namespace plimsoll::store::etcd {

/// A gRPC operation that completes exactly once.
class Pending {
 public:
  virtual ~Pending() = default;
  /// Called on the completion thread when the operation is done. The object is destroyed next.
  virtual void Complete(bool is_good) = 0;
  /// Makes the operation complete soon.
  virtual void Cancel() = 0;
};

/// gRPC's completion queue and the one thread that drains it. Safe for use by many threads.
class Answers {
 public:
  Answers();
  ~Answers();
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  using Begin = std::function<void(grpc::CompletionQueue& queue, void* tag)>;
  /// Registers `pending` and calls `begin`, which starts the gRPC operation with the tag. Returns
  /// false after Shutdown, when no operation can start; then `begin` is not called.
  bool Start(std::unique_ptr<Pending> pending, const Begin& begin);
  /// Cancels all pending operations and blocks until they are complete.
  void Shutdown();

 private:
  void Run();

  std::unique_ptr<grpc::CompletionQueue> queue_;
  std::mutex mutex_;
  std::set<Pending*> pending_;
  bool is_shut_ = false;
  std::thread thread_;
};

}  // namespace plimsoll::store::etcd
