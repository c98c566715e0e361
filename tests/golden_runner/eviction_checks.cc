// Checks node taint eviction.

#include <string>

#include "base/metrics.h"
#include "controller/taint_eviction/arrival.h"
#include "controller/taint_eviction/taint_eviction.h"
#include "eviction_story.h"

namespace plimsoll::golden {
namespace {

api::FeatureGates GatesOf(const codec::Value& input) {
  api::FeatureGates gates;
  const codec::Value* const comparison = input.Find("gateTaintTolerationComparisonOperators");
  gates.Set(api::Feature::TaintTolerationComparisonOperators,
            comparison != nullptr && comparison->is_bool() && comparison->AsBool());
  // Upstream has neither of these, and uses tolerationSeconds differently (D6).
  gates.Set(api::Feature::TaintTolerationNodeAffinitySemverComparisonOperators, false);
  gates.Set(api::Feature::TaintTolerationCEL, false);
  gates.Set(api::Feature::ThresholdEvictionGrace, false);
  return gates;
}

class NodeEvictionStory final : public EvictionStory {
 public:
  /// With `dates`, the fake server sets timeAdded of taints and the time of binding.
  NodeEvictionStory(controller::Controller& core, bool dates)
      : EvictionStory(core), dates_(dates) {}

 private:
  void Prepare(std::string_view, codec::Document& document, const api::Object* known) override {
    const std::string created =
        known == nullptr ? FormatTime(now()) : std::string(known->metadata().creation_timestamp);
    document.Set(*document.root().Find("metadata"), "creationTimestamp",
                 document.NewString(created));
    if (!dates_) return;
    DateTaints(document, known);
    DateBinding(document, known);
  }
  void Perform(const controller::PatchObject&) override {}

  /// Sets timeAdded like the API server (D21).
  void DateTaints(codec::Document& document, const api::Object* known) const {
    codec::Value* const spec = document.root().Find("spec");
    codec::Value* const taints = spec == nullptr ? nullptr : spec->Find("taints");
    if (taints == nullptr) return;
    for (codec::Value& taint : taints->items()) {
      if (taint.Find("timeAdded") != nullptr) continue;
      std::string added = FormatTime(now());
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
  /// Sets the PodScheduled time like the API server.
  void DateBinding(codec::Document& document, const api::Object* known) const {
    codec::Value& root = document.root();
    const codec::Value* const spec = root.Find("spec");
    codec::Value* const status = root.Find("status");
    if (status == nullptr || spec == nullptr || TextAt(*spec, "nodeName").empty()) return;
    const bool was_bound = known != nullptr && !known->As<api::Pod>()->spec.node_name.empty();
    const Instant bound = was_bound ? controller::ArrivalOf(*known) : now();
    codec::Value condition = document.NewObject();
    document.Set(condition, "type", codec::Value::String("PodScheduled"));
    document.Set(condition, "status", codec::Value::String("True"));
    document.Set(condition, "lastTransitionTime", document.NewString(FormatTime(bound)));
    codec::Value conditions = document.NewArray();
    document.Append(conditions, condition);
    document.Set(*status, "conditions", conditions);
  }

  const bool dates_;
};

Mismatch CheckStory(const Case& one, bool dates) {
  const api::FeatureGates gates = GatesOf(one.input);
  MetricsRegistry metrics;
  controller::TaintEviction core(gates, match::Rules::From(gates, nullptr), metrics);
  return NodeEvictionStory(core, dates).Play(one);
}

/// The cases have no timeAdded, but an API server sets it; the result must be the same.
Mismatch CheckEviction(Case& one) {
  if (auto differs = CheckStory(one, false)) return differs;
  if (auto differs = CheckStory(one, true)) return "with dates: " + *differs;
  return std::nullopt;
}

/// D7: the countdown starts at timeAdded, not when the controller sees the taint. For pods that are
/// bound later, and so for taints of a new node, the result is the same, unless timeAdded is in the
/// future.
std::string_view SkipEviction(const Case& one) {
  const codec::Value* const steps = one.input.Find("steps");
  if (steps == nullptr) return {};
  for (const codec::Value& step : steps->items()) {
    const codec::Value* const object = step.Find("object");
    const codec::Value* const spec = object == nullptr ? nullptr : object->Find("spec");
    const codec::Value* const taints = spec == nullptr ? nullptr : spec->Find("taints");
    if (taints == nullptr) continue;
    const Instant now = kStoryStart + std::chrono::seconds(IntAt(step, "t"));
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
