#include "scheduler/failure/refusal_details.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "match/budgeted_evaluator.h"
#include "match/diagnosis.h"
#include "match/toleration.h"
#include "scheduler/label_fault.h"
#include "scheduler/limits.h"
#include "scheduler/toleration_fault.h"

namespace plimsoll::scheduler {

/// Many nodes have the same taints, so each distinct set is examined once.
void AddTaintDetails(ClusterState& cluster, PodId pod, Diagnosis& diagnosis, FaultLog& log,
                     const api::Turn& turn) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const api::PodSpec& spec = cluster.pod(pod).pod->spec;
  const std::vector<api::Toleration>& tolerations = spec.tolerations;
  match::Rules rules = cluster.rules();
  std::optional<match::BudgetedEvaluator> evaluator;
  if (rules.evaluator != nullptr) {
    rules.evaluator = &evaluator.emplace(*rules.evaluator, kDiagnosisExpressionCostMax);
  }
  const match::ProgramHandle program =
      cluster.index().Compile(spec, match::ProgramParts::Tolerations);
  std::vector<std::size_t> places;  // index in diagnosis.taints, by set of taints
  std::map<std::string, std::size_t> place_of;
  const auto diagnose = [&](NodeSlot slot) {
    const std::optional<api::Taint> taint = cluster.index().FindUntolerated(program, slot);
    if (!taint) return kNone;
    match::TaintDiagnosis found;
    found.taint = &*taint;
    found.blocks = true;
    for (std::size_t i = 0; i < tolerations.size(); ++i) {
      match::TolerationAttempt tried = match::Examine(i, tolerations[i], *found.taint, rules);
      if (evaluator && evaluator->is_exhausted() && !tolerations[i].expression.empty()) continue;
      diagnosis.has_numeric_mismatch |= tried.fault == match::TolerationFault::NotGreater ||
                                        tried.fault == match::TolerationFault::NotLess;
      diagnosis.has_toleration_parse_failure |= match::IsParseFault(tried.fault);
      if (auto fault = FaultToLog(tried, *found.taint)) log.LogOnce(*std::move(fault), turn);
      if (!found.nearest || found.nearest->fault < tried.fault) found.nearest = std::move(tried);
    }
    if (diagnosis.taints.size() >= kDiagnosedTaintsMax) return kNone;
    const auto [at, is_new] = place_of.try_emplace(ToText(found), diagnosis.taints.size());
    if (is_new) diagnosis.taints.push_back({.text = at->first});
    return at->second;
  };
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (refusal.verdict.plugin != "TaintToleration") continue;
    places.assign(cluster.index().taint_set_limit(), kNone);
    Bitmap seen(places.size());
    refusal.which.ForEach([&](std::size_t i) {
      const auto slot = static_cast<NodeSlot>(i);
      const Interner::Id set = cluster.index().taint_set(slot);
      if (!seen.Test(set)) {
        seen.Set(set);
        places[set] = diagnose(slot);
      }
      if (places[set] != kNone) ++diagnosis.taints[places[set]].nodes;
    });
  }
}

void AddLabelDetails(ClusterState& cluster, PodId pod, Diagnosis& diagnosis, FaultLog& log,
                     const api::Turn& turn) {
  const api::PodSpec& spec = cluster.pod(pod).pod->spec;
  const std::vector<const api::NodeSelectorRequirement*> comparisons = ComparisonsOf(spec);
  if (comparisons.empty()) return;
  std::set<std::pair<const api::NodeSelectorRequirement*, std::string_view>> seen;
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (refusal.verdict.plugin != "NodeAffinity") continue;
    refusal.which.ForEach([&](std::size_t slot) {
      for (const api::NodeSelectorRequirement* const one : comparisons) {
        const std::optional<std::string_view> label =
            cluster.index().Label(static_cast<NodeSlot>(slot), one->key);
        if (!label || !seen.emplace(one, *label).second) continue;
        std::optional<api::WriteLog> fault = FaultToLog(*one, *label);
        if (!fault) continue;
        diagnosis.has_label_parse_failure = true;
        log.LogOnce(*std::move(fault), turn);
      }
    });
  }
}

}  // namespace plimsoll::scheduler
