#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "store/etcd/rpc.h"

namespace plimsoll::store::etcd {

/// A fake etcd. The test supplies each answer, on its own thread.
class FakeRpc final : public Rpc {
 public:
  template <class Request, class Reply>
  struct Asked {
    Request request;
    RpcDone<Reply> done;
  };
  struct Link {
    WatchListener* listener = nullptr;
    bool is_open = true;
    std::vector<WatchRequest> created;
    std::vector<std::int64_t> cancelled;
  };

  void Swap(SwapRequest request, RpcDone<SwapReply> done) override {
    swaps.push_back({std::move(request), std::move(done)});
  }
  void Read(ReadRequest request, RpcDone<ReadReply> done) override {
    reads.push_back({std::move(request), std::move(done)});
  }
  void Compact(Revision revision, RpcDone<Revision> done) override {
    compactions.push_back({revision, std::move(done)});
  }
  void GetStatus(RpcDone<StatusReply> done) override { done(StatusReply()); }
  std::unique_ptr<WatchLink> OpenWatch(WatchListener& listener) override {
    auto link = std::make_shared<Link>();
    link->listener = &listener;
    links.push_back(link);
    return std::make_unique<Handle>(std::move(link));
  }
  void After(std::chrono::milliseconds /*time*/, std::move_only_function<void()> task) override {
    later.push_back(std::move(task));
  }
  void Shutdown() override {}

  /// Answer the oldest request that has no answer yet.
  void AnswerSwap(std::expected<SwapReply, Fault> reply) { Answer(swaps, std::move(reply)); }
  void AnswerRead(std::expected<ReadReply, Fault> reply) { Answer(reads, std::move(reply)); }
  void RunLater() {
    for (auto& task : std::exchange(later, {})) task();
  }

  std::deque<Asked<SwapRequest, SwapReply>> swaps;
  std::deque<Asked<ReadRequest, ReadReply>> reads;
  std::deque<Asked<Revision, Revision>> compactions;
  std::deque<std::move_only_function<void()>> later;
  std::vector<std::shared_ptr<Link>> links;

 private:
  class Handle final : public WatchLink {
   public:
    explicit Handle(std::shared_ptr<Link> link) : link_(std::move(link)) {}
    ~Handle() override { link_->is_open = false; }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    void Create(WatchRequest request) override { link_->created.push_back(std::move(request)); }
    void Cancel(std::int64_t id) override { link_->cancelled.push_back(id); }

   private:
    std::shared_ptr<Link> link_;
  };

  template <class Queue, class Reply>
  static void Answer(Queue& queue, Reply reply) {
    auto asked = std::move(queue.front());
    queue.pop_front();
    asked.done(std::move(reply));
  }
};

}  // namespace plimsoll::store::etcd
