#pragma once

#include <string>
#include <vector>

#include "api/feature_gates.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// A sentence for each fault that is one only because a feature gate is off, with the name of the
/// gate to switch on. The faults themselves have upstream's texts, which do not name it.
std::vector<std::string> GateHints(const FieldErrors& errors, const FeatureGates& gates);

/// The same for one fault; empty when no gate is its cause.
std::string GateHint(const FieldError& error, const FeatureGates& gates);

}  // namespace plimsoll::api
