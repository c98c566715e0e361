// Taint eviction under virtual time: the controller is told of each step, what it asks for is done
// at once, and it is woken when it wants to be.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "api/object.h"
#include "base/metrics.h"
#include "base/time.h"
#include "codec/json.h"
#include "controller/taint_eviction/arrival.h"
#include "controller/taint_eviction/taint_eviction.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using controller::ObjectPtr;

// Where the virtual time of Go's testing/synctest begins.
const Instant kStart = ParseTime("2000-01-01T00:00:00Z").value();

std::string_view TextAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

std::int64_t SecondsAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_int() ? value->AsInt() : 0;
}

api::FeatureGates GatesOf(const codec::Value& input) {
  api::FeatureGates gates;
  const codec::Value* const comparison = input.Find("gateTaintTolerationComparisonOperators");
  gates.Set(api::Feature::TaintTolerationComparisonOperators,
            comparison != nullptr && comparison->is_bool() && comparison->AsBool());
  // Upstream has neither of these, and its own reading of tolerationSeconds (D6).
  gates.Set(api::Feature::TaintTolerationNodeAffinitySemverComparisonOperators, false);
  gates.Set(api::Feature::TaintTolerationCEL, false);
  gates.Set(api::Feature::ThresholdEvictionGrace, false);
  return gates;
}

/// The little of a cluster that the controller needs.
class EvictionStory {
 public:
  /// A server that dates says when each taint was added and each pod bound.
  EvictionStory(const api::FeatureGates& gates, bool dates)
      : core_(gates, match::Rules::From(gates, nullptr), metrics_), dates_(dates) {
    core_.Observe(controller::Synced{}, now_, actions_);
  }

  /// What went wrong, or nothing.
  Mismatch Do(const codec::Value& step) {
    RunUntil(SecondsAt(step, "t"));
    const std::string_view op = TextAt(step, "op");
    if (const codec::Value* const tree = step.Find("object")) return Put(op, *tree);
    const std::string_view kind = op == "deleteNode" ? "Node" : "Pod";
    Remove(std::string(kind) + " " + std::string(TextAt(step, "namespace")) + "/" +
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

  /// `{"default/p":10}`, null for pods that stayed.
  const std::map<std::string, std::string>& deleted_at() const { return deleted_at_; }
  /// `10 default/p TaintManagerEviction: <upstream's sentence>`, sorted.
  std::vector<std::string> Events() const {
    std::vector<std::string> events;
    for (const auto& [seconds, pod, text] : events_) {
      // Upstream may tell of a cancellation in the instant of the deletion itself; the cases do
      // not.
      const bool is_dropped = text.find(": Cancelling") != std::string::npos &&
                              deleted_at_.at(pod) == std::to_string(seconds);
      if (!is_dropped) events.push_back(std::to_string(seconds) + " " + pod + " " + text);
    }
    std::ranges::sort(events);
    return events;
  }

 private:
  struct Told {
    std::int64_t seconds = 0;
    std::string pod;
    std::string text;
  };

  static std::string NameOf(const api::Object& object) {
    return std::string(object.metadata().namespace_) + "/" + std::string(object.metadata().name);
  }
  static std::string KeyOf(const api::Object& object) {
    return std::string(object.kind().kind) + " " + NameOf(object);
  }
  std::int64_t Seconds() const {
    return std::chrono::floor<std::chrono::seconds>(now_ - kStart).count();
  }

  Mismatch Put(std::string_view op, const codec::Value& tree) {
    auto document = std::make_shared<codec::Document>();
    document->root() = document->Clone(tree);
    codec::Value* const metadata = document->root().Find("metadata");
    if (metadata == nullptr) return "an object needs metadata";
    const auto at = objects_.find(std::string(TextAt(tree, "kind")) + " " +
                                  std::string(TextAt(*metadata, "namespace")) + "/" +
                                  std::string(TextAt(*metadata, "name")));
    const api::Object* const known = at == objects_.end() ? nullptr : at->second.get();
    if (known == nullptr && op.starts_with("update")) return std::nullopt;  // it is gone
    const std::string created =
        known == nullptr ? FormatTime(now_) : std::string(known->metadata().creation_timestamp);
    document->Set(*metadata, "creationTimestamp", document->NewString(created));
    if (dates_) {
      DateTaints(*document, known);
      DateBinding(*document, known);
    }
    const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
    if (!decoded) return decoded.error().Text();
    const ObjectPtr object = decoded->object;
    if (op == "createPod") deleted_at_[NameOf(*object)] = "null";
    const ObjectPtr before = std::exchange(objects_[KeyOf(*object)], object);
    core_.Observe(controller::ObjectChanged{before, object}, now_, actions_);
    Settle();
    return std::nullopt;
  }
  /// As the API server does it (D21).
  void DateTaints(codec::Document& document, const api::Object* known) {
    codec::Value* const spec = document.root().Find("spec");
    codec::Value* const taints = spec == nullptr ? nullptr : spec->Find("taints");
    if (taints == nullptr) return;
    for (codec::Value& taint : taints->items()) {
      if (taint.Find("timeAdded") != nullptr) continue;
      std::string added = FormatTime(now_);
      if (known != nullptr) {
        for (const api::Taint& old : known->As<api::Node>()->spec.taints) {
          if (old.key == TextAt(taint, "key") && old.effect == TextAt(taint, "effect") &&
              old.value == TextAt(taint, "value")) {
            added = old.time_added;
          }
        }
      }
      document.Set(taint, "timeAdded", document.NewString(added));
    }
  }
  /// As the API server does it when a pod is bound.
  void DateBinding(codec::Document& document, const api::Object* known) const {
    codec::Value& root = document.root();
    const codec::Value* const spec = root.Find("spec");
    codec::Value* const status = root.Find("status");
    if (status == nullptr || spec == nullptr || TextAt(*spec, "nodeName").empty()) return;
    const bool was_bound = known != nullptr && !known->As<api::Pod>()->spec.node_name.empty();
    const Instant bound = was_bound ? controller::ArrivalOf(*known) : now_;
    codec::Value condition = document.NewObject();
    document.Set(condition, "type", codec::Value::String("PodScheduled"));
    document.Set(condition, "status", codec::Value::String("True"));
    document.Set(condition, "lastTransitionTime", document.NewString(FormatTime(bound)));
    codec::Value conditions = document.NewArray();
    document.Append(conditions, condition);
    document.Set(*status, "conditions", conditions);
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
      events_.push_back(
          {Seconds(), NameOf(*event->regarding), std::string(event->reason) + ": " + message});
    } else if (const auto* const evict = std::get_if<controller::EvictPod>(&action)) {
      deleted_at_[NameOf(*evict->pod)] = std::to_string(Seconds());
      core_.Observe(controller::ActionFinished{evict->id, {}}, now_, actions_);
      Remove(KeyOf(*evict->pod));
    }
  }

  MetricsRegistry metrics_;
  controller::TaintEviction core_;
  bool dates_;
  Instant now_ = kStart;
  controller::Actions actions_;
  std::map<std::string, ObjectPtr> objects_;
  std::map<std::string, std::string> deleted_at_;
  std::vector<Told> events_;
};

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n    " + line;
  return text;
}

Mismatch CheckStory(const Case& one, bool dates) {
  EvictionStory story(GatesOf(one.input), dates);
  const codec::Value* const steps = one.input.Find("steps");
  if (steps == nullptr) return "a case needs steps";
  for (const codec::Value& step : steps->items()) {
    if (auto fault = story.Do(step)) return fault;
  }
  story.RunUntil(SecondsAt(one.input, "horizonSeconds"));

  const codec::Value* const deleted_at = one.expect.Find("deletedAt");
  const codec::Value* const events = one.expect.Find("events");
  if (deleted_at == nullptr || events == nullptr) return "a case needs deletedAt and events";
  for (const codec::Member& want : deleted_at->members()) {
    const auto got = story.deleted_at().find(std::string(want.key));
    const std::string text = got == story.deleted_at().end() ? "no such pod" : got->second;
    if (auto differs = Differ(want.key, codec::WriteJson(want.value), text)) return differs;
  }
  std::vector<std::string> want;
  for (const codec::Value& event : events->items()) {
    want.push_back(std::to_string(SecondsAt(event, "t")) + " " + std::string(TextAt(event, "pod")) +
                   " " + std::string(TextAt(event, "message")));
  }
  std::ranges::sort(want);
  return Differ("events", Joined(want), Joined(story.Events()));
}

/// The cases do not say when taints were added, but a server does; it must make no difference.
Mismatch CheckEviction(Case& one) {
  if (auto differs = CheckStory(one, false)) return differs;
  if (auto differs = CheckStory(one, true)) return "with dates: " + *differs;
  return std::nullopt;
}

/// D7: where a taint says when it was added, that counts and not when the controller saw it. For
/// pods that come later, and so for taints that a node is created with, it makes no difference,
/// unless the time has not yet come.
std::string_view SkipEviction(const Case& one) {
  const codec::Value* const steps = one.input.Find("steps");
  if (steps == nullptr) return {};
  for (const codec::Value& step : steps->items()) {
    const codec::Value* const object = step.Find("object");
    const codec::Value* const spec = object == nullptr ? nullptr : object->Find("spec");
    const codec::Value* const taints = spec == nullptr ? nullptr : spec->Find("taints");
    if (taints == nullptr) continue;
    const Instant now = kStart + std::chrono::seconds(SecondsAt(step, "t"));
    for (const codec::Value& taint : taints->items()) {
      const Result<Instant> added = ParseTime(TextAt(taint, "timeAdded"));
      if (!added || TextAt(taint, "effect") != "NoExecute") continue;
      if (*added > now || (*added < now && TextAt(step, "op") == "updateNode")) return "D7";
    }
  }
  return {};
}

constexpr Check kChecks[] = {{"taint_eviction", CheckEviction, SkipEviction}};

}  // namespace

std::span<const Check> EvictionChecks() { return kChecks; }

}  // namespace plimsoll::golden
