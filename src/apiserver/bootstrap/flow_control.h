#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/bootstrap/default_objects.h"
#include "apiserver/bootstrap/reconcile.h"
#include "base/time.h"

/// PriorityLevelConfigurations and FlowSchemas that every cluster has.
namespace plimsoll::apiserver {

/// Returns `exempt` and `catch-all`, which the server always enforces.
std::vector<DefaultObject> MandatoryFlowControl();
/// Returns the other defaults of upstream, which administrators may change.
std::vector<DefaultObject> SuggestedFlowControl();

/// Restores the spec of a mandatory object. Keeps `spec.exempt` of the level `exempt`, because
/// administrators may change it.
Reconciled ReconcileMandatoryFlowControl(std::string_view existing, std::string_view wanted);
/// Restores the spec of a suggested object if its annotation `apf.kubernetes.io/autoupdate-spec` is
/// true. Without that annotation, an object of generation 1 counts as unchanged. The annotation is
/// then set to record the decision.
Reconciled ReconcileSuggestedFlowControl(std::string_view existing, std::string_view wanted);

/// Returns the FlowSchema with the condition `Dangling` set to `is_dangling`. Returns nullopt if
/// the condition is already set so, or the JSON is no FlowSchema.
std::optional<std::string> WithDanglingCondition(std::string_view flow_schema, bool is_dangling,
                                                 Instant now);

}  // namespace plimsoll::apiserver
