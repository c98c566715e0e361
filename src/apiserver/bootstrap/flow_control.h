#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/bootstrap/default_objects.h"
#include "apiserver/bootstrap/reconcile.h"
#include "base/time.h"

/// The PriorityLevelConfigurations and FlowSchemas that every cluster has.
namespace plimsoll::apiserver {

/// Return `exempt` and `catch-all`, which the server always enforces.
std::vector<DefaultObject> MandatoryFlowControl();
/// Return the rest of upstream's defaults, which administrators may change.
std::vector<DefaultObject> SuggestedFlowControl();

/// Restores the spec of a mandatory object. `spec.exempt` of the level `exempt` stays, because
/// administrators may change it.
Reconciled ReconcileMandatoryFlowControl(std::string_view existing, std::string_view wanted);
/// Restores the spec of a suggested object if its annotation `apf.kubernetes.io/autoupdate-spec`
/// says true. Without that annotation an object of generation 1 counts as unchanged; the annotation
/// is then set to record the decision.
Reconciled ReconcileSuggestedFlowControl(std::string_view existing, std::string_view wanted);

/// Returns the FlowSchema with its condition `Dangling` set to whether its priority level is
/// missing. Nothing if the condition says so already, or the JSON text is no FlowSchema.
std::optional<std::string> WithDanglingCondition(std::string_view flow_schema, bool is_dangling,
                                                 Instant now);

}  // namespace plimsoll::apiserver
