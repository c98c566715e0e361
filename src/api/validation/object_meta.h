#pragma once

#include <cstdint>
#include <string_view>

#include "api/field_error.h"
#include "api/meta/object_meta.h"
#include "base/syntax.h"

namespace plimsoll::api {

/// Syntax of the names of a kind.
enum class NameRule : std::uint8_t {
  Dns1123Subdomain,
  Dns1123Label,
  Dns1035Label,
  PathSegment,  // any text without `/` and `%` that is not `.` or `..`
  ByKind,       // required; the kind's own checks validate it
  None,         // no name is required
};
enum class Scope : std::uint8_t { Cluster, Namespaced };

/// CheckNamePrefix checks a `generateName`; it may end in a dash, because a suffix follows.
Faults CheckName(std::string_view name, NameRule rule);
Faults CheckNamePrefix(std::string_view prefix, NameRule rule);

/// Validates the metadata of any object, on creation and on update.
void ValidateObjectMeta(const ObjectMeta& meta, Scope scope, NameRule rule, const FieldPath& at,
                        FieldErrors& errors);

/// Reports changes of immutable metadata. Upstream runs this in addition to ValidateObjectMeta,
/// hence both report an invalid label.
void ValidateObjectMetaUpdate(const ObjectMeta& now, const ObjectMeta& before, const FieldPath& at,
                              FieldErrors& errors);

}  // namespace plimsoll::api
