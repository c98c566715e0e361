#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/node_agent.h"
#include "agent/runtime.h"
#include "agent/simulated/simulated_runtime.h"
#include "api/disabled_fields.h"
#include "api/feature_gates.h"
#include "api/object.h"
#include "api/patch/strategic_merge.h"
#include "base/assert.h"
#include "base/metrics.h"
#include "codec/json.h"
#include "codec/patch/merge_patch.h"
#include "codec/yaml.h"

namespace plimsoll::agent {

/// For tests: a fake API server for a NodeAgent, under virtual time. It stores nodes, pods, leases,
/// slices and claims, performs the agent's actions, sends it the changes, and records events.
class ClusterForTest {
 public:
  explicit ClusterForTest(Instant start = Instant(std::chrono::hours(24 * 365 * 50)))
      : now_(start) {}

  static NodeAgentOptions Options(std::size_t nodes = 1) {
    NodeAgentOptions options{.node_addresses = *AddressPool::Parse("172.16.0.0/24"),
                             .pod_addresses = *AddressPool::Parse("10.64.0.0/16")};
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::string name = "node-" + std::to_string(i);
      options.nodes.push_back(
          {.name = name,
           .metadata = R"({"name":")" + name + R"(","labels":{"kubernetes.io/os":"linux"}})",
           .spec = "{}",
           .status = R"({"capacity":{"cpu":"4","memory":"8Gi","pods":"10"},)"
                     R"("allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}})",
           .address = {}});
    }
    return options;
  }

  /// Replaces the agent by a new one and sends it all objects.
  void Start(NodeAgentOptions options) {
    agent_.reset();
    pending_.clear();
    metrics_ = std::make_unique<MetricsRegistry>();
    agent_ = std::make_unique<NodeAgent>(std::move(options), std::make_shared<SimulatedRuntime>(),
                                         *metrics_);
    for (const auto& [key, object] : objects_) SendChange(nullptr, object);
    agent_->Observe(Synced{}, {now_, pending_});
    Settle();
  }

  /// Creates the object of a YAML text, or replaces the object of that name.
  void Put(std::string_view yaml) {
    auto documents = codec::ParseYaml(yaml);
    PL_ASSERT(documents.has_value() && documents->size() == 1);
    Store(std::move(documents->front()));
    Settle();
  }
  void Patch(const std::string& key, std::string_view patch) {
    Store(Patched(*Find(key), patch, true));
    Settle();
  }
  /// Deletes the pod as a client does: it stays until its agent removes it.
  void Delete(const std::string& key, int grace_seconds) {
    Patch(key, R"({"metadata":{"deletionTimestamp":")" +
                   FormatTime(now_ + std::chrono::seconds(grace_seconds)) +
                   R"(","deletionGracePeriodSeconds":)" + std::to_string(grace_seconds) + "}}");
  }
  void Remove(const std::string& key) {
    const ObjectPtr object = Find(key);
    objects_.erase(key);
    SendChange(object, nullptr);
    Settle();
  }
  /// Patches the object without a watch event for the agent.
  void PatchWithoutEvent(const std::string& key, std::string_view patch) {
    sends_no_events_ = true;
    Store(Patched(*Find(key), patch, true));
    sends_no_events_ = false;
  }

  /// Sets feature gates of the server: `Name=false`.
  void SetGates(std::string_view gates) { PL_ASSERT(gates_.Apply(gates).has_value()); }

  /// Makes the next `count` writes fail.
  void FailNext(int count) { failures_ = count; }
  /// Makes every apply of this object fail: `ResourceSlice/s`.
  void FailAllAppliesOf(std::string key) { failing_applies_.insert(std::move(key)); }
  void RunUntil(Instant end) {
    Settle();
    while (agent_->NextWake() && *agent_->NextWake() <= end) {
      now_ = std::max(now_, *agent_->NextWake());
      agent_->Wake({now_, pending_});
      Settle();
    }
    now_ = end;
  }
  void RunFor(Duration time) { RunUntil(now_ + time); }

  /// Finds an object by a key such as `Pod/web` or `Lease/node-0`. Returns null if there is none.
  ObjectPtr Find(const std::string& key) const {
    const auto at = objects_.find(key);
    return at == objects_.end() ? nullptr : at->second;
  }
  /// Returns the value at a path of names and list indexes, such as `status.phase`, as text.
  std::string At(const std::string& key, std::string_view path) const {
    const ObjectPtr object = Find(key);
    if (object == nullptr) return "(gone)";
    const codec::Value* value = &object->tree();
    while (value != nullptr && !path.empty()) {
      const std::string_view name = path.substr(0, path.find('.'));
      path.remove_prefix(std::min(path.size(), name.size() + 1));
      if (value->is_array()) {
        const auto index = static_cast<std::size_t>(std::stoi(std::string(name)));
        value = index < value->items().size() ? &value->items()[index] : nullptr;
      } else {
        value = value->Find(name);
      }
    }
    if (value == nullptr) return "";
    return value->is_string() ? std::string(value->text()) : codec::WriteJson(*value);
  }
  /// Returns the status of a condition (`True`, `False`), or another field of it; "" if missing.
  std::string Condition(const std::string& key, std::string_view type,
                        std::string_view field = "status") const {
    const ObjectPtr object = Find(key);
    const codec::Value* const status = object->tree().Find("status");
    const codec::Value* const list = status == nullptr ? nullptr : status->Find("conditions");
    if (list == nullptr) return "";
    for (const codec::Value& one : list->items()) {
      if (one.Find("type")->text() != type) continue;
      const codec::Value* const found = one.Find(field);
      return found != nullptr && found->is_string() ? std::string(found->text()) : "";
    }
    return "";
  }

  Instant now() const { return now_; }
  /// Returns and clears the list of attempted writes: `patch Pod/web`, `renew node-0`, `delete
  /// Pod/web`.
  std::vector<std::string> TakeWrites() { return std::exchange(writes_, {}); }
  /// Returns and clears the recorded events, in order: `Pod/web Reason: message`.
  std::vector<std::string> TakeEvents() { return std::exchange(events_, {}); }
  NodeAgent& agent() { return *agent_; }
  std::string MetricsText() const { return metrics_->Text(); }

 private:
  void SendChange(const ObjectPtr& before, const ObjectPtr& after) {
    if (agent_ == nullptr || sends_no_events_) return;
    agent_->Observe(ObjectChanged{before, after}, {now_, pending_});
  }
  void Finish(ActionId id, Status status, ObjectPtr object = {}) {
    agent_->Observe(ActionFinished{id, std::move(status), std::move(object)}, {now_, pending_});
  }

  static std::shared_ptr<codec::Document> Patched(const api::Object& object, std::string_view text,
                                                  bool is_merge) {
    const auto patch = codec::ParseJson(std::string(text));
    PL_ASSERT(patch.has_value());
    auto document = std::make_shared<codec::Document>();
    const auto patched = is_merge
                             ? codec::ApplyMergePatch(*document, object.tree(), (*patch)->root())
                             : api::ApplyStrategicMerge(*document, object.tree(), (*patch)->root(),
                                                        *object.kind().type);
    PL_ASSERT(patched.has_value());
    document->root() = document->Clone(*patched);
    return document;
  }

  void Store(const std::shared_ptr<codec::Document>& document) {
    codec::Value* const metadata = document->root().Find("metadata");
    const std::string version = std::to_string(++version_);
    document->Set(*metadata, "resourceVersion", document->NewString(version));
    const std::string key = std::string(document->root().Find("kind")->text()) + "/" +
                            std::string(metadata->Find("name")->text());
    const ObjectPtr known = Find(key);
    if (metadata->Find("uid") == nullptr) {
      const std::string uid =
          known == nullptr ? "uid-" + version : std::string(known->metadata().uid);
      document->Set(*metadata, "uid", document->NewString(uid));
    }
    const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
    PL_ASSERT(decoded.has_value());
    objects_[key] = decoded->object;
    SendChange(known, decoded->object);
  }

  void Settle() {
    while (!pending_.empty()) {
      for (const api::Action& action : std::exchange(pending_, {})) {
        std::visit([&](const auto& one) { Perform(one); }, action);
      }
    }
  }
  bool FailsNow(ActionId id) {
    if (failures_ == 0) return false;
    --failures_;
    Finish(id, Fail(Reason::InternalError, "refused"));
    return true;
  }

  static std::string KeyOf(const api::ObjectRef& object) {
    return std::string(object.kind().kind) + "/" + std::string(object.name());
  }

  void Perform(const CreateObject& create) {
    const std::string key = KeyOf(create.object);
    writes_.push_back("create " + key);
    if (FailsNow(create.id)) return;
    if (objects_.contains(key)) {
      return Finish(create.id, Fail(Reason::AlreadyExists, "it is there"));
    }
    auto document = codec::ParseJson(create.body);
    PL_ASSERT(document.has_value());
    Finish(create.id, {});
    Store(std::move(*document));
  }
  void Perform(const PatchObject& patch) {
    if (patch.form == PatchForm::Apply) return Apply(patch);
    const std::string key = KeyOf(patch.object);
    const bool is_lease = patch.object.kind().kind == "Lease";
    writes_.push_back(is_lease ? "renew " + std::string(patch.object.name()) : "patch " + key);
    if (FailsNow(patch.id)) return;
    const ObjectPtr current = Find(key);
    if (current == nullptr) return Finish(patch.id, Fail(Reason::NotFound, "it is gone"));
    Store(Patched(*current, patch.body, patch.form == PatchForm::Merge));
    Finish(patch.id, {});
  }
  void Apply(const PatchObject& apply) {
    const std::string key = KeyOf(apply.object);
    writes_.push_back("apply " + key);
    if (failing_applies_.contains(key))
      return Finish(apply.id, Fail(Reason::InternalError, "refused"));
    if (FailsNow(apply.id)) return;
    const ObjectPtr current = Find(key);
    std::shared_ptr<codec::Document> document;
    if (current == nullptr) {
      auto parsed = codec::ParseJson(apply.body);
      PL_ASSERT(parsed.has_value());
      document = std::move(*parsed);
    } else {
      document = Patched(*current, apply.body, true);
    }
    api::DropDisabledFields(*document, document->root(), apply.object.kind(), gates_,
                            current == nullptr ? nullptr : &current->tree());
    Store(document);
    Finish(apply.id, {});
  }
  void Perform(const DeleteObject& remove) {
    const std::string key = KeyOf(remove.object);
    writes_.push_back("delete " + key);
    if (FailsNow(remove.id)) return;
    const ObjectPtr current = Find(key);
    Finish(remove.id, {});
    if (current == nullptr || !current->metadata().finalizers.empty()) return;
    objects_.erase(key);
    SendChange(current, nullptr);
  }
  void Perform(const GetObject& get) {
    const ObjectPtr found = Find(KeyOf(get.object));
    if (found != nullptr) return Finish(get.id, {}, found);
    Finish(get.id, Fail(Reason::NotFound, std::string(get.object.name()) + " not found"));
  }
  void Perform(const RecordEvent& event) {
    events_.push_back(KeyOf(event.regarding) + " " + event.reason + ": " + event.message);
  }
  void Perform(const auto& /*action*/) { PL_ASSERT(false); }  // an agent requests no other

  Instant now_;
  std::map<std::string, ObjectPtr> objects_;
  std::unique_ptr<MetricsRegistry> metrics_;
  std::unique_ptr<NodeAgent> agent_;
  Actions pending_;
  std::vector<std::string> writes_;
  std::vector<std::string> events_;
  int version_ = 0;
  int failures_ = 0;
  std::set<std::string> failing_applies_;
  api::FeatureGates gates_;
  bool sends_no_events_ = false;
};

}  // namespace plimsoll::agent
