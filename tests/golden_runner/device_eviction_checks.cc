// Device taint eviction under virtual time: as eviction_checks.cc, with claims, slices and rules,
// and with what the controller writes into the status of rules.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/object.h"
#include "base/metrics.h"
#include "base/time.h"
#include "codec/json.h"
#include "codec/patch/merge_patch.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using controller::ObjectPtr;

const Instant kStart = ParseTime("2000-01-01T00:00:00Z").value();

std::string_view TextAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

std::int64_t IntAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_int() ? value->AsInt() : 0;
}

/// Upstream has none of these operators (D8).
api::FeatureGates UpstreamGates() {
  api::FeatureGates gates;
  gates.Set(api::Feature::TaintTolerationComparisonOperators, false);
  gates.Set(api::Feature::TaintTolerationNodeAffinitySemverComparisonOperators, false);
  gates.Set(api::Feature::TaintTolerationCEL, false);
  return gates;
}

/// The parts of a condition that a case tells.
std::string Line(std::int64_t seconds, std::string_view rule, std::int64_t generation,
                 const codec::Value& condition) {
  std::string line = std::to_string(seconds);
  line.append(" ").append(rule).append(" g").append(std::to_string(generation));
  for (const char* const key : {"type", "status", "reason", "message"}) {
    line.append(" ").append(TextAt(condition, key));
  }
  return line;
}

class DeviceEvictionStory {
 public:
  DeviceEvictionStory()
      : core_(UpstreamGates(), match::Rules::From(UpstreamGates(), nullptr), metrics_) {
    core_.Observe(controller::Synced{}, now_, actions_);
  }

  Mismatch Do(const codec::Value& step) {
    RunUntil(IntAt(step, "t"));
    const std::string_view op = TextAt(step, "op");
    if (const codec::Value* const tree = step.Find("object")) return Put(op, *tree);
    static const std::map<std::string_view, std::string> kKinds = {
        {"deleteSlice", "ResourceSlice"},
        {"deleteClaim", "ResourceClaim"},
        {"deletePod", "Pod"},
        {"deleteRule", "DeviceTaintRule"}};
    const auto kind = kKinds.find(op);
    if (kind == kKinds.end()) return "no such step: " + std::string(op);
    Remove(kind->second + " " + std::string(TextAt(step, "namespace")) + "/" +
           std::string(TextAt(step, "name")));
    return std::nullopt;
  }
  void RunUntil(std::int64_t seconds) {
    Settle();
    const Instant until = kStart + std::chrono::seconds(seconds);
    while (core_.NextWake() && *core_.NextWake() <= until) {
      now_ = std::max(now_, *core_.NextWake());
      core_.Wake(now_, actions_);
      Settle();
    }
    now_ = until;
  }

  const std::map<std::string, std::string>& deleted_at() const { return deleted_at_; }
  std::vector<std::string> Events() const {
    std::vector<std::string> events = events_;
    std::ranges::sort(events);
    return events;
  }
  const std::vector<std::string>& conditions() const { return conditions_; }
  /// Of the rules that are there.
  std::vector<std::string> FinalConditions() const {
    std::vector<std::string> lines;
    for (const auto& [key, object] : objects_) {
      const auto* const rule = object->As<api::DeviceTaintRule>();
      if (rule == nullptr || rule->conditions == nullptr) continue;
      for (const codec::Value& condition : rule->conditions->items()) {
        const Result<Instant> changed = ParseTime(TextAt(condition, "lastTransitionTime"));
        if (!changed) return {"a condition without a time"};
        lines.push_back(Line(Seconds(*changed), rule->metadata.name, 0, condition));
      }
    }
    return lines;
  }

 private:
  static std::string NameOf(const api::Object& object) {
    return std::string(object.metadata().namespace_) + "/" + std::string(object.metadata().name);
  }
  static std::string KeyOf(const api::Object& object) {
    return std::string(object.kind().kind) + " " + NameOf(object);
  }
  static std::int64_t Seconds(Instant time) {
    return std::chrono::floor<std::chrono::seconds>(time - kStart).count();
  }

  Mismatch Put(std::string_view op, const codec::Value& tree) {
    const codec::Value* const metadata = tree.Find("metadata");
    if (metadata == nullptr) return "an object needs metadata";
    const auto known = objects_.find(std::string(TextAt(tree, "kind")) + " " +
                                     std::string(TextAt(*metadata, "namespace")) + "/" +
                                     std::string(TextAt(*metadata, "name")));
    if (known == objects_.end() && op.starts_with("update")) return std::nullopt;  // it is gone
    auto document = std::make_shared<codec::Document>();
    document->root() = document->Clone(tree);
    // Who updates a rule does not touch its status.
    const codec::Value* const status =
        op == "updateRule" ? known->second->tree().Find("status") : nullptr;
    if (status != nullptr) document->Set(document->root(), "status", document->Clone(*status));
    DropTolerationsWithoutEffect(*document);
    const ObjectPtr object = Store(document);
    if (object == nullptr) return "an object that cannot be decoded";
    if (op == "createPod") deleted_at_[NameOf(*object)] = "null";
    Settle();
    return std::nullopt;
  }
  /// D12: with us a toleration without effect covers NoExecute as well. Upstream does not look at
  /// it when it evicts, so it can as well not be there.
  static void DropTolerationsWithoutEffect(codec::Document& document) {
    codec::Value* place = &document.root();
    for (const char* const key : {"status", "allocation", "devices", "results"}) {
      place = place->Find(key);
      if (place == nullptr) return;
    }
    for (codec::Value& result : place->items()) {
      const codec::Value* const tolerations = result.Find("tolerations");
      if (tolerations == nullptr) continue;
      codec::Value kept = document.NewArray();
      for (const codec::Value& toleration : tolerations->items()) {
        if (!TextAt(toleration, "effect").empty()) {
          document.Append(kept, document.Clone(toleration));
        }
      }
      document.Set(result, "tolerations", kept);
    }
  }
  ObjectPtr Store(const std::shared_ptr<codec::Document>& document) {
    const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
    if (!decoded) return nullptr;
    const ObjectPtr object = decoded->object;
    const ObjectPtr before = std::exchange(objects_[KeyOf(*object)], object);
    core_.Observe(controller::ObjectChanged{before, object}, now_, actions_);
    return object;
  }
  void Remove(const std::string& key) {
    const auto at = objects_.find(key);
    if (at == objects_.end()) return;
    const ObjectPtr object = at->second;
    objects_.erase(at);
    core_.Observe(controller::ObjectChanged{object, nullptr}, now_, actions_);
    Settle();
  }
  void Settle() {
    while (!actions_.empty()) {
      for (const controller::Action& action : std::exchange(actions_, {})) Perform(action);
    }
  }
  void Perform(const controller::Action& action) {
    if (const auto* const event = std::get_if<controller::RecordEvent>(&action)) {
      // Ours goes on after upstream's sentence.
      const std::string message = event->message.substr(0, event->message.find(": "));
      events_.push_back(std::to_string(Seconds(now_)) + " " + NameOf(*event->regarding) + " " +
                        std::string(event->reason) + ": " + message);
    } else if (const auto* const evict = std::get_if<controller::EvictPod>(&action)) {
      deleted_at_[NameOf(*evict->pod)] = std::to_string(Seconds(now_));
      core_.Observe(controller::ActionFinished{evict->id, {}}, now_, actions_);
      Remove(KeyOf(*evict->pod));
    } else if (const auto* const patch = std::get_if<controller::PatchObject>(&action)) {
      Apply(*patch);
    }
  }
  /// There is one condition, so that applying is merging.
  void Apply(const controller::PatchObject& patch) {
    const auto at = objects_.find(KeyOf(*patch.object));
    if (at == objects_.end()) return;
    const auto parsed = codec::ParseJson(patch.patch);
    const codec::Value* const status = parsed ? (*parsed)->root().Find("status") : nullptr;
    const codec::Value* const conditions = status == nullptr ? nullptr : status->Find("conditions");
    if (conditions == nullptr) return conditions_.push_back("not readable: " + patch.patch);
    for (const codec::Value& condition : conditions->items()) {
      conditions_.push_back(Line(Seconds(now_), patch.object->metadata().name,
                                 IntAt(condition, "observedGeneration"), condition));
    }
    auto document = std::make_shared<codec::Document>();
    const auto merged = codec::ApplyMergePatch(*document, at->second->tree(), (*parsed)->root());
    if (!merged) return conditions_.push_back("not applicable: " + patch.patch);
    document->root() = document->Clone(*merged);
    Store(document);
    core_.Observe(controller::ActionFinished{patch.id, {}}, now_, actions_);
  }

  MetricsRegistry metrics_;
  controller::DeviceTaintEviction core_;
  Instant now_ = kStart;
  controller::Actions actions_;
  std::map<std::string, ObjectPtr> objects_;
  std::map<std::string, std::string> deleted_at_;
  std::vector<std::string> events_;
  std::vector<std::string> conditions_;
};

std::string Joined(std::vector<std::string> lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n    " + line;
  return text;
}

std::vector<std::string> WantedFinalConditions(const codec::Value& by_rule) {
  std::vector<std::string> lines;
  for (const codec::Member& rule : by_rule.members()) {
    for (const codec::Value& condition : rule.value.items()) {
      lines.push_back(Line(IntAt(condition, "lastTransition"), rule.key, 0, condition));
    }
  }
  std::ranges::sort(lines);
  return lines;
}

Mismatch CheckDeviceEviction(Case& one) {
  DeviceEvictionStory story;
  const codec::Value* const steps = one.input.Find("steps");
  if (steps == nullptr) return "a case needs steps";
  for (const codec::Value& step : steps->items()) {
    if (auto fault = story.Do(step)) return fault;
  }
  story.RunUntil(IntAt(one.input, "horizonSeconds"));

  const codec::Value* const deleted_at = one.expect.Find("deletedAt");
  const codec::Value* const events = one.expect.Find("events");
  const codec::Value* const conditions = one.expect.Find("ruleConditions");
  const codec::Value* const final_conditions = one.expect.Find("finalRuleConditions");
  if (!deleted_at || !events || !conditions || !final_conditions) return "a case needs its answers";
  for (const codec::Member& want : deleted_at->members()) {
    const auto got = story.deleted_at().find(std::string(want.key));
    const std::string text = got == story.deleted_at().end() ? "no such pod" : got->second;
    if (auto differs = Differ(want.key, codec::WriteJson(want.value), text)) return differs;
  }
  std::vector<std::string> want;
  for (const codec::Value& event : events->items()) {
    want.push_back(std::to_string(IntAt(event, "t")) + " " + std::string(TextAt(event, "pod")) +
                   " " + std::string(TextAt(event, "message")));
  }
  std::ranges::sort(want);
  if (auto differs = Differ("events", Joined(want), Joined(story.Events()))) return differs;
  want.clear();
  for (const codec::Value& condition : conditions->items()) {
    want.push_back(Line(IntAt(condition, "t"), TextAt(condition, "rule"),
                        IntAt(condition, "observedGeneration"), condition));
  }
  if (auto differs = Differ("conditions", Joined(want), Joined(story.conditions()))) return differs;
  std::vector<std::string> got = story.FinalConditions();
  std::ranges::sort(got);
  return Differ("final conditions", Joined(WantedFinalConditions(*final_conditions)), Joined(got));
}

/// D9: evictions have a rate, after a burst.
std::string_view SkipDeviceEviction(const Case& one) {
  const codec::Value* const steps = one.input.Find("steps");
  if (steps == nullptr) return {};
  const std::int64_t pods = std::ranges::count_if(
      steps->items(), [](const codec::Value& step) { return TextAt(step, "op") == "createPod"; });
  return pods > controller::EvictionPace::kBurst ? "D9" : "";
}

constexpr Check kChecks[] = {{"device_taint_eviction", CheckDeviceEviction, SkipDeviceEviction}};

}  // namespace

std::span<const Check> DeviceEvictionChecks() { return kChecks; }

}  // namespace plimsoll::golden
