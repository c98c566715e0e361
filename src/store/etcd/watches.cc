#include "store/etcd/watches.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "store/limits.h"
#include "store/revision_errors.h"

namespace plimsoll::store::etcd {
namespace {

std::chrono::milliseconds PauseAfter(int failures) {
  return std::chrono::milliseconds(std::min(50 << std::min(failures, 10), 2'000));
}

constexpr Revision kLastRevision{INT64_MAX};

/// Returns the first change that lacks its previous value because etcd compacted that value before
/// sending the change, or kNoRevision.
Revision FirstCut(const Subscription& subscription, const std::vector<KeyEvent>& events) {
  if (!subscription.has_previous) return kNoRevision;
  for (const KeyEvent& event : events) {
    const bool is_creation = !event.is_deletion && event.now.created == event.now.modified;
    const bool is_new = event.now.modified > subscription.seen;
    if (is_new && !is_creation && !event.previous.has_value()) return event.now.modified;
  }
  return kNoRevision;
}

}  // namespace

Watches::Watches(Rpc& rpc, const KeyMap& keys, Logger& logger, Saw saw, Compacted compacted)
    : rpc_(rpc),
      keys_(keys),
      logger_(logger),
      saw_(std::move(saw)),
      compacted_(std::move(compacted)) {}

Watches::~Watches() = default;

void Watches::Add(std::shared_ptr<Subscription> subscription) {
  if (!subscription->is_open()) return;
  subscription->id = ++last_id_;
  by_id_[subscription->id] = subscription;
  if (link_ != nullptr) {
    Create(subscription);
  } else if (failures_ == 0) {
    Open();
  }
}

void Watches::Remove(const std::shared_ptr<Subscription>& subscription) {
  Drop(subscription);
  RunSeen(kLastRevision);
}

void Watches::End(const Error& error) {
  is_ended_ = true;
  link_.reset();
  for (const auto& [id, subscription] : std::exchange(by_id_, {})) subscription->End(error);
  RunSeen(kLastRevision);
}

void Watches::Open() {
  if (by_id_.empty()) failures_ = 0;  // the next subscription opens it at once
  if (is_ended_ || link_ != nullptr || by_id_.empty()) return;
  link_ = rpc_.OpenWatch(*this);
  // Each subscription gets a new id for the new link.
  for (const auto& [id, subscription] : std::exchange(by_id_, {})) {
    subscription->id = ++last_id_;
    subscription->fragments.clear();
    by_id_[subscription->id] = subscription;
    Create(subscription);
  }
}

void Watches::Create(const std::shared_ptr<Subscription>& subscription) {
  subscription->has_previous = subscription->NeedsPrevious();
  // Start at the last change seen, which Deliver skips: etcd then rejects the watch if the next
  // change may be compacted. A new watch at the latest revision starts after it instead, because
  // etcd serves a watch of future changes at once.
  const bool is_at_head = !subscription->is_started && subscription->seen == subscription->latest;
  subscription->is_started = true;
  const std::int64_t start = Number(subscription->seen) + (is_at_head ? 1 : 0);
  link_->Create({.id = subscription->id,
                 .keys = subscription->keys,
                 .start = Revision{std::max<std::int64_t>(start, 1)},
                 .with_previous = subscription->has_previous});
}

void Watches::Drop(const std::shared_ptr<Subscription>& subscription) {
  if (by_id_.erase(subscription->id) == 0) return;
  if (link_ != nullptr) link_->Cancel(subscription->id);
}

void Watches::OnReply(WatchReply reply) {
  failures_ = 0;
  const auto at = by_id_.find(reply.id);
  if (at == by_id_.end()) return;
  const std::shared_ptr<Subscription> subscription = at->second;
  if (reply.is_cancelled) {
    by_id_.erase(at);
    if (reply.compacted != kNoRevision) {
      compacted_(reply.compacted);
      subscription->End(TooOld(subscription->seen, reply.compacted));
    } else {
      subscription->End(
          {Reason::ServiceUnavailable, {}, "etcd ended the watch: " + reply.cancel_reason});
    }
    return RunSeen(kLastRevision);
  }
  if (reply.is_created) return;
  std::vector<KeyEvent>& fragments = subscription->fragments;
  std::move(reply.events.begin(), reply.events.end(), std::back_inserter(fragments));
  if (reply.is_fragment) return ApplyWhole(subscription);
  const Revision seen = fragments.empty() ? reply.revision : fragments.back().now.modified;
  Apply(subscription, std::exchange(fragments, {}), seen);
}

void Watches::ApplyWhole(const std::shared_ptr<Subscription>& subscription) {
  // The rest of the last revision may come with the next fragment.
  std::vector<KeyEvent>& fragments = subscription->fragments;
  if (fragments.empty()) return;
  const Revision last = fragments.back().now.modified;
  const auto rest =
      std::ranges::find(fragments, last, [](const KeyEvent& event) { return event.now.modified; });
  if (rest == fragments.begin()) return;
  std::vector<KeyEvent> events(std::move_iterator(fragments.begin()), std::move_iterator(rest));
  fragments.erase(fragments.begin(), rest);
  const Revision seen = events.back().now.modified;
  Apply(subscription, events, seen);
}

void Watches::Apply(const std::shared_ptr<Subscription>& subscription,
                    const std::vector<KeyEvent>& events, Revision seen) {
  if (const Revision gone = FirstCut(*subscription, events); gone != kNoRevision) {
    Drop(subscription);
    compacted_(gone);
    subscription->End(TooOld(subscription->seen, gone));
    return RunSeen(kLastRevision);
  }
  if (!events.empty()) Deliver(*subscription, events);
  SeenUpTo(subscription, seen);
}

void Watches::OnBroken(const Fault& fault) {
  link_.reset();
  if (is_ended_) return;
  ++failures_;
  PL_LOG(logger_, Warning(), "The watch of etcd failed; resuming from its last revision",
         {"reason", fault.text}, {"failures", failures_});
  if (failures_ >= kEtcdLinkFailuresMax) RunSeen(kLastRevision);
  rpc_.After(PauseAfter(failures_), [this] { Open(); });
}

void Watches::Deliver(Subscription& subscription, const std::vector<KeyEvent>& events) {
  std::vector<Change> changes;
  changes.reserve(events.size());
  for (const KeyEvent& event : events) {
    if (event.now.modified > subscription.seen) changes.push_back(ChangeOf(event));
  }
  if (changes.empty()) return;
  saw_(changes.back().revision);
  subscription.Deliver(changes);
}

Change Watches::ChangeOf(const KeyEvent& event) const {
  Change change{event.now.modified, keys_.FromEtcd(event.now.key), nullptr, nullptr, kNoRevision};
  if (!event.is_deletion) change.value = event.now.value;
  if (event.previous.has_value()) {
    change.before = event.previous->value;
    change.before_revision = event.previous->modified;
  }
  return change;
}

void Watches::SeenUpTo(const std::shared_ptr<Subscription>& subscription, Revision revision) {
  subscription->seen = std::max(subscription->seen, revision);
  if (subscription->is_far_behind && !subscription->is_of_the_past()) {
    subscription->is_far_behind = false;
  }
  if (!subscription->is_open()) {
    Drop(subscription);
  } else if (subscription->has_previous && !subscription->NeedsPrevious() && link_ != nullptr) {
    // Caught up: restart the watch without previous values.
    Drop(subscription);
    subscription->id = ++last_id_;
    by_id_[subscription->id] = subscription;
    Create(subscription);
  }
  RunSeen(revision);
}

void Watches::WhenSeen(std::string key, Revision revision, std::move_only_function<void()> task) {
  if (!IsAwaited(key, revision)) return task();
  waiting_.emplace(revision, Waiting{std::move(key), std::move(task)});
}

bool Watches::IsAwaited(const std::string& key, Revision revision) const {
  if (is_ended_ || failures_ >= kEtcdLinkFailuresMax) return false;
  return std::ranges::any_of(by_id_, [&](const auto& entry) {
    const Subscription& one = *entry.second;
    return one.seen < revision && !one.is_far_behind && one.is_open() && one.keys.Contains(key);
  });
}

void Watches::RunSeen(Revision revision) {
  for (auto at = waiting_.begin(); at != waiting_.end() && at->first <= revision;) {
    if (IsAwaited(at->second.key, at->first)) {
      ++at;
      continue;
    }
    auto task = std::move(at->second.task);
    at = waiting_.erase(at);
    task();
  }
}

}  // namespace plimsoll::store::etcd
