#pragma once

#include <string_view>

#include "api/field_error.h"
#include "base/syntax.h"

/// Checks names of devices and related objects.
namespace plimsoll::api {

/// Checks a DNS label: the name of a device, a request or a counter set.
void CheckShortName(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// Checks a DNS subdomain by upstream's declarative rules, which limit bytes; its
/// hand-written rules say characters.
Faults CheckLongName(std::string_view name);

/// Checks subdomains separated by slashes, at most 253 bytes in total.
void CheckPoolName(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// Checks `id` or `domain/id`. A name with two slashes passes, as it does upstream.
void CheckQualifiedAttribute(std::string_view name, const FieldPath& at, FieldErrors& errors);
/// Checks `domain/id`, in the words of the declarative rule.
void CheckFullyQualifiedAttribute(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// Checks the lower-case form of a UUID.
void CheckShareId(std::string_view id, const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
