#include "apiserver/fairness/watch_tracker.h"

#include <string_view>
#include <utility>

namespace plimsoll::apiserver {
namespace {

/// Returns the key of watches with this scope. No part can have a slash.
std::string KeyOf(const RequestInfo& info, std::string_view in_namespace, std::string_view name) {
  std::string key;
  key.reserve(info.group.size() + info.resource.size() + in_namespace.size() + name.size() + 3);
  key.append(info.group).append("/").append(info.resource).append("/");
  return key.append(in_namespace).append("/").append(name);
}

}  // namespace

WatchRegistration::WatchRegistration(std::shared_ptr<WatchTracker> tracker, std::string key)
    : tracker_(std::move(tracker)), key_(std::move(key)) {
  const std::lock_guard lock(tracker_->mutex_);
  ++tracker_->counts_[key_];
}

WatchRegistration::~WatchRegistration() {
  if (tracker_ == nullptr) return;
  const std::lock_guard lock(tracker_->mutex_);
  const auto found = tracker_->counts_.find(key_);
  if (--found->second == 0) tracker_->counts_.erase(found);
}

WatchRegistration WatchTracker::Register(const RequestInfo& watch) {
  return {shared_from_this(), KeyOf(watch, watch.namespace_, watch.name)};
}

std::size_t WatchTracker::CountAt(const std::string& key) const {
  const auto found = counts_.find(key);
  return found == counts_.end() ? 0 : found->second;
}

std::size_t WatchTracker::CountInterested(const RequestInfo& write) const {
  const std::lock_guard lock(mutex_);
  if (counts_.empty()) return 0;
  std::size_t count = CountAt(KeyOf(write, {}, {}));
  if (!write.namespace_.empty()) count += CountAt(KeyOf(write, write.namespace_, {}));
  if (!write.name.empty()) count += CountAt(KeyOf(write, write.namespace_, write.name));
  return count;
}

}  // namespace plimsoll::apiserver
