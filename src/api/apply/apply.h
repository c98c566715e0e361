#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "base/result.h"
#include "base/time.h"
#include "codec/document.h"

/// Server-side apply: who owns which fields of an object, and how a configuration becomes part of
/// it. All of it is pure; it is the write path that knows what is stored and what time it is.
namespace plimsoll::api {

/// Who writes, and through what.
struct FieldWriter {
  std::string_view manager;        // empty: `unknown`
  const KindDesc* kind = nullptr;  // of the object
  std::string_view subresource;    // `status`; empty: the object itself
  Instant now{};
};

/// For every write but an apply: sets metadata.managedFields of the object that is about to be
/// stored, whose tree lies in `document`. `live` is what is stored now, null for a create.
///
/// The manager comes to own what it added and changed, everybody loses what was removed, and the
/// others what was changed. What no write can change (names, versions, and the fields that the
/// sub-resource leaves alone) is nobody's. A time moves only with a change. Entries that the client
/// sent are taken for the present ones, but for sub-resources; `[]` or `[{}]` clears them. An
/// object without owners stays so until it is applied to.
void UpdateManagedFields(codec::Document& document, codec::Value& object, const codec::Value* live,
                         const FieldWriter& writer);

struct ApplyRequest {
  FieldWriter writer;
  bool is_forced = false;  // takes what others own instead of refusing
};

/// A field that somebody else wants otherwise: a cause `FieldManagerConflict` of the status.
struct ApplyConflict {
  std::string field;    // .spec.replicas
  std::string message;  // conflict with "kubectl" using apps/v1
};

struct ApplyResult {
  /// The object with its managedFields, in the document that was given. It is to be held against
  /// its type again, and defaulted: the configuration may say null, or leave numbers unquoted.
  codec::Value object;
  /// Nothing changed but, perhaps, who owns what.
  bool is_unchanged = false;
  /// If there are any, there is no object. The status is a Conflict (409).
  std::vector<ApplyConflict> conflicts;
  std::string conflict_message;  // Apply failed with 1 conflict: …
};

/// Merges what a manager wants into the live object (null: it is created), takes away what the same
/// manager wanted before and now does not, unless somebody else owns it, and refuses what others
/// own with another value. `config` is the client's tree, before anything was filled in or dropped.
///
/// When `kubectl` applies, conflicts with what its own last-applied annotation asked for are taken
/// over, and the annotation is kept up.
///
/// BadRequest: `metadata.managedFields must be nil`, a wrong apiVersion. InternalError, in
/// upstream's words: `failed to create typed patch object (ns/name; apps/v1, Kind=Deployment):
/// .spec.foo: field not declared in schema`.
Result<ApplyResult> Apply(codec::Document& out, const codec::Value* live,
                          const codec::Value& config, const ApplyRequest& request);

}  // namespace plimsoll::api
