#pragma once

#include <span>
#include <string_view>

#include "api/field_error.h"
#include "api/gated_fields.h"
#include "api/schema/schema.h"
#include "api/selector/selectable_fields.h"
#include "api/validation/object_meta.h"

namespace plimsoll::api {

struct KindChange;  // validation/kind_checks.h

/// The code of a kind, in one row of the table in kind_hooks.cc. Kinds without a row have only
/// metadata to validate. Two parts of a kind's code are elsewhere: defaults belong to types, so the
/// description names them (`hook`). The rules of an API server are in apiserver/strategy.
struct KindHooks {
  using Check = void (*)(const KindChange& change, FieldErrors& errors);

  TypeId type{};  // of the kind; versions that share a type share the row

  // Validation, see validation/object.h. Null: nothing to validate.
  NameRule name = NameRule::Dns1123Subdomain;
  bool checks_own_metadata = false;       // `validate` validates metadata, too
  bool checks_metadata_on_update = true;  // false: only that immutable metadata is unchanged
  Check authorize = nullptr;              // runs before all other checks
  Check validate = nullptr;               // on create, and on update
  Check validate_status = nullptr;        // on a write to `status`

  // Writes, see disabled_fields.h.
  std::span<const GatedField> gated_fields;
  std::string_view gated_fields_below;  // member where their paths start; empty: the object

  // Reads, see selector/selectable_fields.h.
  std::span<const SelectableField> selectable_fields;
  std::span<const FieldLabel> field_labels;  // labels that differ from those of the stored kind
};

/// Returns the row of the kind, or one with the defaults above.
const KindHooks& HooksOf(const KindDesc& kind);

}  // namespace plimsoll::api
