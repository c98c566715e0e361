#include "client/informer_core.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace plimsoll::client {
namespace {

// Delays the next watch if a server repeatedly ends watches at once.
constexpr Duration kWatchShortMax = std::chrono::seconds(1);

bool IsExpired(const api::StatusObject& refusal) {
  return api::ToError(refusal).reason == Reason::Expired;
}

/// True if our version is ahead of the server's history, for example after a restored backup.
bool IsTooLarge(const api::StatusObject& refusal) {
  const Error error = api::ToError(refusal);
  return error.reason == Reason::Timeout && error.HasCause("ResourceVersionTooLarge");
}

bool IsTemporary(const api::StatusObject& refusal) {
  return refusal.code == 429 || refusal.code >= 500;
}

}  // namespace

InformerStep InformerCore::Next() const {
  InformerStep step{
      .type = InformerStep::Type::Watch, .resource_version = resource_version_, .delay = delay_};
  if (phase_ == Phase::Watching) return step;
  if (is_version_unavailable_) step.resource_version.clear();
  if (use_watch_list_ && !must_list_) {
    step.type = InformerStep::Type::WatchList;
    return step;
  }
  step.type = InformerStep::Type::List;
  // First accept any cached state, to spare the store; later none older than the reported one.
  if (step.resource_version.empty() && !is_version_unavailable_) step.resource_version = "0";
  return step;
}

void InformerCore::Replace(const std::vector<ObjectPtr>& objects, std::string resource_version,
                           Events& out) {
  store_.Replace(objects, out);
  resource_version_ = std::move(resource_version);
  is_version_unavailable_ = false;
  watch_lists_broken_off_ = 0;
  must_list_ = false;
  phase_ = Phase::Watching;
  delay_ = Duration::zero();
  if (!std::exchange(is_synced_, true)) out.push_back({.type = InformerEvent::Type::Synced});
}

void InformerCore::Listed(const api::ObjectList& list, Events& out) {
  Replace(list.objects, list.resource_version, out);
}

void InformerCore::ListRefused(const api::StatusObject& refusal, Instant now, Events& out) {
  constexpr int kNotFound = 404;
  if (refusal.code == kNotFound && !std::exchange(is_synced_, true)) {
    out.push_back({.type = InformerEvent::Type::Synced});
  }
  const bool is_first =
      !std::exchange(is_version_unavailable_,
                     is_version_unavailable_ || IsExpired(refusal) || IsTooLarge(refusal));
  // A retry with another resource version need not wait.
  delay_ = Duration::zero();
  if (!(is_first && is_version_unavailable_)) Delay(now);
}

void InformerCore::WatchBegan(Instant now) {
  watch_began_ = now;
  has_events_ = false;
  initial_ = {};
}

void InformerCore::Observe(const api::WatchEvent& event, Events& out) {
  has_events_ = true;
  Events ignored;
  const bool is_initial = phase_ == Phase::Listing;
  ObjectStore& store = is_initial ? initial_ : store_;
  Events& told = is_initial ? ignored : out;
  switch (event.type) {
    case api::WatchEvent::Type::Added:
    case api::WatchEvent::Type::Modified:
      store.Put(event.object, told);
      break;
    case api::WatchEvent::Type::Deleted:
      store.Remove(event.object, told);
      break;
    case api::WatchEvent::Type::Bookmark:
      if (!is_initial) {
        resource_version_ = event.resource_version;
      } else if (event.ends_initial_events) {
        Replace(std::exchange(initial_, {}).All(), event.resource_version, out);
      }
      return;
  }
  if (!is_initial) resource_version_ = event.object->metadata().resource_version;
}

void InformerCore::WatchEnded(Instant now) {
  delay_ = Duration::zero();
  // If the server ends a WatchList before its bookmark, it would probably do so again.
  if (phase_ == Phase::Listing) must_list_ = true;
  const bool has_served = phase_ == Phase::Watching && has_events_;
  if (!has_served && now - watch_began_ < kWatchShortMax) Delay(now);
}

void InformerCore::FallBackToList(const api::StatusObject& refusal) {
  if (IsExpired(refusal) || IsTooLarge(refusal)) return;  // another resource version may be served
  switch (refusal.code) {
    case 401:
    case 403:
    case 404:
    case 429:
      return;  // the server would reject a List as well
    case 503:
      // Retry a broken connection once: a WatchList needs far less memory than a List.
      must_list_ = ++watch_lists_broken_off_ > 1;
      return;
    case 400:
    case 422:
      use_watch_list_ = false;
      break;
    default:
      break;
  }
  // If the List fails too, it has its own delay.
  if (!std::exchange(must_list_, true)) delay_ = Duration::zero();
}

void InformerCore::WatchRefused(const api::StatusObject& refusal, Instant now, Events& out) {
  if (phase_ == Phase::Listing) {
    ListRefused(refusal, now, out);
    return FallBackToList(refusal);
  }
  if (IsTooLarge(refusal)) is_version_unavailable_ = true;
  if (!IsTemporary(refusal) || IsTooLarge(refusal)) phase_ = Phase::Listing;
  Delay(now);
}

void InformerCore::Resync(Events& out) const {
  for (const ObjectPtr& object : store_.All()) {
    out.push_back({.type = InformerEvent::Type::Modified, .object = object, .before = object});
  }
}

}  // namespace plimsoll::client
