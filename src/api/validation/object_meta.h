#pragma once

#include <cstdint>
#include <string_view>

#include "api/field_error.h"
#include "api/meta/object_meta.h"
#include "base/syntax.h"

namespace plimsoll::api {

/// How the names of a kind are spelled.
enum class NameRule : std::uint8_t {
  Dns1123Subdomain,
  Dns1123Label,
  Dns1035Label,
  PathSegment,  // whatever can stand between two slashes
  ByKind,       // there must be one; the kind's own checks look at it
  None,         // no name is asked for
};
enum class Scope : std::uint8_t { Cluster, Namespaced };

/// Of a `generateName` the end is not yet known, so there a dash may come last.
Faults CheckName(std::string_view name, NameRule rule);
Faults CheckNamePrefix(std::string_view prefix, NameRule rule);

/// What holds for the metadata of every object, at creation and ever after.
void ValidateObjectMeta(const ObjectMeta& meta, Scope scope, NameRule rule, const FieldPath& at,
                        FieldErrors& errors);

/// What an update may not change. Upstream runs this beside ValidateObjectMeta, hence a wrong label
/// is reported by both.
void ValidateObjectMetaUpdate(const ObjectMeta& now, const ObjectMeta& before, const FieldPath& at,
                              FieldErrors& errors);

}  // namespace plimsoll::api
