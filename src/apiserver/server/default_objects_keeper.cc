#include "apiserver/server/default_objects_keeper.h"

#include <mutex>
#include <string>
#include <utility>

#include "apiserver/bootstrap/flow_control.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kInterval = std::chrono::seconds(10);

}  // namespace

/// Outlives the owner while a timer or a worker still holds it.
struct DefaultObjectsKeeper::Shared {
  std::unique_ptr<BootstrapWriter> writer;
  BootstrapOptions options;
  Cache& cache;
  const Resource& schemas;
  const Resource& levels;
  FairnessFeed& feed;
  Clock& clock;
  Logger& log;
  WorkerPool& workers;
  std::mutex mutex;  // held while it works; the owner's end waits for it
  bool is_over = false;

  void Sweep() {
    feed.Refresh();
    options.now = clock.Now();
    Note(EnsureSystemObjects(*writer, options));
    Note(EnsureFlowControl(*writer));
    for (const ObjectPtr& schema : cache.List(schemas, {}).objects) Note(MarkDangling(*schema));
  }

  Status MarkDangling(const StoredObject& schema) {
    const auto decoded = schema.Decode();
    if (decoded == nullptr) return {};
    const std::string level = ReadFlowConfig(decoded->tree()).level;
    const bool is_dangling = cache.Get(levels, "", level) == nullptr;
    auto json = WithDanglingCondition(*schema.bytes(), is_dangling, clock.Now());
    if (!json) return {};
    const Status done = writer->UpdateStatus({.group = kFlowControlGroup,
                                              .resource = schemas.name(),
                                              .namespace_ = {},
                                              .name = std::string(schema.name()),
                                              .json = *std::move(json)});
    // Somebody has changed the schema meanwhile; the next sweep sees it.
    const bool is_race = !done && (done.error().reason == Reason::Conflict ||
                                   done.error().reason == Reason::NotFound);
    return is_race ? Status() : done;
  }

  void Note(const Status& done) {
    if (done) return;
    PL_LOG(log, Warning(), "Could not maintain the default objects; will try again",
           {"error", done.error().message});
  }
};

DefaultObjectsKeeper::DefaultObjectsKeeper(std::unique_ptr<BootstrapWriter> writer,
                                           BootstrapOptions options, Cache& cache,
                                           const ResourceTable& resources, FairnessFeed& feed,
                                           Clock& clock, Logger& log, WorkerPool& workers) {
  const Resource* schemas = resources.Find(kFlowControlGroup, "v1", "flowschemas");
  const Resource* levels = resources.Find(kFlowControlGroup, "v1", "prioritylevelconfigurations");
  PL_ASSERT(schemas != nullptr && levels != nullptr);
  shared_.reset(new Shared{std::move(writer),
                           std::move(options),
                           cache,
                           *schemas,
                           *levels,
                           feed,
                           clock,
                           log,
                           workers,
                           {},
                           false});
  Schedule(shared_, Duration::zero());
}

DefaultObjectsKeeper::~DefaultObjectsKeeper() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->is_over = true;
}

void DefaultObjectsKeeper::Sweep() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->Sweep();
}

void DefaultObjectsKeeper::Schedule(const std::shared_ptr<Shared>& shared, Duration delay) {
  shared->clock.At(shared->clock.Now() + delay, [shared] {
    const std::scoped_lock lock(shared->mutex);
    if (shared->is_over) return;
    shared->workers.Run([shared] {
      const std::scoped_lock work(shared->mutex);
      if (shared->is_over) return;
      shared->Sweep();
      Schedule(shared, kInterval);
    });
  });
}

}  // namespace plimsoll::apiserver
