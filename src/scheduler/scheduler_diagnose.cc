// Explains a refusal in more detail than the plugins: names the toleration or label that could not
// be compared.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "match/budgeted_evaluator.h"
#include "match/diagnosis.h"
#include "match/toleration.h"
#include "scheduler/label_fault.h"
#include "scheduler/scheduler_core.h"
#include "scheduler/toleration_fault.h"

namespace plimsoll::scheduler {
namespace {

/// Maximum cost of expressions that are evaluated again to explain a refusal.
constexpr std::uint64_t kDiagnosisBudget = 500'000;

}  // namespace

/// Many nodes have the same taints, so each distinct set is examined once.
void Scheduler::Core::DiagnoseTaints(PodId id, Diagnosis& diagnosis, const Turn& turn) {
  constexpr std::size_t kTaintsMax = 100;
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const api::PodSpec& spec = cluster_.pod(id).pod->spec;
  const std::vector<api::Toleration>& tolerations = spec.tolerations;
  match::Rules rules = cluster_.rules();
  std::optional<match::BudgetedEvaluator> evaluator;
  if (rules.evaluator != nullptr) {
    rules.evaluator = &evaluator.emplace(*rules.evaluator, kDiagnosisBudget);
  }
  const match::ProgramHandle program =
      cluster_.index().Compile(spec, match::ProgramParts::Tolerations);
  std::vector<std::size_t> places;  // index in diagnosis.taints, by set of taints
  std::map<std::string, std::size_t> place_of;
  const auto look = [&](NodeSlot slot) {
    const std::optional<api::Taint> taint = cluster_.index().FindUntolerated(program, slot);
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
      if (auto fault = FaultToLog(tried, *found.taint)) LogFaultOnce(*std::move(fault), turn);
      if (!found.nearest || found.nearest->fault < tried.fault) found.nearest = std::move(tried);
    }
    if (diagnosis.taints.size() >= kTaintsMax) return kNone;
    const auto [at, is_new] = place_of.try_emplace(ToText(found), diagnosis.taints.size());
    if (is_new) diagnosis.taints.push_back({.text = at->first});
    return at->second;
  };
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (refusal.verdict.plugin != "TaintToleration") continue;
    places.assign(cluster_.index().taint_set_limit(), kNone);
    Bitmap seen(places.size());
    refusal.which.ForEach([&](std::size_t i) {
      const auto slot = static_cast<NodeSlot>(i);
      const Interner::Id set = cluster_.index().taint_set(slot);
      if (!seen.Test(set)) {
        seen.Set(set);
        places[set] = look(slot);
      }
      if (places[set] != kNone) ++diagnosis.taints[places[set]].nodes;
    });
  }
}

void Scheduler::Core::DiagnoseLabels(PodId id, Diagnosis& diagnosis, const Turn& turn) {
  const api::PodSpec& spec = cluster_.pod(id).pod->spec;
  const std::vector<const api::NodeSelectorRequirement*> comparisons = ComparisonsOf(spec);
  if (comparisons.empty()) return;
  std::set<std::pair<const api::NodeSelectorRequirement*, std::string_view>> seen;
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    if (refusal.verdict.plugin != "NodeAffinity") continue;
    refusal.which.ForEach([&](std::size_t slot) {
      for (const api::NodeSelectorRequirement* const one : comparisons) {
        const std::optional<std::string_view> label =
            cluster_.index().Label(static_cast<NodeSlot>(slot), one->key);
        if (!label || !seen.emplace(one, *label).second) continue;
        std::optional<WriteLog> fault = FaultToLog(*one, *label);
        if (!fault) continue;
        diagnosis.has_label_parse_failure = true;
        if (IsNewFault(fault->message)) turn.Do(*std::move(fault));
      }
    });
  }
}

bool Scheduler::Core::IsNewFault(std::string key) {
  constexpr std::size_t kFaultsMax = 1024;
  if (logged_faults_.size() >= kFaultsMax) logged_faults_.clear();
  return logged_faults_.insert(std::move(key)).second;
}

void Scheduler::Core::LogFaultOnce(WriteLog fault, const Turn& turn) {
  const std::string_view separator("\0", 1);  // never part of the texts
  std::string key = fault.message;
  for (const auto& [name, text] : fault.fields) key.append(separator).append(text);
  if (IsNewFault(std::move(key))) turn.Do(std::move(fault));
}

void Scheduler::Core::CountFaults(const Diagnosis& diagnosis) {
  if (diagnosis.has_numeric_mismatch) metrics_.NumericMismatch();
  if (diagnosis.has_toleration_parse_failure) metrics_.TolerationParseFailure();
  if (diagnosis.has_label_parse_failure) metrics_.LabelParseFailure();
}

}  // namespace plimsoll::scheduler
