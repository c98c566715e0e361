#include "apiserver/read/watch_feed.h"

#include <algorithm>
#include <utility>

#include "apiserver/limits.h"

namespace plimsoll::apiserver {
namespace {

// A write takes about 20 µs of the server and of a client on the same machine. With this pause, the
// per-write overhead takes at most half of one processor.
constexpr Duration kPausePerMember = std::chrono::microseconds(40);
// So few members gain nothing from a pause.
constexpr std::size_t kMembersWithoutPause = 8;
// Small, so that members wait little for each other; large, so that few texts are joined.
constexpr std::size_t kMembersPerRow = 128;

net::Piece Joined(std::vector<net::Piece>& pieces, std::size_t bytes) {
  if (pieces.size() == 1) return std::move(pieces.front());
  std::string text;
  text.reserve(bytes);
  for (const net::Piece& piece : pieces) text += *piece.text;
  return {MakeBytes(std::move(text))};
}

}  // namespace

std::size_t WatchFeed::MemberCount() const {
  std::size_t count = 0;
  for (const Row& row : rows_) count += row.members.size();
  return count;
}

Duration WatchFeed::Pause() const {
  const std::size_t count = MemberCount();
  if (count <= kMembersWithoutPause) return Duration::zero();
  return std::min<Duration>(kPausePerMember * count, kWatchPauseMax);
}

WatchFeed::Row* WatchFeed::RowOf(const Member& member) {
  const auto found = std::ranges::find_if(rows_, [&](const Row& row) {
    return std::ranges::find(row.members, &member) != row.members.end();
  });
  return found != rows_.end() ? &*found : nullptr;
}

Instant WatchFeed::NextTurn(std::size_t index, Instant last) const {
  const auto place = static_cast<Duration::rep>(index + 1);
  return last + Pause() * place / static_cast<Duration::rep>(rows_.size());
}

void WatchFeed::Join(Member& member) {
  const std::scoped_lock lock(mutex_);
  const auto index = static_cast<std::size_t>(
      std::ranges::find_if(rows_,
                           [](const Row& row) { return row.members.size() < kMembersPerRow; }) -
      rows_.begin());
  if (index == rows_.size()) rows_.emplace_back();
  Row& row = rows_[index];
  // Waiting events are only for members that had joined before.
  Flush(row);
  row.members.push_back(&member);
  row.turn = std::max(row.turn, NextTurn(index, added_));
}

void WatchFeed::RemoveMember(const Member& member) {
  const std::scoped_lock lock(mutex_);
  if (Row* const row = RowOf(member)) std::erase(row->members, &member);
}

void WatchFeed::Add(store::Revision revision, net::Piece piece) {
  known_ = revision;
  const std::scoped_lock lock(mutex_);
  counters_.CountSent(piece.text->size(), MemberCount());
  added_ = clock_.Now();
  for (std::size_t i = 0; i < rows_.size(); ++i) AddTo(i, piece);
}

void WatchFeed::AddTo(std::size_t index, const net::Piece& piece) {
  Row& row = rows_[index];
  if (row.members.empty()) return;
  row.waiting.push_back(piece);
  row.waiting_bytes += piece.text->size();
  if (row.turn <= added_) {
    // After an idle time all rows are due together: from now on they take turns.
    row.turn = NextTurn(index, added_);
    Flush(row);
  } else if (row.waiting_bytes >= kWaitingBytesMax) {
    Flush(row);
  } else if (!std::exchange(row.is_turn_set, true)) {
    clock_.At(row.turn, [weak = weak_from_this(), index] {
      const auto self = weak.lock();
      if (!self) return;
      const std::scoped_lock lock(self->mutex_);
      self->RunTurn(index);
    });
  }
}

void WatchFeed::RunTurn(std::size_t index) {
  Row& row = rows_[index];
  row.is_turn_set = false;
  const Duration pause = Pause();
  const Instant now = clock_.Now();
  // A late turn does not move the next one, unless that would be too soon.
  row.turn += pause;
  if (row.turn < now + pause / 2) row.turn = now + pause;
  Flush(row);
}

void WatchFeed::FlushFor(const Member& member) {
  const std::scoped_lock lock(mutex_);
  if (Row* const row = RowOf(member)) Flush(*row);
}

void WatchFeed::Flush(Row& row) {
  if (row.waiting.empty()) return;
  const net::Piece batch = Joined(row.waiting, row.waiting_bytes);
  row.waiting.clear();
  row.waiting_bytes = 0;
  std::erase_if(row.members, [&](Member* member) { return !member->OnBatch(batch); });
}

}  // namespace plimsoll::apiserver
