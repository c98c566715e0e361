#include "cli/explain/cluster_snapshot.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll::cli {
namespace {

std::vector<std::string> NamesOf(const scheduler::SchedulerOptions& options) {
  std::vector<std::string> names;
  for (const scheduler::ProfileOptions& profile : options.profiles) names.push_back(profile.name);
  return names;
}

std::pair<std::string, std::string> KeyOf(const api::Object& object) {
  return {std::string(object.metadata().namespace_), std::string(object.metadata().name)};
}

}  // namespace

Result<ObjectPtr> AsPendingPod(const api::Object& pod, const std::string& profile) {
  const auto document = std::make_shared<codec::Document>();
  document->root() = document->Clone(pod.tree());
  codec::Value& root = document->root();
  if (codec::Value* const spec = root.Find("spec")) {
    document->Remove(*spec, "nodeName");
    document->Set(*spec, "schedulerName", document->NewString(profile));
  }
  if (codec::Value* const status = root.Find("status")) document->Remove(*status, "phase");
  auto decoded = api::DecodeObject(
      document, {.tree = &root, .path = {}, .implied_kind = &pod.kind()},
      {.field_validation = api::FieldValidation::Ignore, .apply_defaults = false});
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return std::move(decoded->object);
}

ClusterSnapshot::ClusterSnapshot(scheduler::SchedulerOptions options,
                                 const std::vector<ObjectPtr>& objects, Instant now)
    : now_(now), profiles_(NamesOf(options)), scheduler_(std::move(options), metrics_) {
  PL_ASSERT(!profiles_.empty());
  framework_ = scheduler_.FindProfile(profiles_.front());
  for (const ObjectPtr& object : objects) {
    ObjectPtr before;
    if (object->As<api::Node>() != nullptr) {
      before = std::exchange(nodes_[std::string(object->metadata().name)], object);
    } else if (object->As<api::Pod>() != nullptr) {
      before = std::exchange(pods_[KeyOf(*object)], object);
    }
    Observe(before, object);
  }
}

void ClusterSnapshot::Observe(const ObjectPtr& before, const ObjectPtr& after) {
  scheduler::Actions ignored_actions;
  scheduler_.Observe(scheduler::ObjectChanged{before, after}, {now_, ignored_actions});
}

Status ClusterSnapshot::AddPendingPod(const api::Object& pod) {
  const api::Pod& view = *pod.As<api::Pod>();
  const std::string& profile = ProfileOf(view);
  pending_pod_ = PL_TRY(AsPendingPod(pod, profile));
  framework_ = scheduler_.FindProfile(profile);
  replaced_pod_ = nullptr;
  if (const auto known = pods_.find(KeyOf(pod)); known != pods_.end()) {
    replaced_pod_ = known->second;
    Observe(known->second, nullptr);
    pods_.erase(known);
  }
  Observe(nullptr, pending_pod_);
  return {};
}

void ClusterSnapshot::RestorePod() {
  PL_ASSERT(pending_pod_ != nullptr);
  Observe(pending_pod_, nullptr);
  pending_pod_ = nullptr;
  if (replaced_pod_ == nullptr) return;
  Observe(nullptr, replaced_pod_);
  pods_[KeyOf(*replaced_pod_)] = replaced_pod_;
  replaced_pod_ = nullptr;
}

scheduler::PodUnderTest ClusterSnapshot::pod() const {
  PL_ASSERT(pending_pod_ != nullptr);
  const scheduler::PodId id = framework_->cluster().FindPod(pending_pod_->metadata());
  PL_ASSERT(id != scheduler::kNoPod);
  const scheduler::PodRecord& record = cluster().pod(id);
  return {id, *record.pod, *record.pod_class};
}

ObjectPtr ClusterSnapshot::FindNode(std::string_view name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

std::vector<std::string> ClusterSnapshot::NodeNames() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : nodes_) names.push_back(name);
  return names;
}

const std::string& ClusterSnapshot::ProfileOf(const api::Pod& pod) const {
  const auto found = std::ranges::find(profiles_, pod.spec.scheduler_name);
  return found == profiles_.end() ? profiles_.front() : *found;
}

}  // namespace plimsoll::cli
