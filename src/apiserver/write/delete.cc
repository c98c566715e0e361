#include "apiserver/write/delete.h"

#include <fmt/format.h>

#include "apiserver/read/served_object.h"
#include "apiserver/resource/stored_bytes.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/deletion_plan.h"
#include "apiserver/write/versions.h"
#include "apiserver/write/write_path.h"

namespace plimsoll::apiserver {
namespace {

using Step = DeletionPlan::Step;

api::StatusObject Mismatch(const WriteTarget& target, std::string_view field,
                           std::string_view asked, std::string_view have, std::string_view remark) {
  if (target.resource->is_namespaces()) {
    return api::Conflict(target.Subject(),
                         fmt::format("Precondition failed: {0} in precondition: {1}, {0} in object "
                                     "meta: {2}",
                                     field, asked, have));
  }
  // Upstream has the kind here, where other messages have the resource.
  const api::StatusSubject subject{target.resource->group(), target.resource->kind->kind,
                                   target.name};
  return api::Conflict(
      subject, fmt::format("the {0} in the precondition ({1}) does not match the {0} in record "
                           "({2}). The object might have been {3}",
                           field, asked, have, remark));
}

/// Sets `marked` to the object with its deletionTimestamp, for a retry after a conflict.
api::Answer<std::optional<Deleted>> TryDelete(Writer& writer, const WriteTarget& target,
                                              const DeleteOptions& options,
                                              const ObjectPtr& current, ObjectPtr& marked) {
  if (current == nullptr) {
    if (marked == nullptr) return std::unexpected(api::NotFound(target.Subject()));
    return Deleted{.object = marked, .json = {}, .is_gone = true};
  }
  const auto before = PL_TRY(current->Decode());
  // The mark has changed the resourceVersion, so only the first attempt checks it.
  if (marked == nullptr)
    PL_TRY(CheckPreconditions(target, options, current->uid(), VersionOf(*current)));
  AdmissionAttributes attributes = AttributesOf(target, Operation::Delete, nullptr, before.get());
  PL_TRY(writer.Admit(attributes));
  PL_TRY(writer.Validate(attributes));
  const DeletionPlan plan =
      PlanDeletion(*target.resource, *before, options, writer.parts().clock.Now());
  if (target.is_dry_run) return DryRun(plan, current);
  if (plan.step == Step::Keep) return Deleted{.object = current, .json = {}, .is_gone = false};
  ObjectPtr last = current;
  if (plan.step != Step::Remove) {
    std::optional<Written> written =
        PL_TRY(writer.Commit(target, target.name, plan.marked, last->revision()));
    if (!written) return std::nullopt;
    last = std::move(written->object);
    if (plan.step == Step::Mark) return Deleted{.object = last, .json = {}, .is_gone = false};
    marked = last;
  }
  const auto gone = PL_TRY(writer.Remove(target, target.name, last->revision()));
  if (!gone) return std::nullopt;
  return Deleted{.object = last->At(*gone), .json = {}, .is_gone = true};
}

}  // namespace

std::string VersionOf(const StoredObject& object) {
  return fmt::format("{}", store::Number(object.revision()));
}

api::Answer<void> CheckPreconditions(const WriteTarget& target, const DeleteOptions& options,
                                     std::string_view uid, std::string_view version) {
  if (options.uid && *options.uid != uid) {
    return std::unexpected(
        Mismatch(target, "UID", *options.uid, uid, "deleted and then recreated"));
  }
  if (options.resource_version && *options.resource_version != version) {
    return std::unexpected(
        Mismatch(target, "ResourceVersion", *options.resource_version, version, "modified"));
  }
  return {};
}

Deleted DryRun(const DeletionPlan& plan, const ObjectPtr& current) {
  Deleted out{.object = current, .json = {}, .is_gone = false};
  out.is_gone = plan.step == Step::Remove || plan.step == Step::MarkThenRemove;
  if (plan.marked != nullptr) {
    out.json = *WithRevision(EncodeForStore(plan.marked->root()), current->revision());
  }
  return out;
}

api::Answer<Deleted> DeleteObject(Writer& writer, const WriteTarget& target,
                                  const DeleteOptions& options) {
  ObjectPtr marked;
  return writer.RetryOnConflict<Deleted>(target, [&](const ObjectPtr& current) {
    return TryDelete(writer, target, options, current, marked);
  });
}

WriteTarget DeleteTarget(ApiRequest& request, const DeleteOptions& options) {
  WriteTarget target = TargetOf(request);
  target.is_dry_run = options.is_dry_run;
  return target;
}

api::Answer<net::Response> ServeDelete(Writer& writer, ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const DeleteOptions options = PL_TRY(ReadDeleteOptions(request));
  const WriteTarget target = DeleteTarget(request, options);
  const Strategy& strategy = StrategyOf(*target.resource->kind);
  if (target.resource->group() == "batch" && strategy.dependents == DependentsRule::Orphan &&
      !options.propagation_policy && !options.orphan_dependents) {
    request.warnings.emplace_back(
        "child pods are preserved by default when jobs are deleted; set "
        "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress "
        "this warning");
  }
  const Deleted deleted = PL_TRY(DeleteObject(writer, StoredTarget(writer, target), options));
  const bool is_cascading = options.orphan_dependents && !*options.orphan_dependents;
  const int status = !deleted.is_gone && is_cascading ? 202 : 200;
  if (deleted.is_gone && !strategy.returns_deleted) {
    const api::StatusDetails details{.name = target.name,
                                     .group = std::string(target.resource->group()),
                                     .kind = std::string(target.resource->name()),
                                     .uid = std::string(deleted.object->uid()),
                                     .causes = {},
                                     .retry_after_seconds = 0};
    return RespondJson(request, wanted, status, api::Success(200, details).Json());
  }
  if (!deleted.json.empty()) {
    return RespondJson(request, wanted, status,
                       PL_TRY(ToServedJson(*target.resource, deleted.json)));
  }
  return RespondObject(request, wanted, status, AsServed(*target.resource, deleted.object),
                       writer.parts().clock.Now());
}

}  // namespace plimsoll::apiserver
