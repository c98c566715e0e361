#include "eviction_story.h"

#include <algorithm>
#include <utility>

#include "codec/json.h"

namespace plimsoll::golden {
namespace {

std::string NameOf(const api::Object& object) {
  return std::string(object.metadata().namespace_) + "/" + std::string(object.metadata().name);
}

std::string KeyFrom(std::string_view kind, const codec::Value& names) {
  return std::string(kind) + " " + std::string(TextAt(names, "namespace")) + "/" +
         std::string(TextAt(names, "name"));
}

}  // namespace

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n    " + line;
  return text;
}

Mismatch EvictionStory::Play(const Case& one) {
  Tell(controller::Synced{});
  const codec::Value* const steps = one.input.Find("steps");
  if (steps == nullptr) return "a case needs steps";
  for (const codec::Value& step : steps->items()) {
    if (auto fault = Do(step)) return fault;
  }
  RunUntil(IntAt(one.input, "horizonSeconds"));

  const codec::Value* const deleted_at = one.expect.Find("deletedAt");
  const codec::Value* const events = one.expect.Find("events");
  if (deleted_at == nullptr || events == nullptr) return "a case needs deletedAt and events";
  for (const codec::Member& want : deleted_at->members()) {
    const auto got = deleted_at_.find(std::string(want.key));
    const std::string text = got == deleted_at_.end() ? "no such pod" : got->second;
    if (auto differs = Differ(want.key, codec::WriteJson(want.value), text)) return differs;
  }
  std::vector<std::string> want;
  for (const codec::Value& event : events->items()) {
    want.push_back(std::to_string(IntAt(event, "t")) + " " + std::string(TextAt(event, "pod")) +
                   " " + std::string(TextAt(event, "message")));
  }
  std::ranges::sort(want);
  return Differ("events", Joined(want), Joined(Events()));
}

controller::ObjectPtr EvictionStory::Store(const std::shared_ptr<codec::Document>& document) {
  const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
  if (!decoded) return nullptr;
  const controller::ObjectPtr object = decoded->object;
  const controller::ObjectPtr before = std::exchange(objects_[KeyOf(*object)], object);
  Tell(controller::ObjectChanged{before, object});
  return object;
}

std::string EvictionStory::KeyOf(const api::Object& object) {
  return std::string(object.kind().kind) + " " + NameOf(object);
}

std::int64_t EvictionStory::SecondsOf(Instant time) {
  return std::chrono::floor<std::chrono::seconds>(time - kStoryStart).count();
}

Mismatch EvictionStory::Do(const codec::Value& step) {
  RunUntil(IntAt(step, "t"));
  const std::string_view op = TextAt(step, "op");
  if (const codec::Value* const tree = step.Find("object")) return Put(op, *tree);
  static const std::map<std::string_view, std::string_view> kKinds = {
      {"deleteNode", "Node"},
      {"deletePod", "Pod"},
      {"deleteSlice", "ResourceSlice"},
      {"deleteClaim", "ResourceClaim"},
      {"deleteRule", "DeviceTaintRule"}};
  const auto kind = kKinds.find(op);
  if (kind == kKinds.end()) return "no such step: " + std::string(op);
  Remove(KeyFrom(kind->second, step));
  return std::nullopt;
}

Mismatch EvictionStory::Put(std::string_view op, const codec::Value& tree) {
  const codec::Value* const metadata = tree.Find("metadata");
  if (metadata == nullptr) return "an object needs metadata";
  const auto at = objects_.find(KeyFrom(TextAt(tree, "kind"), *metadata));
  const api::Object* const known = at == objects_.end() ? nullptr : at->second.get();
  if (known == nullptr && op.starts_with("update")) return std::nullopt;  // deleted
  auto document = std::make_shared<codec::Document>();
  document->root() = document->Clone(tree);
  Prepare(op, *document, known);
  const controller::ObjectPtr object = Store(document);
  if (object == nullptr) return "an object that cannot be decoded";
  if (op == "createPod") deleted_at_[NameOf(*object)] = "null";
  Settle();
  return std::nullopt;
}

void EvictionStory::Remove(const std::string& key) {
  const auto at = objects_.find(key);
  if (at == objects_.end()) return;
  const controller::ObjectPtr object = at->second;
  objects_.erase(at);
  Tell(controller::ObjectChanged{object, nullptr});
  Settle();
}

void EvictionStory::RunUntil(std::int64_t seconds) {
  Settle();
  const Instant until = kStoryStart + std::chrono::seconds(seconds);
  while (core_.NextWake() && *core_.NextWake() <= until) {
    now_ = std::max(now_, *core_.NextWake());
    core_.Wake({now_, actions_});
    Settle();
  }
  now_ = until;
}

void EvictionStory::Settle() {
  while (!actions_.empty()) {
    for (const controller::Action& action : std::exchange(actions_, {})) Perform(action);
  }
}

void EvictionStory::Perform(const controller::Action& action) {
  if (const auto* const event = std::get_if<controller::RecordEvent>(&action)) {
    // Our message continues after upstream's text.
    const std::string message = event->message.substr(0, event->message.find(": "));
    events_.push_back(
        {SecondsOf(now_), NameOf(*event->regarding.object()), event->reason + ": " + message});
  } else if (const auto* const evict = std::get_if<controller::EvictPod>(&action)) {
    deleted_at_[NameOf(*evict->pod.object())] = std::to_string(SecondsOf(now_));
    Tell(controller::ActionFinished{evict->id, {}});
    Remove(KeyOf(*evict->pod.object()));
  } else if (const auto* const confirm = std::get_if<controller::GetObject>(&action)) {
    Tell(controller::ActionFinished{confirm->id, {}});  // watch events are never late here
  } else if (const auto* const patch = std::get_if<controller::PatchObject>(&action)) {
    Perform(*patch);
  }
}

std::vector<std::string> EvictionStory::Events() const {
  std::vector<std::string> events;
  for (const auto& [seconds, pod, text] : events_) {
    // Upstream may record a cancellation at the instant of the deletion; the cases omit it.
    const bool is_dropped = text.find(": Cancelling") != std::string::npos &&
                            deleted_at_.at(pod) == std::to_string(seconds);
    if (!is_dropped) events.push_back(std::to_string(seconds) + " " + pod + " " + text);
  }
  std::ranges::sort(events);
  return events;
}

}  // namespace plimsoll::golden
