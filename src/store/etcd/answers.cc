#include "store/etcd/answers.h"

#include <grpcpp/completion_queue.h>

#include "base/thread_role.h"

namespace plimsoll::store::etcd {

Answers::Answers()
    : queue_(std::make_unique<grpc::CompletionQueue>()), thread_([this] {
        SetThreadRole({.name = "store-etcd-rpc"});
        Run();
      }) {}

Answers::~Answers() { Shutdown(); }

bool Answers::Start(std::unique_ptr<Pending> pending, const Begin& begin) {
  // gRPC allows no new calls on a queue that is shut down, so a lock separates the two.
  const std::lock_guard lock(mutex_);
  if (is_shut_) return false;
  Pending* const tag = pending.release();
  pending_.insert(tag);
  begin(*queue_, tag);
  return true;
}

void Answers::Shutdown() {
  {
    const std::lock_guard lock(mutex_);
    if (is_shut_) return;
    is_shut_ = true;
    for (Pending* const pending : pending_) pending->Cancel();
    queue_->Shutdown();
  }
  thread_.join();
}

void Answers::Run() {
  void* tag = nullptr;
  bool is_good = false;
  while (queue_->Next(&tag, &is_good)) {
    const std::unique_ptr<Pending> pending(static_cast<Pending*>(tag));
    {
      const std::lock_guard lock(mutex_);
      pending_.erase(pending.get());
    }
    pending->Complete(is_good);
  }
}

}  // namespace plimsoll::store::etcd
