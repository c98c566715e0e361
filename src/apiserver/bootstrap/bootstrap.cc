#include "apiserver/bootstrap/bootstrap.h"

#include <utility>
#include <vector>

#include "apiserver/bootstrap/flow_control.h"
#include "apiserver/bootstrap/reconcile.h"
#include "apiserver/limits.h"

namespace plimsoll::apiserver {
namespace {

using Reconcile = Reconciled (*)(std::string_view existing, std::string_view wanted);

bool IsRace(const Status& status) {
  const Reason reason = status.error().reason;
  return reason == Reason::AlreadyExists || reason == Reason::Conflict ||
         reason == Reason::NotFound;
}

Status Apply(BootstrapWriter& writer, const DefaultObject& object, const Reconciled& change) {
  DefaultObject changed = object;
  changed.json = change.json;
  if (change.step == Reconciled::Step::Update) return writer.Update(changed);
  PL_TRY(writer.Delete(object));
  return writer.Create(changed);
}

Status TryOnce(BootstrapWriter& writer, const DefaultObject& object, Reconcile reconcile) {
  const std::optional<std::string> existing =
      PL_TRY(writer.Get(object.group, object.resource, object.namespace_, object.name));
  if (!existing) return writer.Create(object);
  if (reconcile == nullptr) return {};
  const Reconciled change = reconcile(*existing, object.json);
  return change.step == Reconciled::Step::Nothing ? Status() : Apply(writer, object, change);
}

Status Ensure(BootstrapWriter& writer, const DefaultObject& object, Reconcile reconcile) {
  Status done;
  for (int attempt = 0; attempt < kBootstrapAttemptsMax; ++attempt) {
    done = TryOnce(writer, object, reconcile);
    if (done || !IsRace(done)) break;
  }
  if (done) return done;
  return Fail(done.error().reason, std::string("could not write the default ")
                                       .append(object.resource)
                                       .append(" ")
                                       .append(object.name)
                                       .append(": ")
                                       .append(done.error().message));
}

}  // namespace

Status EnsureFlowControl(BootstrapWriter& writer) {
  for (const DefaultObject& object : MandatoryFlowControl()) {
    PL_TRY(Ensure(writer, object, ReconcileMandatoryFlowControl));
  }
  for (const DefaultObject& object : SuggestedFlowControl()) {
    PL_TRY(Ensure(writer, object, ReconcileSuggestedFlowControl));
  }
  return {};
}

Status EnsureSystemObjects(BootstrapWriter& writer, const BootstrapOptions& options) {
  for (const DefaultObject& object : DefaultNamespaces()) PL_TRY(Ensure(writer, object, nullptr));
  PL_TRY(Ensure(writer, AuthenticationConfigMap(options.client_ca_pem), ReconcileAuthentication));
  PL_TRY(Ensure(writer, TokenTrackingConfigMap(options.now), ReconcileTokenTracking));
  return Ensure(writer, KubernetesService(options.service_ip, options.port), ReconcileService);
}

Status Bootstrap(BootstrapWriter& writer, const BootstrapOptions& options) {
  PL_TRY(EnsureSystemObjects(writer, options));
  for (const DefaultObject& object : DefaultPriorityClasses()) {
    PL_TRY(Ensure(writer, object, nullptr));
  }
  for (const DefaultObject& object : DefaultClusterRoles()) {
    PL_TRY(Ensure(writer, object, ReconcileRole));
  }
  for (const DefaultObject& object : DefaultClusterRoleBindings()) {
    PL_TRY(Ensure(writer, object, ReconcileBinding));
  }
  for (const DefaultObject& object : DefaultRoles()) PL_TRY(Ensure(writer, object, ReconcileRole));
  for (const DefaultObject& object : DefaultRoleBindings()) {
    PL_TRY(Ensure(writer, object, ReconcileBinding));
  }
  const std::vector<DefaultObject> rights = ControllerManagerRoles();
  PL_TRY(Ensure(writer, rights[0], ReconcileRole));
  PL_TRY(Ensure(writer, rights[1], ReconcileBinding));
  return EnsureFlowControl(writer);
}

}  // namespace plimsoll::apiserver
