#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "api/object.h"
#include "api/patch/strategic_merge.h"
#include "base/assert.h"
#include "base/time.h"
#include "codec/json.h"
#include "codec/patch/merge_patch.h"
#include "codec/value_at.h"
#include "codec/yaml.h"
#include "controller/controller.h"

namespace plimsoll::controller {

/// For tests: a fake API server for one core. Stores objects, executes the core's actions, delivers
/// watch events and keeps Events. Finalizers delay deletion; pods are deleted at once.
template <class Core>
class ServerForTest {
 public:
  explicit ServerForTest(Core& core, Instant start = {}) : core_(core), now_(start) {}

  /// Creates an object from YAML, or replaces the one of the same name and keeps its uid.
  void Put(std::string_view yaml) {
    auto documents = codec::ParseYaml(yaml);
    PL_ASSERT(documents.has_value() && documents->size() == 1);
    Store(std::move(documents->front()));
  }
  /// Applies a JSON merge patch to a stored object, as another client would.
  void Patch(std::string_view kind, std::string_view namespace_, std::string_view name,
             std::string_view patch) {
    const ObjectPtr object = Find(kind, namespace_, name);
    PL_ASSERT(object != nullptr);
    Store(Patched(*object, patch, PatchForm::Merge));
  }
  void Delete(std::string_view kind, std::string_view namespace_, std::string_view name) {
    const ObjectPtr object = Find(kind, namespace_, name);
    PL_ASSERT(object != nullptr);
    Remove(object);
  }

  /// Converts each object with `reads_as` before it is stored and delivered to the core.
  void ReadAs(std::function<ObjectPtr(const ObjectPtr&)> reads_as) {
    reads_as_ = std::move(reads_as);
  }

  /// Makes the next `count` writes fail.
  void FailNext(int count) { failures_ = count; }

  /// Withholds watch events of the kind until DeliverHeldEvents is called.
  void HoldEvents(std::string_view kind) { held_kind_ = kind; }
  void DeliverHeldEvents() {
    held_kind_.clear();
    for (const CoreInput& event : std::exchange(held_, {})) Observe(event);
  }

  void Sync() { Observe(Synced{}); }
  /// Executes the core's actions until none is left.
  void Settle() { SettleWrites(static_cast<std::size_t>(-1)); }
  /// Executes actions until `count` writes have been made.
  void SettleWrites(std::size_t count) {
    while (!pending_.empty() && writes_ < count) {
      const Action action = std::move(pending_.front());
      pending_.erase(pending_.begin());
      std::visit([&](const auto& it) { Perform(it); }, action);
    }
  }
  /// Copies all objects of another server and delivers them to the core.
  void TakeOver(const ServerForTest& other) {
    objects_ = other.objects_;
    version_ = other.version_;
    now_ = other.now_;
    for (const auto& [key, object] : objects_) Observe(ObjectChanged{nullptr, object});
  }
  /// Advances the clock to `now` and executes the core's actions at each wake.
  void RunUntil(Instant now) {
    Settle();
    while (core_.NextWake() && *core_.NextWake() <= now) {
      now_ = std::max(now_, *core_.NextWake());
      core_.Wake({now_, pending_});
      Settle();
    }
    now_ = now;
  }
  void RunFor(Duration time) { RunUntil(now_ + time); }

  /// Returns the object, or null if it does not exist.
  ObjectPtr Find(std::string_view kind, std::string_view namespace_, std::string_view name) const {
    const auto at = objects_.find(Key(kind, namespace_, name));
    return at == objects_.end() ? nullptr : at->second;
  }
  /// Returns the objects of a kind, sorted by namespace and name.
  std::vector<ObjectPtr> All(std::string_view kind) const {
    std::vector<ObjectPtr> found;
    for (const auto& [key, object] : objects_) {
      if (std::get<0>(key) == kind) found.push_back(object);
    }
    return found;
  }
  Instant now() const { return now_; }
  std::size_t writes() const { return writes_; }
  /// Returns and clears the events, as `Reason: message`, in order.
  std::vector<std::string> TakeEvents() { return std::exchange(events_, {}); }
  /// Returns and clears the evictions, as `pod: Reason: message`, in order.
  std::vector<std::string> TakeEvictions() { return std::exchange(evictions_, {}); }

 private:
  using ObjectKey = std::tuple<std::string, std::string, std::string>;
  using DocumentPtr = std::shared_ptr<codec::Document>;

  static ObjectKey Key(std::string_view kind, std::string_view namespace_, std::string_view name) {
    return {std::string(kind), std::string(namespace_), std::string(name)};
  }
  static ObjectKey KeyOfObject(const api::Object& object) {
    return Key(object.kind().kind, object.metadata().namespace_, object.metadata().name);
  }

  void Observe(const CoreInput& event) { core_.Observe(event, {now_, pending_}); }
  void Observe(const ObjectChanged& change) {
    const api::Object& object =
        *(change.new_object != nullptr ? change.new_object : change.old_object);
    if (object.kind().kind == held_kind_) {
      held_.push_back(change);
    } else {
      Observe(CoreInput(change));
    }
  }

  /// Removes the unread fields, so that a test fails if the controller does read one of them.
  void LeaveOutUnread(codec::Document& document) {
    if constexpr (requires { core_.component(); }) {
      for (const WatchedKind& watched : core_.watched()) {
        if (TextAt(document.root(), "kind") != watched.kind) continue;
        for (const std::string_view path : watched.unread) LeaveOut(document, path);
      }
    }
  }
  static void LeaveOut(codec::Document& document, std::string_view path) {
    codec::Value* place = &document.root();
    for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
      place = place->Find(path.substr(0, dot));
      if (place == nullptr || !place->is_object()) return;
      path.remove_prefix(dot + 1);
    }
    document.Remove(*place, path);
  }

  void Store(const DocumentPtr& document) {
    codec::Value* metadata = document->root().Find("metadata");
    const ObjectPtr known = Find(TextAt(document->root(), "kind"), TextAt(*metadata, "namespace"),
                                 TextAt(*metadata, "name"));
    document->Set(*metadata, "resourceVersion", document->NewString(std::to_string(++version_)));
    if (metadata->Find("uid") == nullptr) {
      const std::string uid =
          known == nullptr ? "uid-" + std::to_string(version_) : std::string(known->metadata().uid);
      document->Set(*metadata, "uid", document->NewString(uid));
    }
    if (metadata->Find("creationTimestamp") == nullptr) {
      document->Set(*metadata, "creationTimestamp", document->NewString(FormatTime(now_)));
    }
    LeaveOutUnread(*document);
    const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
    PL_ASSERT(decoded.has_value());
    const ObjectPtr object = reads_as_ ? reads_as_(decoded->object) : decoded->object;
    ObjectPtr& place = objects_[KeyOfObject(*object)];
    const ObjectPtr before = std::exchange(place, object);
    Observe(ObjectChanged{before, object});
    if (!object->metadata().deletion_timestamp.empty() && object->metadata().finalizers.empty()) {
      Erase(object);
    }
  }
  void Erase(const ObjectPtr& object) {
    objects_.erase(KeyOfObject(*object));
    Observe(ObjectChanged{object, nullptr});
  }
  void Remove(const ObjectPtr& object) {
    if (object->metadata().finalizers.empty()) return Erase(object);
    if (!object->metadata().deletion_timestamp.empty()) return;
    Store(Patched(*object, R"({"metadata":{"deletionTimestamp":")" + FormatTime(now_) + R"("}})",
                  PatchForm::Merge));
  }

  static DocumentPtr Patched(const api::Object& object, std::string_view text, PatchForm form) {
    const auto patch = codec::ParseJson(std::string(text));
    PL_ASSERT(patch.has_value());
    auto document = std::make_shared<codec::Document>();
    // The fake server tracks no field managers: it applies as a strategic merge.
    const auto patched = form == PatchForm::Merge
                             ? codec::ApplyMergePatch(*document, object.tree(), (*patch)->root())
                             : api::ApplyStrategicMerge(*document, object.tree(), (*patch)->root(),
                                                        *object.kind().type);
    PL_ASSERT(patched.has_value());
    document->root() = document->Clone(*patched);
    return document;
  }

  /// Returns the error of an action on the object, if it must fail.
  Status Refusal(const api::ObjectRef& object) {
    if (failures_ > 0) {
      --failures_;
      return Fail(Reason::InternalError, "refused");
    }
    const ObjectPtr current = Current(object);
    if (current == nullptr) return Fail(Reason::NotFound, "it is gone");
    if (current->metadata().uid != object.uid()) {
      return Fail(Reason::Conflict, "it is another one");
    }
    return {};
  }
  ObjectPtr Current(const api::ObjectRef& object) const {
    return Find(object.kind().kind, object.namespace_(), object.name());
  }
  static bool IsOld(const api::Object& current, std::string_view patch) {
    const auto tree = codec::ParseJson(std::string(patch));
    const codec::Value* const metadata = (*tree)->root().Find("metadata");
    if (metadata == nullptr) return false;
    const std::string_view version = TextAt(*metadata, "resourceVersion");
    return !version.empty() && version != current.metadata().resource_version;
  }

  /// Delivers the outcome before or after the watch event, alternately.
  template <class Change>
  void Do(ActionId id, const Change& change) {
    ++writes_;
    const bool tells_first = version_ % 2 == 0;
    if (tells_first) Observe(ActionFinished{id, {}});
    change();
    if (!tells_first) Observe(ActionFinished{id, {}});
  }

  void Perform(const CreateObject& action) {
    if (failures_ > 0) {
      --failures_;
      return Observe(ActionFinished{action.id, Fail(Reason::Forbidden, "refused")});
    }
    auto parsed = codec::ParseJson(action.body);
    PL_ASSERT(parsed.has_value());
    const DocumentPtr document = std::move(*parsed);
    codec::Value* const metadata = document->root().Find("metadata");
    PL_ASSERT(metadata != nullptr);
    if (metadata->Find("name") == nullptr) {
      const std::string prefix(TextAt(*metadata, "generateName"));
      const std::string name = prefix + std::to_string(version_ + 1);
      document->Set(*metadata, "name", document->NewString(name));
    }
    const std::string_view space = action.object.namespace_();
    if (!space.empty()) document->Set(*metadata, "namespace", document->NewString(space));
    if (Find(action.object.kind().kind, space, TextAt(*metadata, "name")) != nullptr) {
      return Observe(ActionFinished{action.id, Fail(Reason::AlreadyExists, "it is there")});
    }
    Do(action.id, [&] { Store(document); });
  }
  void Perform(const PatchObject& action) {
    Status refusal = Refusal(action.object);
    const ObjectPtr current = Current(action.object);
    if (refusal && IsOld(*current, action.body)) {
      refusal = Fail(Reason::Conflict, "it has changed");
    }
    if (!refusal) return Observe(ActionFinished{action.id, refusal});
    Do(action.id, [&] { Store(Patched(*current, action.body, action.form)); });
  }
  void Perform(const DeleteObject& action) {
    const Status refusal = Refusal(action.object);
    if (!refusal && refusal.error().reason == Reason::InternalError) {
      return Observe(ActionFinished{action.id, refusal});
    }
    Do(action.id, [&] {
      if (refusal) Remove(Current(action.object));
    });
  }
  void Perform(const UpdateObject& action) {
    Status refusal = Refusal(action.object);
    if (refusal && IsOld(*Current(action.object), action.body)) {
      refusal = Fail(Reason::Conflict, "it has changed");
    }
    if (!refusal) return Observe(ActionFinished{action.id, refusal});
    auto parsed = codec::ParseJson(action.body);
    PL_ASSERT(parsed.has_value());
    const DocumentPtr document = std::move(*parsed);
    Do(action.id, [&] { Store(document); });
  }
  void Perform(const DeleteCollection& action) {
    if (failures_ > 0) {
      --failures_;
      return Observe(ActionFinished{action.id, Fail(Reason::InternalError, "refused")});
    }
    Do(action.id, [&] {
      for (const ObjectPtr& object : All(action.objects.kind().kind)) {
        if (object->metadata().namespace_ == action.objects.namespace_()) Remove(object);
      }
    });
  }
  void Perform(const GetObject& action) {
    const ObjectPtr found = Current(action.object);
    Status answer;
    if (found == nullptr || found->metadata().uid != action.object.uid()) {
      answer = Fail(Reason::NotFound, "it is gone");
    } else if (!action.resource_version.empty() &&
               action.resource_version != found->metadata().resource_version) {
      answer = Fail(Reason::Conflict, "it has changed");
    }
    Observe(ActionFinished{action.id, answer, found});
  }
  void Perform(const EvictPod& action) {
    const bool is_done = failures_ == 0;
    Perform(DeleteObject{.id = action.id, .object = action.pod});
    if (!is_done) return;
    evictions_.push_back(std::string(action.pod.name()) + ": " + std::string(action.reason) + ": " +
                         action.message);
  }
  void Perform(const RecordEvent& event) { events_.push_back(event.reason + ": " + event.message); }
  void Perform(const auto& /*action*/) { PL_ASSERT(false); }  // controllers request no other

  Core& core_;
  std::function<ObjectPtr(const ObjectPtr&)> reads_as_;
  Instant now_;
  std::map<ObjectKey, ObjectPtr> objects_;
  Actions pending_;
  std::string held_kind_;
  std::vector<CoreInput> held_;
  std::vector<std::string> events_;
  std::vector<std::string> evictions_;
  int version_ = 0;
  int failures_ = 0;
  std::size_t writes_ = 0;
};

}  // namespace plimsoll::controller
