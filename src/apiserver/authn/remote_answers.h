#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/authn/wait_ban.h"
#include "base/async.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

/// Cache of a remote server's answers with a bounded number of entries. If several callers need the
/// same answer, one asks and the others wait for it. Safe for use by many threads; a waiting fiber
/// frees its thread.
template <class T>
class RemoteAnswers {
 public:
  struct Fetched {
    T answer;
    Duration lifetime{};  // zero: only for the callers that wait now
  };

  RemoteAnswers(const Clock& clock, std::size_t entries_max)
      : clock_(clock), entries_max_(entries_max) {}

  /// Returns the cached answer, or calls `ask`. Returns nullopt if the answer is not cached and a
  /// WaitBan forbids to ask.
  std::optional<T> Get(std::string_view key, const std::function<Fetched()>& ask) {
    std::unique_lock lock(mutex_);
    const auto found = entries_.find(key);
    if (found != entries_.end() && found->second.flight == nullptr &&
        clock_.Now() < found->second.expires) {
      return found->second.answer;
    }
    if (WaitBan::Forbids()) return std::nullopt;
    if (found != entries_.end() && found->second.flight != nullptr) {
      return Join(found->second.flight, lock);
    }
    MakeRoom();
    const auto flight = std::make_shared<Flight>();
    entries_[std::string(key)] = {{}, {}, flight};
    lock.unlock();
    Fetched fetched = ask();
    lock.lock();
    flight->answer = fetched.answer;
    const auto mine = entries_.find(key);
    if (mine != entries_.end() && mine->second.flight == flight) {
      if (fetched.lifetime > Duration::zero()) {
        mine->second = {fetched.answer, clock_.Now() + fetched.lifetime, nullptr};
      } else {
        entries_.erase(mine);
      }
    }
    // Posted under the lock: a waiting caller continues only after it has taken the lock.
    for (OneShotEvent* const event : flight->waiting) event->Set();
    return std::move(fetched.answer);
  }

  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return entries_.size();
  }

 private:
  struct Flight {
    std::optional<T> answer;
    std::vector<OneShotEvent*> waiting;
  };
  struct Entry {
    T answer;
    Instant expires;
    std::shared_ptr<Flight> flight;  // not null: a caller is asking now
  };

  std::optional<T> Join(std::shared_ptr<Flight> flight, std::unique_lock<std::mutex>& lock) {
    OneShotEvent event;
    flight->waiting.push_back(&event);
    lock.unlock();
    event.Wait();
    lock.lock();
    return flight->answer;
  }

  /// Keeps entries that a caller is asking for: the number of waiting requests bounds them.
  void MakeRoom() {
    if (entries_.size() < entries_max_) return;
    const Instant now = clock_.Now();
    std::erase_if(entries_, [&](const auto& entry) {
      return entry.second.flight == nullptr && entry.second.expires <= now;
    });
    if (entries_.size() < entries_max_) return;
    std::erase_if(entries_, [](const auto& entry) { return entry.second.flight == nullptr; });
  }

  const Clock& clock_;
  const std::size_t entries_max_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace plimsoll::apiserver
