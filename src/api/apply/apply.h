#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "base/result.h"
#include "base/time.h"
#include "codec/document.h"

/// Server-side apply: tracks which manager owns which fields and merges applied configurations into
/// objects. All functions are pure; the caller supplies the stored object and the time.
namespace plimsoll::api {

/// The field manager of a write, and the kind and sub-resource it writes to.
struct FieldWriter {
  std::string_view manager;        // empty: `unknown`
  const KindDesc* kind = nullptr;  // of the object
  std::string_view subresource;    // `status`; empty: the object itself
  Instant now{};
  bool owns_single_taints = true;  // feature gate PlimsollTaintOwnership
};

/// Sets metadata.managedFields of an object that is about to be stored, for every write except
/// apply. The object's tree must lie in `document`. `live` is the stored object; null for a create.
///
/// The manager gains ownership of the fields that it added or changed. All managers lose removed
/// fields; the others lose changed ones. No manager owns names, versions, or fields that the
/// sub-resource does not write. A write without changes keeps the manager's time. Entries sent by
/// the client replace the stored ones, except on sub-resources; `[]` or `[{}]` clears them. A
/// stored object without entries gets none until it is applied to.
void UpdateManagedFields(codec::Document& document, codec::Value& object, const codec::Value* live,
                         const FieldWriter& writer);

struct ApplyRequest {
  FieldWriter writer;
  bool is_forced = false;  // takes over fields that others own instead of reporting conflicts
};

/// A field that another manager owns with a different value: a cause `FieldManagerConflict`.
struct ApplyConflict {
  std::string field;    // .spec.replicas
  std::string message;  // conflict with "kubectl" using apps/v1
};

struct ApplyResult {
  /// The merged object with its managedFields, in the `out` document. The caller must run Conform
  /// and ApplyDefaults on it: the configuration may contain nulls or unquoted quantities.
  codec::Value object;
  /// True if nothing changed, except possibly the ownership of fields.
  bool is_unchanged = false;
  /// If not empty, `object` is not set and the status is a Conflict (409).
  std::vector<ApplyConflict> conflicts;
  std::string conflict_message;  // Apply failed with 1 conflict: …
};

/// Merges a manager's configuration into the live object; null `live` creates the object. Removes
/// fields that this manager applied before and omits now, unless another manager owns them. Reports
/// conflicts. `config` must be the client's tree before defaulting and Conform.
///
/// When `kubectl` applies, it takes over without a conflict the fields that its last-applied
/// annotation has and that are still as it left them. Upstream compares the annotation as written.
/// This function also accepts it with the defaults filled in, so that atomic fields with defaults
/// (`fieldRef`, `volumeClaimTemplates`) do not conflict. The annotation is kept up.
///
/// BadRequest: `metadata.managedFields must be nil`, a wrong apiVersion. InternalError, in
/// upstream's words: `failed to create typed patch object (ns/name; apps/v1, Kind=Deployment):
/// .spec.foo: field not declared in schema`.
Result<ApplyResult> Apply(codec::Document& out, const codec::Value* live,
                          const codec::Value& config, const ApplyRequest& request);

}  // namespace plimsoll::api
