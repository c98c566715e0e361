#include "scheduler/label_fault.h"

#include <fmt/format.h>

#include "api/core/version_operand.h"
#include "base/go_text.h"
#include "base/semver.h"
#include "match/node_selector.h"

namespace plimsoll::scheduler {

std::vector<const api::NodeSelectorRequirement*> ComparisonsOf(const api::PodSpec& spec) {
  std::vector<const api::NodeSelectorRequirement*> comparisons;
  if (!spec.affinity || !spec.affinity->node_affinity || !spec.affinity->node_affinity->required) {
    return comparisons;
  }
  for (const api::NodeSelectorTerm& term : spec.affinity->node_affinity->required->terms) {
    for (const api::NodeSelectorRequirement& one : term.match_expressions) {
      const bool compares = api::ComparesVersions(one) || one.op == "Gt" || one.op == "Lt";
      if (compares) comparisons.push_back(&one);
    }
  }
  return comparisons;
}

std::optional<api::WriteLog> FaultToLog(const api::NodeSelectorRequirement& requirement,
                                        std::string_view label) {
  if (!api::ComparesVersions(requirement)) {
    if (match::LabelInteger(label)) return std::nullopt;
    return api::WriteLog{
        .message = fmt::format("ParseInt failed for value {} in label {}", label, requirement.key),
        .fields = {{"err", GoParseInt(label).error().message}}};
  }
  const Result<Semver> version = ParseSemverTolerant(label);
  if (version) return std::nullopt;
  return api::WriteLog{.message = fmt::format("Parse semver failed for value {} in label {}", label,
                                              requirement.key),
                       .fields = {{"err", version.error().message}}};
}

}  // namespace plimsoll::scheduler
