#pragma once

#include <string_view>

#include "api/field_error.h"
#include "api/meta/label_selector.h"
#include "api/meta/string_map.h"

namespace plimsoll::api {

/// A key of labels, taints or topology.
void ValidateLabelName(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// Keys and values; all faults stand at the map itself.
void ValidateLabels(const StringMap& labels, const FieldPath& at, FieldErrors& errors);

/// Keys, case not minded, and the size of the whole.
void ValidateAnnotations(const StringMap& annotations, const FieldPath& at, FieldErrors& errors);

/// An update may keep values that were stored before values were checked: those of
/// `matchExpressions` are passed over when `allow_invalid_values` is set.
void ValidateLabelSelector(const LabelSelector& selector, bool allow_invalid_values,
                           const FieldPath& at, FieldErrors& errors);

/// Whether the selector has a fault of the kind that `allow_invalid_values` would forgive, or any
/// other.
bool HasFault(const LabelSelector& selector);

}  // namespace plimsoll::api
