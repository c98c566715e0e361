#pragma once

#include <string_view>

#include "api/field_error.h"
#include "base/syntax.h"

/// The names of devices and of what belongs to them.
namespace plimsoll::api {

/// A DNS label: of a device, a request, a set of counters.
void CheckShortName(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// A DNS subdomain, as upstream's declared rules see it: they count bytes, where its code counts
/// what it calls characters.
Faults CheckLongName(std::string_view name);

/// Subdomains between slashes, at most 253 bytes in all.
void CheckPoolName(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// `id` or `domain/id`. A name with two slashes passes, as it does upstream.
void CheckQualifiedAttribute(std::string_view name, const FieldPath& at, FieldErrors& errors);
/// `domain/id`, in the words of the declared rule.
void CheckFullyQualifiedAttribute(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// The lower-case form of a UUID.
void CheckShareId(std::string_view id, const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
