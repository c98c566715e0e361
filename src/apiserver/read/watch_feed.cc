#include "apiserver/read/watch_feed.h"

#include <algorithm>
#include <utility>

namespace plimsoll::apiserver {
namespace {

// A write takes some 20 µs of the server and of a client on the same machine, so that with this
// pause at most half of one processor goes into the number of writes rather than into their size.
constexpr Duration kPausePerMember = std::chrono::microseconds(40);
constexpr Duration kPauseMax = std::chrono::milliseconds(40);
// For so few there is nothing to gain.
constexpr std::size_t kMembersWithoutPause = 8;
constexpr std::size_t kWaitingBytesMax = 256u << 10;

net::Piece Joined(std::vector<net::Piece>& pieces, std::size_t bytes) {
  if (pieces.size() == 1) return std::move(pieces.front());
  std::string text;
  text.reserve(bytes);
  for (const net::Piece& piece : pieces) text += *piece.text;
  return {MakeBytes(std::move(text)), nullptr};
}

}  // namespace

Duration WatchFeed::Pause() const {
  if (members_.size() <= kMembersWithoutPause) return Duration::zero();
  return std::min<Duration>(kPausePerMember * members_.size(), kPauseMax);
}

void WatchFeed::Join(Member& member) {
  const std::scoped_lock lock(mutex_);
  // What waits is only for those who were there when it was added.
  FlushAt(clock_.Now());
  members_.push_back(&member);
}

void WatchFeed::Leave(const Member& member) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(members_, &member);
  if (found == members_.end()) return;
  *found = members_.back();
  members_.pop_back();
}

void WatchFeed::Add(store::Revision revision, net::Piece piece) {
  known_ = revision;
  const std::scoped_lock lock(mutex_);
  counters_.CountSent(piece.text->size(), members_.size());
  waiting_bytes_ += piece.text->size();
  waiting_.push_back(std::move(piece));
  const Instant now = clock_.Now();
  const Instant due = flushed_ + Pause();
  if (due <= now || waiting_bytes_ >= kWaitingBytesMax) {
    FlushAt(now);
  } else if (!std::exchange(is_flush_due_, true)) {
    clock_.At(due, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      const std::scoped_lock task_lock(self->mutex_);
      self->is_flush_due_ = false;
      self->FlushAt(self->clock_.Now());
    });
  }
}

void WatchFeed::Flush() {
  const std::scoped_lock lock(mutex_);
  FlushAt(clock_.Now());
}

void WatchFeed::FlushAt(Instant now) {
  if (waiting_.empty()) return;
  const net::Piece batch = Joined(waiting_, waiting_bytes_);
  waiting_.clear();
  waiting_bytes_ = 0;
  flushed_ = now;
  std::erase_if(members_, [&](Member* member) { return !member->OnBatch(batch); });
}

}  // namespace plimsoll::apiserver
