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

/// Something that gRPC was asked for and will answer once.
class Pending {
 public:
  virtual ~Pending() = default;
  /// On the thread that takes the answers; it is destroyed afterwards.
  virtual void Complete(bool is_good) = 0;
  /// To be answered soon.
  virtual void Cancel() = 0;
};

/// The queue of gRPC's answers, and the one thread that takes them. Safe for use by many threads.
class Answers {
 public:
  Answers();
  ~Answers();
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  using Begin = std::function<void(grpc::CompletionQueue& queue, void* tag)>;
  /// Asks gRPC, which gets the tag, for what will complete the pending. False after Shutdown, when
  /// nothing can be asked for; then neither is called.
  bool Start(std::unique_ptr<Pending> pending, const Begin& begin);
  /// Cancels what is pending and returns when all of it is complete.
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
