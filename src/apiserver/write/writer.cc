#include "apiserver/write/writer.h"

#include <fmt/format.h>

#include "api/disabled_fields.h"
#include "api/validation/gate_hints.h"
#include "api/validation/object.h"
#include "api/validation/object_meta.h"
#include "apiserver/resource/stored_bytes.h"
#include "apiserver/strategy/annotation_warnings.h"
#include "apiserver/strategy/pod_warnings.h"
#include "apiserver/write/metadata.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr int kNameAttempts = 8;

TreePtr TreeOf(const Draft& draft) { return {draft, &draft->root()}; }

api::StatusObject Refusal(int code, std::string message) {
  return {.code = code,
          .reason = {},
          .message = std::move(message),
          .details = {},
          .is_success = false};
}

/// Adds warnings for validation errors that a disabled feature gate causes.
void AddGateHints(const api::FieldErrors& errors, const api::FeatureGates& gates,
                  std::vector<std::string>& warnings) {
  for (std::string& hint : api::GateHints(errors, gates)) warnings.push_back(std::move(hint));
}

api::Answer<void> CheckUid(const WriteTarget& target, const UpdateRules& rules,
                           std::string_view uid) {
  if (rules.uid.empty() || rules.uid == uid) return {};
  return std::unexpected(PreconditionFailed(target, "UID", rules.uid, uid));
}

/// Checks that an update was made from the current version, or, for most kinds, names none. A text
/// that is no version is a conflict like any other version.
api::Answer<void> CheckVersion(const WriteTarget& target, const ObjectEditor& object,
                               const StoredObject& current) {
  const std::int64_t have = store::Number(current.revision());
  if (object.Child("metadata").Text("resourceVersion").empty()) {
    if (!StrategyOf(*target.Served().kind).allows_unconditional_update) {
      api::FieldErrors errors;
      const api::FieldPath metadata("metadata");
      errors.Invalid(metadata / "resourceVersion", api::BadValue::Int(0),
                     "must be specified for an update");
      return std::unexpected(
          api::Invalid(target.resource->group(), target.resource->name(), target.name, errors));
    }
  } else if (ResourceVersionOf(object.value()) != static_cast<std::uint64_t>(have)) {
    return std::unexpected(api::Modified(target.Subject()));
  }
  object.Child("metadata").SetText("resourceVersion", fmt::format("{}", have));
  return {};
}

}  // namespace

api::StatusObject PreconditionFailed(const WriteTarget& target, std::string_view field,
                                     std::string_view asked, std::string_view have) {
  return api::Conflict(
      target.Subject(),
      fmt::format("StorageError: invalid object, Code: 4, Key: {0}, ResourceVersion: 0, "
                  "AdditionalErrorMsg: Precondition failed: {1} in precondition: {2}, {1} in "
                  "object meta: {3}",
                  target.resource->KeyOf(target.namespace_, target.name), field, asked, have));
}

AdmissionAttributes AttributesOf(const WriteTarget& target, Operation operation,
                                 codec::Document* document, const api::Object* before) {
  AdmissionAttributes out;
  out.operation = operation;
  out.resource = target.resource;
  out.subresource = target.subresource;
  out.name = target.name;
  if (out.name.empty() && document != nullptr) {
    out.name = TextAt(document->root(), "metadata", "name");
  }
  out.namespace_ =
      target.resource->is_namespaces() ? out.name : std::string_view(target.namespace_);
  out.document = document;
  out.kind = target.resource->kind;
  out.before = before;
  out.user = target.user;
  out.is_dry_run = target.is_dry_run;
  out.warnings = target.warnings;
  out.audit = target.audit;
  return out;
}

store::Write MakeWrite(std::string key, const Draft& draft, store::Revision expected) {
  return {std::move(key), MakeBytes(EncodeForStore(draft->root())), expected,
          MakePayload(TreeOf(draft))};
}

api::StatusObject WriteTookTooLong() {
  return api::TimedOut(
      "request did not complete within requested timeout - context deadline exceeded", 0);
}

const Resource& Writer::Stored(const Resource& resource) const {
  if (resource.kind == resource.stored) return resource;
  const Resource* stored = parts_.resources.Find(resource.stored->group, resource.stored->version,
                                                 resource.stored->plural);
  PL_ASSERT(stored != nullptr);
  return *stored;
}

api::Answer<void> Writer::Admit(AdmissionAttributes& attributes) const {
  for (Admission* gate : parts_.admission) PL_TRY(gate->Admit(attributes));
  return {};
}

api::Answer<void> Writer::Validate(const AdmissionAttributes& attributes) const {
  for (Admission* gate : parts_.admission) PL_TRY(gate->Validate(attributes));
  return {};
}

api::Answer<ObjectPtr> Writer::Find(const WriteTarget& target, bool is_latest) {
  const Resource& stored = Stored(*target.resource);
  if (!is_latest) {
    if (ObjectPtr found = parts_.cache.Get(stored, target.namespace_, target.name)) return found;
  }
  auto latest = parts_.cache.GetLatest(stored, target.namespace_, target.name);
  if (!latest) return std::unexpected(api::FromError(latest.error()));
  return *latest;
}

api::Answer<std::optional<Written>> Writer::Commit(const WriteTarget& target, std::string_view name,
                                                   const Draft& draft, store::Revision expected) {
  store::Write write = MakeWrite(target.resource->KeyOf(target.namespace_, name), draft, expected);
  const Bytes bytes = write.value;
  const Result<store::Revision> revision = parts_.store.CommitAndWait(std::move(write));
  if (!revision) {
    if (revision.error().reason == Reason::Conflict) return std::nullopt;
    return std::unexpected(api::FromError(revision.error()));
  }
  // The store updates the cache before the writer, so the cache usually has the object.
  const Resource& resource = Stored(*target.resource);
  Written written;
  written.object = parts_.cache.Get(resource, target.namespace_, name);
  if (written.object == nullptr || written.object->revision() != *revision) {
    auto made = StoredObject::Make(resource, *bytes, *revision, TreeOf(draft));
    if (!made) return std::unexpected(api::FromError(made.error()));
    written.object = std::move(*made);
  }
  return written;
}

api::Answer<std::optional<store::Revision>> Writer::Remove(const WriteTarget& target,
                                                           std::string_view name,
                                                           store::Revision expected) {
  const Result<store::Revision> revision = parts_.store.CommitAndWait(
      {target.resource->KeyOf(target.namespace_, name), nullptr, expected});
  if (revision) return *revision;
  if (revision.error().reason == Reason::Conflict) return std::nullopt;
  return std::unexpected(api::FromError(revision.error()));
}

api::Answer<Written> Writer::Create(const WriteTarget& target, const Draft& draft) {
  const ObjectEditor object(*draft, *target.resource->kind);
  WipeSystemFields(object);
  PL_TRY(SetNamespace(target, object));
  AdmissionAttributes attributes = AttributesOf(target, Operation::Create, draft.get(), nullptr);
  PL_TRY(Admit(attributes));
  DropDuplicateOwners(target, object, true);
  DropEmptyFields(object);
  return FinishCreate(target, draft);
}

api::Answer<Written> Writer::FinishCreate(const WriteTarget& target, const Draft& draft) {
  const api::KindDesc& kind = *target.resource->kind;
  const ObjectEditor object(*draft, kind);
  FillSystemFields(object, parts_.identity.NewUid(), parts_.clock.Now());
  const ObjectEditor metadata = object.Child("metadata");
  const std::string_view base = metadata.Text("generateName");
  const bool is_name_generated = metadata.Text("name").empty() && !base.empty();
  if (is_name_generated) metadata.SetText("name", parts_.identity.NewName(base));

  std::vector<Reservation> reservations;
  const StrategyContext context{parts_.clock.Now(), parts_.services, target.is_dry_run,
                                *target.warnings, reservations};
  PL_TRY(PrepareForCreate(*target.resource, context, object));
  api::DropDisabledFields(*draft, draft->root(), kind, parts_.validation.gates);
  {
    const api::Object decoded(draft, draft->root(), kind);
    const api::FieldErrors errors = api::ValidateCreate(decoded, parts_.validation);
    if (!errors.empty()) {
      AddGateHints(errors, parts_.validation.gates, *target.warnings);
      return std::unexpected(api::Invalid(kind.group, kind.kind, decoded.metadata().name, errors));
    }
  }
  WarnAboutPod(*target.resource, draft->root(), *target.warnings);
  WarnAboutAnnotations(draft->root(), nullptr, *target.warnings);
  Canonicalize(*target.resource, parts_.clock.Now(), object, nullptr);
  PL_TRY(Validate(AttributesOf(target, Operation::Create, draft.get(), nullptr)));
  const api::Answer<std::uint64_t> version = ResourceVersionOf(draft->root());
  if (version && *version != 0) {
    return std::unexpected(
        Refusal(500, "resourceVersion should not be set on objects to be created"));
  }
  return StoreNew(target, draft, is_name_generated);
}

api::Answer<Written> Writer::StoreNew(const WriteTarget& target, const Draft& draft,
                                      bool is_name_generated) {
  const ObjectEditor object(*draft, *target.resource->kind);
  for (int attempt = 1;; ++attempt) {
    const std::string name(TextAt(draft->root(), "metadata", "name"));
    WriteTarget named = target;
    named.name = name;
    std::optional<Written> written;
    if (target.is_dry_run) {
      const ObjectPtr taken = PL_TRY(Find(named, false));
      if (taken == nullptr) {
        return Written{.object = {}, .json = EncodeForStore(draft->root()), .is_created = true};
      }
    } else {
      written = PL_TRY(Commit(target, name, draft, store::kNoRevision));
    }
    if (written) {
      written->is_created = true;
      return std::move(*written);
    }
    if (!is_name_generated || attempt == kNameAttempts) {
      api::StatusObject status = is_name_generated ? api::GeneratedNameTaken(named.Subject())
                                                   : api::AlreadyExists(named.Subject());
      const ObjectPtr taken = PL_TRY(Find(named, false));
      if (taken != nullptr && !PL_TRY(taken->Decode())->metadata().deletion_timestamp.empty()) {
        status.message = "object is being deleted: " + status.message;
      }
      return std::unexpected(std::move(status));
    }
    const ObjectEditor metadata = object.Child("metadata");
    metadata.SetText("name", parts_.identity.NewName(metadata.Text("generateName")));
  }
}

api::Answer<Written> Writer::Update(const WriteTarget& target, const UpdateRules& rules,
                                    const Change& change) {
  return RetryOnConflict<Written>(
      target, [&](const ObjectPtr& current) { return TryUpdate(target, rules, change, current); });
}

api::Answer<void> Writer::PrepareUpdate(const WriteTarget& target, const Draft& draft,
                                        const api::Object& before,
                                        std::vector<Reservation>& reservations) {
  const api::KindDesc& kind = *target.resource->kind;
  const ObjectEditor object(*draft, kind);
  KeepSystemFields(object, before.tree());
  const StrategyContext context{parts_.clock.Now(), parts_.services, target.is_dry_run,
                                *target.warnings, reservations};
  PL_TRY(PrepareForUpdate(*target.resource, target.subresource, context, object, before.tree()));
  api::DropDisabledFields(*draft, draft->root(), kind, parts_.validation.gates, &before.tree());
  {
    const api::Object now(draft, draft->root(), kind);
    const api::FieldErrors errors = target.subresource.empty()
                                        ? api::ValidateUpdate(now, before, parts_.validation)
                                        : api::ValidateStatusUpdate(now, before, parts_.validation);
    if (!errors.empty()) {
      AddGateHints(errors, parts_.validation.gates, *target.warnings);
      return std::unexpected(api::Invalid(kind.group, kind.kind, now.metadata().name, errors));
    }
  }
  WarnAboutAnnotations(draft->root(), &before.tree(), *target.warnings);
  Canonicalize(*target.resource, parts_.clock.Now(), object, &before.tree());
  return Validate(AttributesOf(target, Operation::Update, draft.get(), &before));
}

api::Answer<void> Writer::AuthorizeCreate(const WriteTarget& target) const {
  RequestInfo what;
  what.is_resource_request = true;
  what.verb = "create";
  what.group = target.resource->group();
  what.version = target.resource->kind->version;
  what.namespace_ = target.namespace_;
  what.resource = target.resource->name();
  what.subresource = target.subresource;
  what.name = target.name;
  const Decision decision = parts_.authorizer.Authorize(*target.user, what);
  if (decision.is_allowed) return {};
  return std::unexpected(api::Forbidden(target.Subject(), decision.reason));
}

bool Writer::IsStale(const WriteTarget& target) const {
  if (!parts_.is_stale || target.is_dry_run) return false;
  return parts_.is_stale(target.resource->KeyOf(target.namespace_, target.name));
}

api::Answer<std::optional<Written>> Writer::TryUpdate(const WriteTarget& target,
                                                      const UpdateRules& rules,
                                                      const Change& change,
                                                      const ObjectPtr& current) {
  PL_TRY(CheckUid(target, rules, current == nullptr ? std::string_view() : current->uid()));
  const bool may_create =
      rules.allows_create || StrategyOf(*target.resource->kind).allows_create_on_update;
  if (current == nullptr && !may_create) return std::unexpected(api::NotFound(target.Subject()));
  std::shared_ptr<const api::Object> before;
  if (current != nullptr) before = PL_TRY(current->Decode());
  const Draft draft = PL_TRY(change(before.get()));
  AdmissionAttributes attributes = AttributesOf(
      target, before == nullptr ? Operation::Create : Operation::Update, draft.get(), before.get());
  PL_TRY(Admit(attributes));
  const ObjectEditor object(*draft, *target.resource->kind);
  DropDuplicateOwners(target, object, true);
  DropEmptyFields(object);
  if (current == nullptr) {
    PL_TRY(AuthorizeCreate(target));
    // The resourceVersion belongs to an object that no longer exists.
    object.Child("metadata").Remove("resourceVersion");
    return PL_TRY(FinishCreate(target, draft));
  }
  PL_TRY(CheckVersion(target, object, *current));
  std::vector<Reservation> reservations;
  PL_TRY(PrepareUpdate(target, draft, *before, reservations));
  const bool is_leaving = CanBeRemoved(target, draft->root(), before->tree());
  if (!is_leaving && IsUnchanged(draft->root(), before->tree()) && !IsStale(target)) {
    return Written{.object = current, .json = {}};
  }
  if (!target.is_dry_run && !is_leaving) {
    return Commit(target, target.name, draft, current->revision());
  }
  if (is_leaving && !target.is_dry_run &&
      !PL_TRY(Remove(target, target.name, current->revision()))) {
    return std::nullopt;
  }
  return Written{.object = {},
                 .json = *WithRevision(EncodeForStore(draft->root()), current->revision()),
                 .is_created = false,
                 .is_removed = is_leaving};
}

}  // namespace plimsoll::apiserver
