#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "api/object.h"
#include "base/assert.h"
#include "codec/json.h"
#include "codec/patch/merge_patch.h"
#include "codec/yaml.h"
#include "controller/action.h"

namespace plimsoll::controller {

/// For tests: the server as a core sees it. Keeps objects, applies what the core asks for, tells it
/// of the changes, and remembers the events.
template <class Core>
class ServerForTest {
 public:
  explicit ServerForTest(Core& core) : core_(core) {}

  /// Creates the object of a YAML text, or replaces the one of that name.
  void Put(std::string_view yaml) {
    auto documents = codec::ParseYaml(yaml);
    PL_ASSERT(documents.has_value() && documents->size() == 1);
    Store(std::move(documents->front()));
  }
  void Delete(std::string_view kind, std::string_view namespace_, std::string_view name) {
    const auto at = objects_.find(Key(kind, namespace_, name));
    const ObjectPtr gone = at->second;
    objects_.erase(at);
    Observe(ObjectChanged{gone, nullptr});
  }

  /// From now on the next `count` writes fail.
  void FailNext(int count) { failures_ = count; }

  void Sync() { Observe(Synced{}); }
  /// Carries out what the core asks for, until that is nothing.
  void Settle() {
    while (!pending_.empty()) {
      const Action action = pending_.front();
      pending_.erase(pending_.begin());
      std::visit([&](const auto& it) { Perform(it); }, action);
    }
  }
  /// Carries out so many writes and then nothing more.
  void SettleWrites(std::size_t count) {
    while (!pending_.empty() && writes_ < count) {
      const Action action = pending_.front();
      pending_.erase(pending_.begin());
      std::visit([&](const auto& it) { Perform(it); }, action);
    }
  }
  /// Tells the core of all objects that another server has.
  void TakeOver(const ServerForTest& other) {
    objects_ = other.objects_;
    version_ = other.version_;
    for (const auto& [key, object] : objects_) Observe(ObjectChanged{nullptr, object});
  }
  /// Lets the time pass up to `now`, and settles at each wake.
  void RunUntil(Instant now) {
    Settle();
    while (core_.NextWake() && *core_.NextWake() <= now) {
      now_ = *core_.NextWake();
      core_.Wake(now_, pending_);
      Settle();
    }
    now_ = now;
  }

  /// Null when there is none.
  ObjectPtr Find(std::string_view kind, std::string_view namespace_, std::string_view name) const {
    const auto at = objects_.find(Key(kind, namespace_, name));
    return at == objects_.end() ? nullptr : at->second;
  }
  std::size_t writes() const { return writes_; }
  /// `Reason: message` of each event, in order; they are taken away.
  std::vector<std::string> TakeEvents() { return std::exchange(events_, {}); }

 private:
  using ObjectKey = std::tuple<std::string, std::string, std::string>;

  static ObjectKey Key(std::string_view kind, std::string_view namespace_, std::string_view name) {
    return {std::string(kind), std::string(namespace_), std::string(name)};
  }
  static ObjectKey KeyOfObject(const api::Object& object) {
    return Key(object.kind().kind, object.metadata().namespace_, object.metadata().name);
  }

  void Observe(const InputEvent& event) { core_.Observe(event, now_, pending_); }

  void Store(std::shared_ptr<codec::Document> document) {
    codec::Value* metadata = document->root().Find("metadata");
    document->Set(*metadata, "resourceVersion", document->NewString(std::to_string(++version_)));
    if (metadata->Find("uid") == nullptr) {
      document->Set(*metadata, "uid", document->NewString("uid-" + std::to_string(version_)));
    }
    const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
    PL_ASSERT(decoded.has_value());
    ObjectPtr& place = objects_[KeyOfObject(*decoded->object)];
    const ObjectPtr before = std::exchange(place, decoded->object);
    Observe(ObjectChanged{before, decoded->object});
  }

  bool IsRefused(const ObjectPtr& object) {
    if (failures_ > 0) {
      --failures_;
      return true;
    }
    const auto at = objects_.find(KeyOfObject(*object));
    return at == objects_.end() ||
           at->second->metadata().resource_version != object->metadata().resource_version;
  }

  void Perform(const PatchObject& action) {
    if (IsRefused(action.object)) {
      Observe(ActionFinished{action.id, Fail(Reason::Conflict, "refused")});
      return;
    }
    ++writes_;
    const auto patch = codec::ParseJson(action.patch);
    PL_ASSERT(patch.has_value());
    auto document = std::make_shared<codec::Document>();
    const auto merged = codec::ApplyMergePatch(*document, action.object->tree(), (*patch)->root());
    PL_ASSERT(merged.has_value());
    document->root() = document->Clone(*merged);
    // The outcome and the news may come in either order.
    if (version_ % 2 == 0) {
      Observe(ActionFinished{action.id, {}});
      Store(document);
    } else {
      Store(document);
      Observe(ActionFinished{action.id, {}});
    }
  }
  void Perform(const DeleteObject& action) {
    if (IsRefused(action.object)) {
      Observe(ActionFinished{action.id, Fail(Reason::Conflict, "refused")});
      return;
    }
    ++writes_;
    const api::ObjectMeta& metadata = action.object->metadata();
    Delete(action.object->kind().kind, metadata.namespace_, metadata.name);
    Observe(ActionFinished{action.id, {}});
  }
  void Perform(const RecordEvent& event) {
    events_.push_back(std::string(event.reason) + ": " + event.message);
  }

  Core& core_;
  Instant now_{};
  std::map<ObjectKey, ObjectPtr> objects_;
  Actions pending_;
  std::vector<std::string> events_;
  int version_ = 0;
  int failures_ = 0;
  std::size_t writes_ = 0;
};

}  // namespace plimsoll::controller
