#include "api/validation/object.h"

#include "api/kind_hooks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/object_meta.h"
#include "base/assert.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

constexpr FieldPath kMetadata("metadata");

void ValidateMetadata(const KindHooks& hooks, const KindChange& change, FieldErrors& errors) {
  const bool is_update = change.before != nullptr;
  // Reviews are not stored, so they need no name.
  if (hooks.name != NameRule::None && (!is_update || hooks.checks_metadata_on_update)) {
    ValidateObjectMeta(change.now.metadata(),
                       change.now.kind().is_namespaced ? Scope::Namespaced : Scope::Cluster,
                       hooks.name, kMetadata, errors);
  }
  if (is_update) {
    ValidateObjectMetaUpdate(change.now.metadata(), change.before->metadata(), kMetadata, errors);
  }
}

FieldErrors Validate(const KindChange& change) {
  const KindHooks& hooks = HooksOf(change.now.kind());
  FieldErrors errors;
  if (hooks.authorize != nullptr) hooks.authorize(change, errors);
  if (!hooks.checks_own_metadata) ValidateMetadata(hooks, change, errors);
  if (hooks.validate != nullptr) hooks.validate(change, errors);
  return errors;
}

}  // namespace

FieldErrors ValidateCreate(const Object& object, const ValidationContext& context) {
  return Validate({object, nullptr, context});
}

FieldErrors ValidateUpdate(const Object& now, const Object& before,
                           const ValidationContext& context) {
  PL_ASSERT(&now.kind() == &before.kind());
  return Validate({now, &before, context});
}

FieldErrors ValidateStatusUpdate(const Object& now, const Object& before,
                                 const ValidationContext& context) {
  PL_ASSERT(&now.kind() == &before.kind());
  FieldErrors errors;
  ValidateObjectMetaUpdate(now.metadata(), before.metadata(), kMetadata, errors);
  const KindHooks& hooks = HooksOf(now.kind());
  if (hooks.validate_status != nullptr) hooks.validate_status({now, &before, context}, errors);
  return errors;
}

std::string InvalidPrefix(const Object& object) {
  std::string text(object.kind().kind);
  if (!object.kind().group.empty()) text.append(".").append(object.kind().group);
  return text + " " + GoQuote(object.metadata().name) + " is invalid: ";
}

}  // namespace plimsoll::api
