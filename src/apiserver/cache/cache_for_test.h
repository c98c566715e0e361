#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "apiserver/cache/cache.h"
#include "base/assert.h"
#include "base/log.h"
#include "store/memory_store.h"

namespace plimsoll::apiserver {

/// Virtual clock that other threads, such as the store's, may read. Tasks run without the lock, on
/// the thread that calls Advance.
class SharedVirtualClock final : public Clock {
 public:
  explicit SharedVirtualClock(Instant start) : now_(start) {}

  Instant Now() const override {
    const std::scoped_lock lock(mutex_);
    return now_;
  }
  void At(Instant when, Task task) override {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(when, std::move(task));
  }
  void Advance(Duration by) {
    const Instant until = Now() + by;
    while (Task task = NextDue(until)) task();
  }

 private:
  Task NextDue(Instant until) {
    const std::scoped_lock lock(mutex_);
    if (waiting_.empty() || waiting_.begin()->first > until) {
      now_ = until;
      return {};
    }
    auto next = waiting_.extract(waiting_.begin());
    now_ = std::max(now_, next.key());
    return std::move(next.mapped());
  }

  mutable std::mutex mutex_;
  Instant now_;
  std::multimap<Instant, Task> waiting_;
};

/// 2026-03-01T12:00:00Z
inline constexpr Instant kTestStart{std::chrono::seconds(1'772'366'400)};

/// Store whose watches can be ended, whose lists can fail, whose QuickHistory can be set, and whose
/// commits can be preceded by others.
class FailingStore final : public store::Store {
 public:
  explicit FailingStore(store::Store& inner) : inner_(inner) {}

  void Commit(store::Write write, store::CommitDone done) override {
    if (before_commit) before_commit(write);
    inner_.Commit(std::move(write), std::move(done));
  }
  Result<std::optional<store::Record>> Get(std::string_view key) override {
    return inner_.Get(key);
  }
  Result<store::Range> List(const store::RangeRequest& request) override {
    if (is_failing) return Fail(Reason::ServiceUnavailable, "the store is away");
    return inner_.List(request);
  }
  Result<std::unique_ptr<store::Watch>> WatchFrom(std::string prefix, store::Revision after,
                                                  store::ChangeSink& to) override {
    sink = &to;
    watched_after = after;
    return inner_.WatchFrom(std::move(prefix), after, to);
  }
  Status Compact(store::Revision revision) override { return inner_.Compact(revision); }
  Status BumpRevision(store::Revision revision) override { return inner_.BumpRevision(revision); }
  store::Revision latest() const override { return inner_.latest(); }
  store::Revision compacted() const override { return inner_.compacted(); }
  std::int64_t QuickHistory() const override { return quick_history; }
  Status Health() const override { return inner_.Health(); }

  std::function<void(const store::Write& write)> before_commit;
  bool is_failing = false;
  std::int64_t quick_history = 50'000;
  store::Revision watched_after{};
  store::ChangeSink* sink = nullptr;

 private:
  store::Store& inner_;
};

/// In-memory store with a cache.
class CacheFixture {
 public:
  CacheFixture() { Restart(); }

  /// Starts another cache on the same store, as after a restart of the server.
  void Restart() {
    cache_.reset();
    metrics_ = std::make_unique<MetricsRegistry>();
    auto started = Cache::Start(failing_, table_, clock_, log_, *metrics_);
    PL_ASSERT(started.has_value());
    cache_ = *std::move(started);
  }

  const Resource& Of(std::string_view plural, std::string_view group = "") const {
    const Resource* resource = table_.Find(group, "v1", plural);
    PL_ASSERT(resource != nullptr);
    return *resource;
  }

  /// Creates or overwrites the object. `meta` follows the name; `rest` follows the metadata:
  /// `,"spec":{}`.
  store::Revision Put(const Resource& resource, std::string_view namespace_, std::string_view name,
                      std::string_view rest = "", std::string_view meta = "") {
    const api::KindDesc& kind = *resource.kind;
    std::string text = "{\"kind\":\"" + std::string(kind.kind) + "\",\"apiVersion\":\"";
    if (!kind.group.empty()) text += std::string(kind.group) + "/";
    text += std::string(kind.version) + "\",\"metadata\":{\"name\":\"" + std::string(name) + "\"";
    if (kind.is_namespaced) text += ",\"namespace\":\"" + std::string(namespace_) + "\"";
    text += std::string(meta) + "}" + std::string(rest) + "}";
    return Commit(resource.KeyOf(namespace_, name), MakeBytes(std::move(text)));
  }
  store::Revision PutPod(std::string_view namespace_, std::string_view name,
                         std::string_view node = "", std::string_view labels = "") {
    return Put(Of("pods"), namespace_, name,
               ",\"spec\":{\"nodeName\":\"" + std::string(node) + "\"}",
               labels.empty() ? "" : ",\"labels\":{" + std::string(labels) + "}");
  }
  store::Revision Delete(const Resource& resource, std::string_view namespace_,
                         std::string_view name) {
    return Commit(resource.KeyOf(namespace_, name), nullptr);
  }
  store::Revision Commit(std::string key, Bytes value) {
    const auto record = store_.Get(key);
    PL_ASSERT(record.has_value());
    const store::Revision expected = *record ? (*record)->revision : store::kNoRevision;
    const auto revision = store_.CommitAndWait({std::move(key), std::move(value), expected});
    PL_ASSERT(revision.has_value());
    return revision.value_or(store::kNoRevision);
  }

  /// Ends the cache's watch of the store. The cache reads the store again and resets its watchers.
  void LoseStore() {
    failing_.sink->OnEnd({Reason::ServiceUnavailable, {}, "gone"});
    clock_.Advance(std::chrono::seconds(1));
  }

  SharedVirtualClock& clock() { return clock_; }
  store::Store& store() { return failing_; }
  FailingStore& failing_store() { return failing_; }
  Cache& cache() { return *cache_; }
  const ResourceTable& table() const { return table_; }
  MetricsRegistry& metrics() { return *metrics_; }
  Logger& log() { return log_; }

 private:
  SharedVirtualClock clock_{kTestStart};
  MemorySink sink_;
  Logger log_{clock_, sink_};
  ResourceTable table_;
  std::unique_ptr<MetricsRegistry> metrics_;
  store::MemoryStore store_{clock_};
  FailingStore failing_{store_};
  std::unique_ptr<Cache> cache_;
};

inline Selection Select(std::string_view namespace_, std::string_view fields = "",
                        std::string_view labels = "") {
  Selection selection;
  selection.namespace_ = namespace_;
  const auto parsed_fields = api::FieldSelector::Parse(fields);
  const auto parsed_labels = api::Selector::Parse(labels);
  PL_ASSERT(parsed_fields.has_value() && parsed_labels.has_value());
  selection.fields = *parsed_fields;
  selection.labels = *parsed_labels;
  return selection;
}

/// Returns `default/web default/web2`.
inline std::string Names(const std::vector<ObjectPtr>& objects) {
  std::string out;
  for (const ObjectPtr& object : objects) {
    if (!out.empty()) out += ' ';
    out += std::string(object->namespace_()) + "/" + std::string(object->name());
  }
  return out;
}

}  // namespace plimsoll::apiserver
