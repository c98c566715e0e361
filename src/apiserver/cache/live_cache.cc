#include "apiserver/cache/live_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <semaphore>
#include <utility>

#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

// Small enough to free a page before the next is read, large enough for the store to be fast.
constexpr std::size_t kPageRecords = 20'000;
constexpr Duration kReloadPause = std::chrono::seconds(1);

struct NamespaceAndName {
  std::string_view namespace_;
  std::string_view name;
};

NamespaceAndName SplitKey(const Resource& resource, std::string_view key) {
  key.remove_prefix(resource.prefix.size());
  if (!resource.kind->is_namespaced) return {"", key};
  const std::size_t slash = std::min(key.find('/'), key.size());
  return {key.substr(0, slash), key.substr(std::min(slash + 1, key.size()))};
}

}  // namespace

LiveCache::LiveCache(store::Store& store, const ResourceTable& resources, Clock& clock, Logger& log,
                     MetricsRegistry& metrics)
    : store_(store),
      resources_(resources),
      clock_(clock),
      log_(log),
      received_(metrics.AddCounters({"apiserver_watch_cache_events_received_total",
                                     "Counter of events received in watch cache broken by "
                                     "resource type.",
                                     {"group", "resource"}})),
      dispatched_(metrics.AddCounters({"apiserver_watch_cache_events_dispatched_total",
                                       "Counter of events dispatched in watch cache broken by "
                                       "resource type.",
                                       {"group", "resource"}})) {}

LiveCache::Parts LiveCache::EmptyParts() {
  Parts parts;
  for (const Resource& row : resources_.all()) {
    if (!row.is_stored() || row.kind != row.stored) continue;
    parts.push_back(std::make_shared<ResourceCache>(row, received_.With({row.group(), row.name()}),
                                                    dispatched_.With({row.group(), row.name()})));
  }
  std::ranges::sort(parts, {},
                    [](const auto& part) -> const std::string& { return part->resource().prefix; });
  return parts;
}

ResourceCache* LiveCache::OfKey(const Parts& parts, std::string_view key) const {
  // No prefix begins with another: each ends with the only slash after its name.
  const auto after = std::ranges::upper_bound(
      parts, key, {}, [](const auto& part) -> std::string_view { return part->resource().prefix; });
  if (after == parts.begin()) return nullptr;
  ResourceCache& part = **std::prev(after);
  return key.starts_with(part.resource().prefix) ? &part : nullptr;
}

ObjectPtr LiveCache::MakeObject(const ResourceCache& part, std::string_view key, const Bytes& value,
                                store::Revision revision, const PayloadPtr& payload) const {
  if (!value) return nullptr;
  const auto* const tree = FindPayload<TreePtr>(payload);
  auto object =
      StoredObject::Make(part.resource(), *value, revision, tree == nullptr ? nullptr : *tree);
  if (!object) {
    PL_LOG(log_, Error(object.error()), "Skipped an object that cannot be decoded", {"key", key});
    return nullptr;
  }
  return *std::move(object);
}

Result<LiveCache::Loaded> LiveCache::ReadStore() {
  Loaded loaded{EmptyParts(), {}};
  store::RangeRequest request;
  request.limit = kPageRecords;
  for (;;) {
    const store::Range page = PL_TRY(store_.List(request));
    for (const store::Record& record : page.records) {
      ResourceCache* part = OfKey(loaded.parts, record.key);
      if (part == nullptr) continue;
      ObjectPtr object = MakeObject(*part, record.key, record.value, record.revision);
      if (object) {
        part->Load(std::move(object));
      } else {
        const auto [namespace_, name] = SplitKey(part->resource(), record.key);
        part->NoteReadable(namespace_, name, false);
      }
    }
    loaded.revision = page.at;
    if (!page.has_more) return loaded;
    request.after = page.records.back().key;
    request.at = page.at;
  }
}

Status LiveCache::StartWatch(store::Revision after) {
  // Watches all keys: any change, also of a key that is not cached, advances the revision.
  watch_ = PL_TRY(store_.WatchFrom("", after, *this));
  return {};
}

Status LiveCache::Start() {
  Loaded loaded = PL_TRY(ReadStore());
  parts_ = std::move(loaded.parts);
  loaded_ = loaded.revision;
  for (const Resource& row : resources_.all()) {
    of_row_.push_back(row.is_stored() ? OfKey(parts_, row.prefix) : nullptr);
  }

  const store::Revision kept = store_.compacted();
  // After a restart of the server, watches can resume this many changes back.
  const store::Revision after =
      std::max(kept, store::Revision{store::Number(loaded_) - store_.QuickHistory()});
  for (const auto& part : parts_) part->BeginHistory(after);
  revision_ = store::Number(after);
  if (Status started = StartWatch(after); !started) {
    if (started.error().reason != Reason::Expired) return started;
    // The store has compacted the history meanwhile.
    for (const auto& part : parts_) part->BeginHistory(loaded_);
    revision_ = store::Number(loaded_);
    PL_TRY(StartWatch(loaded_));
  }
  std::binary_semaphore has_history(0);
  bool is_reached = false;
  WhenReached(loaded_, std::chrono::minutes(1), [&](bool reached) {
    is_reached = reached;
    has_history.release();
  });
  has_history.acquire();
  if (!is_reached) return Fail(Reason::Timeout, "the store did not hand out its history");
  return {};
}

void LiveCache::Stop() {
  std::unique_ptr<store::Watch> watch;
  {
    const std::scoped_lock lock(reload_lock_);
    is_stopped_ = true;
    watch = std::move(watch_);
  }
}

ResourceCache& LiveCache::Of(const Resource& resource) const {
  const Resource* const first = resources_.all().data();
  const auto row = static_cast<std::size_t>(&resource - first);
  PL_ASSERT(row < of_row_.size() && of_row_[row] != nullptr);
  return *of_row_[row];
}

Result<ObjectPtr> LiveCache::GetLatest(const Resource& resource, std::string_view namespace_,
                                       std::string_view name) {
  const Resource& stored = Of(resource).resource();
  const std::optional<store::Record> record = PL_TRY(store_.Get(stored.KeyOf(namespace_, name)));
  if (!record) return ObjectPtr();
  ObjectPtr known = Of(resource).Get(namespace_, name);
  if (known && known->revision() == record->revision) return known;
  return StoredObject::Make(stored, *record->value, record->revision);
}

void LiveCache::OnChanges(std::span<const store::Change> changes) {
  for (const store::Change& change : changes) {
    if (change.revision <= loaded_) {
      AddHistory(change);
    } else {
      history_.clear();
      Apply(change);
    }
    Advance(change.revision);
  }
}

void LiveCache::Apply(const store::Change& change) {
  ResourceCache* part = OfKey(parts_, change.key);
  if (part == nullptr) return;
  const auto [namespace_, name] = SplitKey(part->resource(), change.key);
  const ObjectPtr object =
      MakeObject(*part, change.key, change.value, change.revision, change.payload);
  part->NoteReadable(namespace_, name, object != nullptr || change.value == nullptr);
  part->Apply(change.revision, namespace_, name, object, clock_.Now());
  if (object) object->ReleaseTree();
}

void LiveCache::AddHistory(const store::Change& change) {
  ResourceCache* part = OfKey(parts_, change.key);
  if (part == nullptr) return;
  const auto [namespace_, name] = SplitKey(part->resource(), change.key);
  auto event = std::make_shared<CacheEvent>();
  event->revision = change.revision;
  ObjectPtr& latest = history_[change.key];
  if (latest && latest->revision() == change.before_revision) {
    event->before = latest;
  } else {
    event->before = MakeObject(*part, change.key, change.before, change.before_revision);
  }
  const ObjectPtr current = part->Get(namespace_, name);
  if (current && change.value && current->revision() == change.revision) {
    event->now = current;
  } else {
    event->now = MakeObject(*part, change.key, change.value, change.revision);
  }
  latest = event->now;
  if (event->before || event->now) part->AddHistory(std::move(event), clock_.Now());
}

void LiveCache::Advance(store::Revision revision) {
  revision_ = store::Number(revision);
  if (waiters_count_ == 0) return;
  std::vector<std::shared_ptr<Waiter>> ready;
  {
    const std::scoped_lock lock(waiters_lock_);
    const auto rest = std::ranges::partition(
        waiters_, [&](const auto& waiter) { return waiter->revision > revision; });
    ready.assign(std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    waiters_.erase(rest.begin(), rest.end());
    waiters_count_ -= ready.size();
  }
  for (const auto& waiter : ready) waiter->done(true);
}

void LiveCache::WhenReached(store::Revision wanted, Duration timeout,
                            std::move_only_function<void(bool)> done) {
  if (revision() >= wanted) return done(true);
  auto waiter = std::make_shared<Waiter>(wanted, std::move(done));
  {
    const std::scoped_lock lock(waiters_lock_);
    waiters_.push_back(waiter);
    // Incremented before the second check, so that this or Advance sees the other.
    ++waiters_count_;
  }
  if (revision() >= wanted) Advance(revision());
  // A waiter holds a request. The timer must not keep the request alive after the response.
  clock_.At(clock_.Now() + timeout, [weak = weak_from_this(), waiting = std::weak_ptr(waiter)] {
    const std::shared_ptr<LiveCache> self = weak.lock();
    const std::shared_ptr<Waiter> late = waiting.lock();
    if (!self || !late) return;
    {
      const std::scoped_lock lock(self->waiters_lock_);
      if (std::erase(self->waiters_, late) == 0) return;
      --self->waiters_count_;
    }
    late->done(false);
  });
}

void LiveCache::OnEnd(const Error& error) {
  PL_LOG(log_, Warning(), "The watch of the store has ended; reading the store again",
         {"reason", error.message});
  ReloadLater();
}

void LiveCache::ReloadLater() {
  clock_.At(clock_.Now() + kReloadPause, [weak = weak_from_this()] {
    if (const std::shared_ptr<LiveCache> self = weak.lock()) self->Reload();
  });
}

void LiveCache::Reload() {
  const std::scoped_lock lock(reload_lock_);
  if (is_stopped_) return;
  watch_.reset();
  Result<Loaded> loaded = ReadStore();
  if (!loaded) {
    PL_LOG(log_, Error(loaded.error()), "Could not read the store");
    ReloadLater();
    return;
  }
  history_.clear();
  loaded_ = loaded->revision;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    loaded->parts[i]->BeginHistory(loaded_);
    parts_[i]->ReplaceBy(*loaded->parts[i]);
  }
  Advance(loaded_);
  if (Status started = StartWatch(loaded_); !started) {
    PL_LOG(log_, Error(started.error()), "Could not watch the store");
    ReloadLater();
  }
}

}  // namespace plimsoll::apiserver
