#include "net/stream_queue.h"

#include <utility>

#include "base/async.h"

namespace plimsoll::net {
namespace {

class Handle final : public Stream {
 public:
  explicit Handle(std::shared_ptr<StreamQueue> queue) : queue_(std::move(queue)) {}
  ~Handle() override { queue_->End(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  bool Write(Piece piece) override { return queue_->Write(std::move(piece)); }
  void End() override { queue_->End(); }
  void OnClose(Task task) override { queue_->OnClose(std::move(task)); }
  void OnWritable(Task task) override { queue_->OnWritable(std::move(task)); }

 private:
  const std::shared_ptr<StreamQueue> queue_;
};

}  // namespace

std::shared_ptr<Stream> StreamQueue::MakeHandle() {
  return std::make_shared<Handle>(shared_from_this());
}

void StreamQueue::Wake(std::unique_lock<std::mutex> lock) {
  if (is_woken_) return;
  is_woken_ = true;
  lock.unlock();
  plimsoll::Wake([self = shared_from_this()] { self->wake_(); });
}

bool StreamQueue::Write(Piece piece) {
  std::unique_lock lock(mutex_);
  if (is_ended_ || is_cut_ || is_closed_) return false;
  const std::size_t size = SizeOf(piece);
  // The first piece is always accepted, even if it exceeds the limit: otherwise it is never sent.
  if (pending_bytes_ > 0 && pending_bytes_ + size > pending_bytes_max_) {
    is_cut_ = true;
    const std::vector<Piece> dropped = std::move(pieces_);
    Wake(std::move(lock));
    return false;
  }
  pending_bytes_ += size;
  pieces_.push_back(std::move(piece));
  Wake(std::move(lock));
  return true;
}

void StreamQueue::End() {
  std::unique_lock lock(mutex_);
  if (is_ended_ || is_cut_ || is_closed_) return;
  is_ended_ = true;
  const std::vector<Task> dropped = std::exchange(on_close_, {});
  const Task dropped_too = std::exchange(when_room_, nullptr);
  Wake(std::move(lock));
}

void StreamQueue::OnClose(Task task) {
  {
    const std::scoped_lock lock(mutex_);
    if (!is_closed_ && !is_cut_) {
      if (!is_ended_) on_close_.push_back(std::move(task));
      return;
    }
  }
  task();
}

StreamQueue::Outcome StreamQueue::PopAll(std::vector<Piece>& pieces) {
  const std::scoped_lock lock(mutex_);
  is_woken_ = false;
  pieces.swap(pieces_);
  if (is_cut_) return Outcome::Cut;
  return is_ended_ ? Outcome::Ended : Outcome::Open;
}

void StreamQueue::OnWritable(Task task) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_ended_ || is_cut_ || is_closed_) return;
    if (!HasRoom()) {
      when_room_ = std::move(task);
      return;
    }
  }
  task();
}

void StreamQueue::Sent(std::size_t size) {
  Task task;
  {
    const std::scoped_lock lock(mutex_);
    pending_bytes_ -= size;
    if (HasRoom()) task = std::exchange(when_room_, nullptr);
  }
  if (task) task();
}

void StreamQueue::Close() {
  std::vector<Task> tasks;
  Task dropped_task;
  std::vector<Piece> dropped;
  {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
    tasks.swap(on_close_);
    dropped_task = std::exchange(when_room_, nullptr);
    dropped.swap(pieces_);
  }
  for (Task& task : tasks) task();
}

void StreamQueue::EndEarly() {
  std::vector<Task> tasks;
  Task dropped_task;
  {
    std::unique_lock lock(mutex_);
    if (is_ended_ || is_cut_ || is_closed_) return;
    is_ended_ = is_closed_ = true;
    tasks.swap(on_close_);
    dropped_task = std::exchange(when_room_, nullptr);
    Wake(std::move(lock));
  }
  for (Task& task : tasks) task();
}

}  // namespace plimsoll::net
