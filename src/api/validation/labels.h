#pragma once

#include <string_view>

#include "api/field_error.h"
#include "api/meta/label_selector.h"
#include "api/meta/string_map.h"

namespace plimsoll::api {

/// Validates a key of a label, a taint or a topology.
void ValidateLabelName(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// Validates keys and values; all errors are at the path of the map.
void ValidateLabels(const StringMap& labels, const FieldPath& at, FieldErrors& errors);

/// Validates the keys, in any case, and the total size.
void ValidateAnnotations(const StringMap& annotations, const FieldPath& at, FieldErrors& errors);

/// Validates a label selector. With `allow_invalid_values`, values of `matchExpressions` are not
/// checked, so that an update can keep values stored before they were checked.
void ValidateLabelSelector(const LabelSelector& selector, bool allow_invalid_values,
                           const FieldPath& at, FieldErrors& errors);

/// Returns true if ValidateLabelSelector, without
/// `allow_invalid_values`, reports an error.
bool HasFault(const LabelSelector& selector);

}  // namespace plimsoll::api
