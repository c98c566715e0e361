#pragma once

#include <string>
#include <vector>

#include "api/feature_gates.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Returns a sentence for each error that a disabled feature gate causes, with the name of the gate
/// to enable. The errors have upstream's texts, which do not name the gate.
std::vector<std::string> GateHints(const FieldErrors& errors, const FeatureGates& gates);

/// Returns the hint for one error; empty if no gate causes it.
std::string GateHint(const FieldError& error, const FeatureGates& gates);

}  // namespace plimsoll::api
