#include "apiserver/cache/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/async.h"

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

Cache::Cache(store::Store& store, const ResourceTable& resources, Clock& clock, Logger& log,
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
                                       {"group", "resource"}})) {
  lifeline_->cache = this;
}

Result<std::unique_ptr<Cache>> Cache::Start(store::Store& store, const ResourceTable& resources,
                                            Clock& clock, Logger& log, MetricsRegistry& metrics) {
  std::unique_ptr<Cache> cache(new Cache(store, resources, clock, log, metrics));
  PL_TRY(cache->Run());
  return cache;
}

Cache::~Cache() {
  std::unique_ptr<store::Watch> watch;  // ends after the unlock: it waits for calls of the sink
  const std::scoped_lock lock(lifeline_->mutex);
  lifeline_->cache = nullptr;
  watch = std::move(watch_);
}

Cache::Parts Cache::EmptyParts() {
  Parts parts;
  for (const Resource& row : resources_.all()) {
    if (!row.is_stored() || row.kind != row.stored) continue;
    parts.push_back(std::make_shared<WatchCache>(row, revision_,
                                                 received_.With({row.group(), row.name()}),
                                                 dispatched_.With({row.group(), row.name()})));
  }
  std::ranges::sort(parts, {},
                    [](const auto& part) -> const std::string& { return part->resource().prefix; });
  return parts;
}

WatchCache* Cache::OfKey(const Parts& parts, std::string_view key) const {
  // No prefix begins with another: each ends with the only slash after its name.
  const auto after = std::ranges::upper_bound(
      parts, key, {}, [](const auto& part) -> std::string_view { return part->resource().prefix; });
  if (after == parts.begin()) return nullptr;
  WatchCache& part = **std::prev(after);
  return key.starts_with(part.resource().prefix) ? &part : nullptr;
}

ObjectPtr Cache::MakeObject(const WatchCache& part, std::string_view key, const Bytes& value,
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

Result<Cache::Loaded> Cache::ReadStore() {
  Loaded loaded{EmptyParts(), {}};
  store::RangeRequest request;
  request.limit = kPageRecords;
  for (;;) {
    const store::Range page = PL_TRY(store_.List(request));
    for (const store::Record& record : page.records) {
      WatchCache* part = OfKey(loaded.parts, record.key);
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

Status Cache::StartWatch(store::Revision after) {
  // Watches all keys: any change, also of a key that is not cached, advances the revision.
  watch_ = PL_TRY(store_.WatchFrom("", after, *this));
  return {};
}

Status Cache::Run() {
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
  *revision_ = store::Number(after);
  if (Status started = StartWatch(after); !started) {
    if (started.error().reason != Reason::Expired) return started;
    // The store has compacted the history meanwhile.
    for (const auto& part : parts_) part->BeginHistory(loaded_);
    *revision_ = store::Number(loaded_);
    PL_TRY(StartWatch(loaded_));
  }
  if (!WaitFor(loaded_, std::chrono::minutes(1))) {
    return Fail(Reason::Timeout, "timed out waiting for the store's history");
  }
  return {};
}

WatchCache& Cache::Of(const Resource& resource) const {
  const Resource* const first = resources_.all().data();
  const auto row = static_cast<std::size_t>(&resource - first);
  PL_ASSERT(row < of_row_.size() && of_row_[row] != nullptr);
  return *of_row_[row];
}

Result<ObjectPtr> Cache::GetLatest(const Resource& resource, std::string_view namespace_,
                                   std::string_view name) {
  const Resource& stored = Of(resource).resource();
  const std::optional<store::Record> record = PL_TRY(store_.Get(stored.KeyOf(namespace_, name)));
  if (!record) return ObjectPtr();
  ObjectPtr known = Of(resource).Get(namespace_, name);
  if (known && known->revision() == record->revision) return known;
  return StoredObject::Make(stored, *record->value, record->revision);
}

void Cache::OnChanges(std::span<const store::Change> changes) {
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

void Cache::Apply(const store::Change& change) {
  WatchCache* part = OfKey(parts_, change.key);
  if (part == nullptr) return;
  const auto [namespace_, name] = SplitKey(part->resource(), change.key);
  const ObjectPtr object =
      MakeObject(*part, change.key, change.value, change.revision, change.payload);
  part->NoteReadable(namespace_, name, object != nullptr || change.value == nullptr);
  part->Apply(change.revision, namespace_, name, object, clock_.Now());
  if (object) object->ReleaseTree();
}

void Cache::AddHistory(const store::Change& change) {
  WatchCache* part = OfKey(parts_, change.key);
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

void Cache::Advance(store::Revision revision) {
  *revision_ = store::Number(revision);
  if (waiters_count_ > 0) CallWaiters(revision);
}

void Cache::CallWaiters(store::Revision revision) {
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

void Cache::WhenReached(store::Revision wanted, Duration timeout,
                        std::move_only_function<void(bool)> done) {
  if (revision() >= wanted) return done(true);
  auto waiter = std::make_shared<Waiter>(wanted, std::move(done));
  {
    const std::scoped_lock lock(waiters_lock_);
    waiters_.push_back(waiter);
    // Incremented before the second check, so that this or Advance sees the other.
    ++waiters_count_;
  }
  if (revision() >= wanted) CallWaiters(revision());
  // A waiter holds a request. The timer must not keep the request alive after the response.
  clock_.At(clock_.Now() + timeout, [lifeline = lifeline_, waiting = std::weak_ptr(waiter)] {
    const std::shared_ptr<Waiter> late = waiting.lock();
    if (!late) return;
    {
      const std::scoped_lock lock(lifeline->mutex);
      if (lifeline->cache == nullptr || !lifeline->cache->RemoveWaiter(late)) return;
    }
    late->done(false);
  });
}

bool Cache::RemoveWaiter(const std::shared_ptr<Waiter>& waiter) {
  const std::scoped_lock lock(waiters_lock_);
  if (std::erase(waiters_, waiter) == 0) return false;
  --waiters_count_;
  return true;
}

Status Cache::WaitFor(store::Revision revision, Duration timeout) {
  bool is_reached = false;
  OneShotEvent done;
  WhenReached(revision, timeout, [&](bool reached) {
    is_reached = reached;
    done.Set();
  });
  done.Wait();
  if (!is_reached) {
    return Fail(Reason::Timeout,
                fmt::format("timed out waiting for the cache to reach resource version {}",
                            store::Number(revision)));
  }
  return {};
}

void Cache::OnEnd(const Error& error) {
  PL_LOG(log_, Warning(), "The watch of the store has ended; reading the store again",
         {"reason", error.message});
  ReloadLater();
}

void Cache::ReloadLater() {
  clock_.At(clock_.Now() + kReloadPause, [lifeline = lifeline_] {
    const std::scoped_lock lock(lifeline->mutex);
    if (lifeline->cache != nullptr) lifeline->cache->Reload();
  });
}

void Cache::Reload() {
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
