#include "api/core/version_operand.h"

#include "api/core/node_selector.h"

namespace plimsoll::api {

bool ComparesVersions(const NodeSelectorRequirement& requirement) {
  const std::optional<NodeSelectorOperator> op = ParseNodeSelectorOperator(requirement.op);
  return op == NodeSelectorOperator::SemverGt || op == NodeSelectorOperator::SemverLt ||
         op == NodeSelectorOperator::SemverEq;
}

VersionOperand ParseVersionOperand(std::string_view text) {
  return {.version = ParseSemverTolerant(text), .label_faults = CheckLabelValue(text)};
}

}  // namespace plimsoll::api
