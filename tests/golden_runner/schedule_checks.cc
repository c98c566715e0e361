// Checks scheduling: every node's verdict, every plugin's score, the set of best nodes, and the
// text for an unschedulable pod. Compares the plain implementation with upstream, and the fast one
// with the plain one.

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "golden.h"
#include "golden_cluster.h"

namespace plimsoll::golden {
namespace {

using scheduler::Code;
using scheduler::NodeSlot;
using scheduler::Report;
using scheduler::Verdict;

constexpr int kDraws = 20;

/// Returns the texts of a list in byte order; empty if it is missing.
std::vector<std::string> ListAt(const codec::Value& object, std::string_view key) {
  std::vector<std::string> texts;
  const codec::Value* const list = object.Find(key);
  if (list == nullptr || list->is_null()) return texts;
  for (const codec::Value& item : list->items()) texts.emplace_back(item.text());
  return texts;
}

template <class Texts>
std::string Join(const Texts& texts) {
  std::string joined;
  for (const auto& text : texts) joined.append(joined.empty() ? "" : "; ").append(text);
  return joined;
}

/// Returns `code plugin reasons`. Upstream's NodeResourcesFit iterates over a map, so its reasons
/// are sorted.
std::string VerdictText(std::string_view code, std::string_view plugin,
                        std::vector<std::string> reasons) {
  if (plugin == "NodeResourcesFit") std::ranges::sort(reasons);
  return std::string(code).append(" ").append(plugin).append(" ").append(Join(reasons));
}

std::string VerdictText(const codec::Value& want) {
  return VerdictText(TextAt(want, "code"), TextAt(want, "plugin"), ListAt(want, "reasons"));
}

std::string VerdictText(const Verdict& got) {
  return VerdictText(ToText(got.code), got.plugin, got.reasons);
}

std::string ScoreText(std::int64_t raw, std::int64_t normalized, std::int64_t weighted) {
  return std::to_string(raw) + "/" + std::to_string(normalized) + "/" + std::to_string(weighted);
}

std::int64_t NumberAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value == nullptr || !value->is_int() ? 0 : value->AsInt();
}

std::vector<std::string> NamesOf(const scheduler::ClusterState& cluster,
                                 const std::vector<NodeSlot>& slots) {
  std::vector<std::string> names;
  for (const NodeSlot slot : slots) names.emplace_back(cluster.node_name(slot));
  std::ranges::sort(names);
  return names;
}

Mismatch CheckScores(const Report::Node& node, const std::string& name, const codec::Value& want) {
  std::vector<std::string> want_texts;
  for (const codec::Member& member : want.Find("plugins")->members()) {
    const codec::Value& score = member.value;
    want_texts.push_back(std::string(member.key) + " " +
                         ScoreText(NumberAt(score, "raw"), NumberAt(score, "normalized"),
                                   NumberAt(score, "weighted")));
  }
  std::vector<std::string> got_texts;
  for (const Report::Score& score : node.scores) {
    got_texts.push_back(std::string(score.plugin) + " " +
                        ScoreText(score.raw, score.normalized, score.weighted));
  }
  std::ranges::sort(want_texts);
  std::ranges::sort(got_texts);
  if (auto differs = Differ("scores of " + name, Join(want_texts), Join(got_texts))) return differs;
  return Differ("total of " + name, std::to_string(NumberAt(want, "total")),
                std::to_string(node.total));
}

Mismatch CheckNodes(const Report& report, const scheduler::ClusterState& cluster,
                    const codec::Value& expect) {
  const codec::Value* const nodes = expect.Find("nodes");
  const codec::Value* const scores = expect.Find("scores");
  for (const Report::Node& node : report.nodes) {
    const std::string name(cluster.node_name(node.slot));
    const codec::Value* const want = nodes == nullptr ? nullptr : nodes->Find(name);
    if (want == nullptr) return "a verdict on " + name + ", of which upstream knows nothing";
    Verdict got = node.verdict;
    if (node.is_excluded) got.reasons = {"(excluded by preFilterNodeNames)"};
    if (auto differs = Differ(name, VerdictText(*want), VerdictText(got))) return differs;
    const codec::Value* const score = scores == nullptr ? nullptr : scores->Find(name);
    if ((score != nullptr) != node.verdict.ok()) return name + ": scores of one side only";
    if (score == nullptr) continue;
    if (auto differs = CheckScores(node, name, *score)) return differs;
  }
  const std::size_t want_count = nodes == nullptr ? 0 : nodes->members().size();
  return Differ("nodes", std::to_string(want_count), std::to_string(report.nodes.size()));
}

Mismatch CheckReport(const Report& report, const scheduler::ClusterState& cluster,
                     const codec::Value& expect) {
  if (auto differs = Differ("preFilter", VerdictText(*expect.Find("preFilter")),
                            VerdictText(report.pre_filter))) {
    return differs;
  }
  if (auto differs =
          Differ("preFilterNodeNames", Join(ListAt(expect, "preFilterNodeNames")),
                 Join(NamesOf(cluster, report.narrowed.value_or(std::vector<NodeSlot>()))))) {
    return differs;
  }
  if (auto differs = Differ("skippedFilterPlugins", Join(ListAt(expect, "skippedFilterPlugins")),
                            Join(report.skipped_filters))) {
    return differs;
  }
  if (auto differs = CheckNodes(report, cluster, expect)) return differs;
  if (auto differs = Differ("skippedScorePlugins", Join(ListAt(expect, "skippedScorePlugins")),
                            Join(report.skipped_scores))) {
    return differs;
  }
  return Differ("best", Join(ListAt(expect, "best")), Join(NamesOf(cluster, report.best)));
}

/// Every random draw must return one of the best nodes.
Mismatch CheckPlacement(GoldenCluster& golden, const Report& report) {
  Random random(1);
  for (int i = 0; i < kDraws; ++i) {
    const scheduler::Placement placement = golden.framework().SchedulePod(golden.pod(), random);
    if (!placement.error.ok()) return "place: " + placement.error.Message();
    if (placement.node == scheduler::kNoNode && report.best.empty()) continue;
    if (std::ranges::find(report.best, placement.node) == report.best.end()) {
      return "place: " + (placement.node == scheduler::kNoNode
                              ? std::string("nothing found")
                              : std::string(golden.cluster().node_name(placement.node)) +
                                    " is not among the best");
    }
  }
  return std::nullopt;
}

/// If a plugin fails on a node, the whole attempt fails. With several such nodes, any of them may
/// be reported.
Mismatch CheckFailure(GoldenCluster& golden, const Report& report) {
  Random random(1);
  const scheduler::Placement placement = golden.framework().SchedulePod(golden.pod(), random);
  const bool is_expected = std::ranges::any_of(report.nodes, [&](const Report::Node& node) {
    return node.verdict.code == Code::Error && node.verdict == placement.error;
  });
  if (is_expected) return std::nullopt;
  return "place: want the error of a node, got " + VerdictText(placement.error);
}

/// Checks the result of preemption for an unschedulable pod.
Mismatch CheckPostFilter(GoldenCluster& golden, scheduler::Diagnosis& diagnosis,
                         const codec::Value& expect, scheduler::PostFilterOutcome& outcome) {
  Random random(1);
  const scheduler::Attempt attempt = golden.framework().Begin(golden.pod());
  outcome = golden.framework().PostFilter(attempt, diagnosis, random);
  diagnosis.post_filter = outcome.verdict.Message();
  if (auto differs = Differ("postFilterCode", TextAt(expect, "postFilterCode"),
                            ToText(outcome.verdict.code))) {
    return differs;
  }
  if (auto differs = Differ("failedSchedulingMessage", TextAt(expect, "failedSchedulingMessage"),
                            diagnosis.Message())) {
    return differs;
  }
  const bool is_nominated = outcome.nomination == scheduler::PostFilterOutcome::Nomination::Set;
  return Differ("nominatedNode", TextAt(expect, "nominatedNode"),
                is_nominated ? golden.cluster().node_name(outcome.node) : std::string_view());
}

Mismatch CheckSchedule(Case& one) {
  GoldenCluster golden(one);
  if (golden.fault()) return golden.fault();
  const Report report = golden.framework().EvaluateAllNodes(golden.pod());
  if (auto differs = CheckReport(report, golden.cluster(), one.expect)) return differs;
  if (one.expect.Find("error") != nullptr && report.pre_filter.ok()) {
    return CheckFailure(golden, report);
  }
  if (auto differs = CheckPlacement(golden, report)) return differs;
  if (!report.best.empty()) return std::nullopt;
  scheduler::Diagnosis diagnosis = golden.framework().Explain(golden.pod());
  if (auto differs =
          Differ("filterMessage", TextAt(one.expect, "filterMessage"), diagnosis.FilterMessage())) {
    return differs;
  }
  if (auto differs =
          Differ("unschedulablePlugins", Join(ListAt(one.expect, "unschedulablePlugins")),
                 Join(diagnosis.unschedulable_plugins))) {
    return differs;
  }
  scheduler::PostFilterOutcome outcome;
  return CheckPostFilter(golden, diagnosis, one.expect, outcome);
}

Mismatch CheckPreemption(Case& one) {
  GoldenCluster golden(one);
  if (golden.fault()) return golden.fault();
  scheduler::Diagnosis diagnosis = golden.framework().Explain(golden.pod());
  if (auto differs =
          Differ("filterMessage", TextAt(one.expect, "filterMessage"), diagnosis.FilterMessage())) {
    return differs;
  }
  scheduler::PostFilterOutcome outcome;
  if (auto differs = CheckPostFilter(golden, diagnosis, one.expect, outcome)) return differs;
  std::vector<std::string> victims;
  for (const scheduler::PodId id : outcome.victims) {
    const api::ObjectMeta& metadata = golden.cluster().pod(id).pod->metadata;
    victims.push_back(std::string(metadata.namespace_).append("/").append(metadata.name));
  }
  std::ranges::sort(victims);
  std::vector<std::string> wanted = ListAt(one.expect, "deletedPods");
  std::ranges::sort(wanted);
  return Differ("deletedPods", Join(wanted), Join(victims));
}

bool Blocks(const codec::Value& taint) {
  return TextAt(taint, "effect") == "NoSchedule" || TextAt(taint, "effect") == "NoExecute";
}

/// Returns the list at the end of a path; empty if it is missing.
std::span<const codec::Value> ItemsAt(const codec::Value& object,
                                      std::initializer_list<std::string_view> path) {
  const codec::Value* at = &object;
  for (const std::string_view key : path) {
    at = at->Find(key);
    if (at == nullptr) return {};
  }
  return at->items();
}

/// Returns true if a slice or a rule taints the device of an allocation result.
bool IsTainted(const codec::Value& input, const codec::Value& result) {
  for (const codec::Value& slice : ItemsAt(input, {"resourceSlices"})) {
    const codec::Value& spec = *slice.Find("spec");
    if (TextAt(spec, "driver") != TextAt(result, "driver")) continue;
    if (TextAt(*spec.Find("pool"), "name") != TextAt(result, "pool")) continue;
    for (const codec::Value& device : ItemsAt(spec, {"devices"})) {
      if (TextAt(device, "name") != TextAt(result, "device")) continue;
      if (std::ranges::any_of(ItemsAt(device, {"taints"}), Blocks)) return true;
    }
  }
  return std::ranges::any_of(ItemsAt(input, {"deviceTaintRules"}), [&](const codec::Value& rule) {
    const codec::Value& spec = *rule.Find("spec");
    const codec::Value* const selector = spec.Find("deviceSelector");
    if (selector == nullptr || !Blocks(*spec.Find("taint"))) return false;
    return std::ranges::all_of(selector->members(), [&](const codec::Member& member) {
      return member.value.text() == TextAt(result, member.key);
    });
  });
}

std::string_view SkipDevices(const Case& one) {
  // D10: a rule without selector selects nothing instead of everything.
  for (const codec::Value& rule : ItemsAt(one.input, {"deviceTaintRules"})) {
    const codec::Value& spec = *rule.Find("spec");
    if (spec.Find("deviceSelector") == nullptr && Blocks(*spec.Find("taint"))) return "D10";
  }
  // D11: a claim with a tainted device is not available to further pods.
  for (const codec::Value& named : ItemsAt(one.input, {"pod", "spec", "resourceClaims"})) {
    for (const codec::Value& claim : ItemsAt(one.input, {"resourceClaims"})) {
      if (TextAt(*claim.Find("metadata"), "name") != TextAt(named, "resourceClaimName")) continue;
      const auto results = ItemsAt(claim, {"status", "allocation", "devices", "results"});
      const auto is_tainted = [&](const codec::Value& result) {
        return IsTainted(one.input, result);
      };
      if (std::ranges::any_of(results, is_tainted)) return "D11";
    }
  }
  return {};
}

constexpr Check kChecks[] = {{"schedule", CheckSchedule},
                             {"schedule_dra", CheckSchedule, SkipDevices},
                             {"preemption", CheckPreemption}};

}  // namespace

std::span<const Check> ScheduleChecks() { return kChecks; }

}  // namespace plimsoll::golden
