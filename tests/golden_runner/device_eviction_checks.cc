// Checks device taint eviction: claims, slices and rules, and the conditions that the controller
// writes into the status of rules.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "base/time_arithmetic.h"
#include "codec/json.h"
#include "codec/patch/merge_patch.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "eviction_story.h"

namespace plimsoll::golden {
namespace {

/// Upstream has none of these operators for devices (D8).
api::FeatureGates UpstreamGates() {
  api::FeatureGates gates;
  gates.Set(api::Feature::TaintTolerationComparisonOperators, false);
  gates.Set(api::Feature::TaintTolerationNodeAffinitySemverComparisonOperators, false);
  gates.Set(api::Feature::TaintTolerationCEL, false);
  return gates;
}

/// Returns the parts of a condition that a case contains.
std::string Line(std::int64_t seconds, std::string_view rule, std::int64_t generation,
                 const codec::Value& condition) {
  std::string line = std::to_string(seconds);
  line.append(" ").append(rule).append(" g").append(std::to_string(generation));
  for (const char* const key : {"type", "status", "reason", "message"}) {
    line.append(" ").append(TextAt(condition, key));
  }
  return line;
}

class DeviceEvictionStory final : public EvictionStory {
 public:
  using EvictionStory::EvictionStory;

  /// All conditions written, in order.
  const std::vector<std::string>& conditions() const { return conditions_; }
  /// Conditions of the rules that exist.
  std::vector<std::string> FinalConditions() const {
    std::vector<std::string> lines;
    for (const auto& [key, object] : objects()) {
      const auto* const rule = object->As<api::DeviceTaintRule>();
      if (rule == nullptr || rule->conditions == nullptr) continue;
      for (const codec::Value& condition : rule->conditions->items()) {
        const Result<Instant> changed = ParseTime(TextAt(condition, "lastTransitionTime"));
        if (!changed) return {"a condition without a time"};
        lines.push_back(Line(SecondsOf(*changed), rule->metadata.name, 0, condition));
      }
    }
    std::ranges::sort(lines);
    return lines;
  }

 private:
  void Prepare(std::string_view op, codec::Document& document, const api::Object* known) override {
    // An update of a rule keeps its status.
    const codec::Value* const status = op == "updateRule" ? known->tree().Find("status") : nullptr;
    if (status != nullptr) document.Set(document.root(), "status", document.Clone(*status));
    DropTolerationsWithoutEffect(document);
  }
  /// D12: here a toleration without effect matches NoExecute. Upstream ignores such a toleration in
  /// eviction, so it is removed.
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
  /// A rule has one condition, so that apply equals merge.
  void Perform(const controller::PatchObject& patch) override {
    const auto at = objects().find(KeyOf(*patch.object.object()));
    if (at == objects().end()) return;
    const auto parsed = codec::ParseJson(patch.body);
    const codec::Value* const status = parsed ? (*parsed)->root().Find("status") : nullptr;
    const codec::Value* const conditions = status == nullptr ? nullptr : status->Find("conditions");
    if (conditions == nullptr) return conditions_.push_back("not readable: " + patch.body);
    for (const codec::Value& condition : conditions->items()) {
      conditions_.push_back(Line(SecondsOf(now()), patch.object.name(),
                                 IntAt(condition, "observedGeneration"), condition));
    }
    auto document = std::make_shared<codec::Document>();
    const auto merged = codec::ApplyMergePatch(*document, at->second->tree(), (*parsed)->root());
    if (!merged) return conditions_.push_back("not applicable: " + patch.body);
    document->root() = document->Clone(*merged);
    Store(document);
    Tell(controller::ActionFinished{patch.id, {}});
  }

  std::vector<std::string> conditions_;
};

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
  const api::FeatureGates gates = UpstreamGates();
  MetricsRegistry metrics;
  controller::DeviceTaintEviction core(gates, match::Rules::From(gates, nullptr), metrics);
  DeviceEvictionStory story(core);
  if (auto differs = story.Play(one)) return differs;
  const codec::Value* const conditions = one.expect.Find("ruleConditions");
  const codec::Value* const final_conditions = one.expect.Find("finalRuleConditions");
  if (conditions == nullptr || final_conditions == nullptr) return "a case needs its conditions";
  std::vector<std::string> want;
  for (const codec::Value& condition : conditions->items()) {
    want.push_back(Line(IntAt(condition, "t"), TextAt(condition, "rule"),
                        IntAt(condition, "observedGeneration"), condition));
  }
  if (auto differs = Differ("conditions", Joined(want), Joined(story.conditions()))) return differs;
  return Differ("final conditions", Joined(WantedFinalConditions(*final_conditions)),
                Joined(story.FinalConditions()));
}

/// Returns true if a `tolerationSeconds` in the tree overflows Go's time.Duration.
bool HasOverflowingSeconds(const codec::Value& tree) {
  if (tree.is_array()) return std::ranges::any_of(tree.items(), HasOverflowingSeconds);
  if (!tree.is_object()) return false;
  return std::ranges::any_of(tree.members(), [](const codec::Member& member) {
    if (member.key != "tolerationSeconds") return HasOverflowingSeconds(member.value);
    return member.value.is_int() && SaturatingSeconds(member.value.AsInt()) == Duration::max();
  });
}

/// D9: evictions are rate-limited after a burst. D23: upstream's times overflow.
std::string_view SkipDeviceEviction(const Case& one) {
  const codec::Value* const steps = one.input.Find("steps");
  if (steps == nullptr) return {};
  if (HasOverflowingSeconds(*steps)) return "D23";
  const std::int64_t pods = std::ranges::count_if(
      steps->items(), [](const codec::Value& step) { return TextAt(step, "op") == "createPod"; });
  return pods > controller::EvictionPace::kBurst ? "D9" : "";
}

constexpr Check kChecks[] = {{"device_taint_eviction", CheckDeviceEviction, SkipDeviceEviction}};

}  // namespace

std::span<const Check> DeviceEvictionChecks() { return kChecks; }

}  // namespace plimsoll::golden
