#include "apiserver/server/default_objects_keeper.h"

#include <string>
#include <string_view>
#include <utility>

#include "apiserver/bootstrap/flow_control.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kInterval = std::chrono::seconds(10);

const Resource& FlowControlResource(const ResourceTable& resources, std::string_view name) {
  const Resource* const found = resources.Find(kFlowControlGroup, "v1", name);
  PL_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

DefaultObjectsKeeper::DefaultObjectsKeeper(std::unique_ptr<BootstrapWriter> writer,
                                           BootstrapOptions options, Cache& cache,
                                           const ResourceTable& resources, FairnessFeed& feed,
                                           Clock& clock, Logger& log, WorkerPool& workers)
    : writer_(std::move(writer)),
      options_(std::move(options)),
      cache_(cache),
      schemas_(FlowControlResource(resources, "flowschemas")),
      levels_(FlowControlResource(resources, "prioritylevelconfigurations")),
      feed_(feed),
      clock_(clock),
      log_(log),
      timer_(clock, {.interval = kInterval, .first_delay = Duration::zero(), .workers = &workers},
             [this](Instant) { Sweep(); }) {}

void DefaultObjectsKeeper::Sweep() {
  const std::lock_guard lock(mutex_);
  feed_.Refresh();
  options_.now = clock_.Now();
  LogError(EnsureSystemObjects(*writer_, options_));
  LogError(EnsureFlowControl(*writer_));
  for (const ObjectPtr& schema : cache_.List(schemas_, {}).objects) LogError(MarkDangling(*schema));
}

Status DefaultObjectsKeeper::MarkDangling(const StoredObject& schema) {
  const auto decoded = schema.Decode();
  if (!decoded) return {};
  const std::string level = ReadFlowConfig((*decoded)->tree()).level;
  const bool is_dangling = cache_.Get(levels_, "", level) == nullptr;
  auto json = WithDanglingCondition(*schema.bytes(), is_dangling, clock_.Now());
  if (!json) return {};
  const Status done = writer_->UpdateStatus({.group = kFlowControlGroup,
                                             .resource = schemas_.name(),
                                             .namespace_ = {},
                                             .name = std::string(schema.name()),
                                             .json = *std::move(json)});
  // Somebody has changed the schema meanwhile; the next sweep sees it.
  const bool is_race =
      !done && (done.error().reason == Reason::Conflict || done.error().reason == Reason::NotFound);
  return is_race ? Status() : done;
}

void DefaultObjectsKeeper::LogError(const Status& done) {
  if (done) return;
  PL_LOG(log_, Warning(), "Could not maintain the default objects; will try again",
         {"error", done.error().message});
}

}  // namespace plimsoll::apiserver
