#include "net/connection_table.h"

#include <algorithm>
#include <utility>

namespace plimsoll::net {
namespace {

constexpr std::uint64_t kReserveMin = 1024;
// Closing takes a moment; several at once keep up with a flood of connections.
constexpr std::size_t kEvictedAtOnceMax = 64;

/// One client must not take everything, but most clients of a small cluster share one address.
int ThreeQuarters(int count) { return std::max(count - count / 4, 1); }

}  // namespace

ConnectionLimits FitConnectionLimits(ConnectionLimits limits, std::uint64_t file_max) {
  const std::uint64_t reserve = std::max(file_max / 4, std::min(file_max / 2, kReserveMin));
  const std::uint64_t room = std::max<std::uint64_t>(file_max - reserve, 1);
  limits.total_max = static_cast<int>(
      std::min<std::uint64_t>(room, static_cast<unsigned>(std::max(limits.total_max, 1))));
  limits.anonymous_max = std::clamp(limits.anonymous_max, 1, limits.total_max);
  if (limits.per_address_max <= 0) limits.per_address_max = ThreeQuarters(limits.total_max);
  if (limits.anonymous_per_address_max <= 0) {
    limits.anonymous_per_address_max = ThreeQuarters(limits.anonymous_max);
  }
  return limits;
}

void ConnectionTable::Entry::OnEvict(Task task) {
  const std::scoped_lock lock(table_.mutex_);
  if (state_ == State::Anonymous) evict_.swap(task);
}

void ConnectionTable::Entry::MarkAuthenticated() {
  Task unused;
  bool was_awaited = false;
  {
    const std::scoped_lock lock(table_.mutex_);
    if (state_ != State::Anonymous) return;
    table_.Detach(*this, State::Authenticated);
    evict_.swap(unused);
    was_awaited = std::exchange(table_.is_awaited_, false);
  }
  if (was_awaited) table_.on_room_();
}

void ConnectionTable::Detach(Entry& entry, Entry::State state) {
  entry.state_ = state;
  anonymous_.erase(entry.at_);
  --addresses_[entry.address_].anonymous;
  if (state == Entry::State::Evicted) ++evicted_;
}

std::vector<Task> ConnectionTable::Evict(Ticks now, const std::string& address,
                                         std::size_t count_max) {
  std::vector<Task> tasks;
  for (auto it = anonymous_.begin(); it != anonymous_.end() && tasks.size() < count_max;) {
    Entry& entry = **it++;
    if (now < entry.grace_end_) break;  // the rest are younger
    if (entry.evict_ == nullptr || (!address.empty() && entry.address_ != address)) continue;
    tasks.push_back(std::exchange(entry.evict_, nullptr));
    Detach(entry, Entry::State::Evicted);
  }
  return tasks;
}

ConnectionTable::Room ConnectionTable::MakeRoom(Ticks now, bool is_out_of_files) {
  std::vector<Task> tasks;
  {
    const std::scoped_lock lock(mutex_);
    const bool is_full = total_ >= limits_.total_max;
    const int anonymous = static_cast<int>(anonymous_.size()) + evicted_;
    if (!is_full && anonymous < limits_.anonymous_max && !is_out_of_files) return Room::Some;
    if (is_full && anonymous == 0) return Room::None;
    is_awaited_ = true;
    if (evicted_ == 0) tasks = Evict(now, "", kEvictedAtOnceMax);
  }
  for (Task& task : tasks) task();
  return Room::Soon;
}

std::unique_ptr<ConnectionTable::Entry> ConnectionTable::Add(std::string address, Ticks now,
                                                             Ticks grace_end) {
  std::vector<Task> tasks;
  std::unique_ptr<Entry> entry;
  {
    const std::scoped_lock lock(mutex_);
    Count& count = addresses_[address];
    if (count.total >= limits_.per_address_max) return nullptr;
    if (count.anonymous >= limits_.anonymous_per_address_max) {
      tasks = Evict(now, address, 1);
      if (tasks.empty()) return nullptr;
    }
    ++count.total;
    ++count.anonymous;
    ++total_;
    entry.reset(new Entry(*this, std::move(address), grace_end));
    entry->at_ = anonymous_.insert(anonymous_.end(), entry.get());
  }
  for (Task& task : tasks) task();
  return entry;
}

void ConnectionTable::Remove(Entry& entry) {
  bool was_awaited = false;
  {
    const std::scoped_lock lock(mutex_);
    if (entry.state_ == Entry::State::Anonymous) Detach(entry, Entry::State::Authenticated);
    if (entry.state_ == Entry::State::Evicted) --evicted_;
    --total_;
    const auto found = addresses_.find(entry.address_);
    if (--found->second.total == 0) addresses_.erase(found);
    was_awaited = std::exchange(is_awaited_, false);
  }
  if (was_awaited) on_room_();
}

}  // namespace plimsoll::net
