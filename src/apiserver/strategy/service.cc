#include <fmt/format.h>

#include "apiserver/strategy/kinds.h"

namespace plimsoll::apiserver::kinds {
namespace {

using codec::Value;

bool NeedsAddress(const ObjectEditor& spec) { return spec.Text("type") != "ExternalName"; }

bool NeedsPorts(const ObjectEditor& spec) {
  const std::string_view type = spec.Text("type");
  if (type == "NodePort") return true;
  const Value* wanted = spec.Find("allocateLoadBalancerNodePorts");
  return type == "LoadBalancer" && (wanted == nullptr || wanted->AsBool());
}

std::unexpected<api::StatusObject> Refused(const ObjectEditor& service, api::FieldErrors errors) {
  return std::unexpected(
      api::Invalid("", "Service", TextAt(service.value(), "metadata", "name"), errors));
}

/// Sets the address family fields from the address: only one family is supported.
void SetFamilies(const ObjectEditor& spec, std::string_view ip) {
  codec::Document& document = spec.document();
  if (!spec.Has("clusterIPs")) {
    Value ips = document.NewArray(1);
    document.Append(ips, document.NewString(ip));
    spec.Set("clusterIPs", ips);
  }
  if (!spec.Has("ipFamilies")) {
    Value families = document.NewArray(1);
    document.Append(families, Value::String(ip.contains(':') ? "IPv6" : "IPv4"));
    spec.Set("ipFamilies", families);
  }
  if (!spec.Has("ipFamilyPolicy")) spec.SetText("ipFamilyPolicy", "SingleStack");
}

api::Answer<void> AssignAddress(const StrategyContext& context, const ObjectEditor& service) {
  const ObjectEditor spec = service.Child("spec");
  const std::string wanted(spec.Text("clusterIP"));
  if (!NeedsAddress(spec)) return {};
  if (wanted == "None") {
    SetFamilies(spec, wanted);
    return {};
  }
  if (wanted.empty()) {
    ServiceAddresses::Address address =
        PL_TRY(context.services.AllocateAddress(context.is_dry_run));
    context.reservations.push_back(std::move(address.reservation));
    spec.SetText("clusterIP", address.ip);
    SetFamilies(spec, address.ip);
    return {};
  }
  api::FieldErrors errors;
  const api::FieldPath root("spec");
  const api::FieldPath at = root / "clusterIPs";
  const auto shown = api::BadValue::Json(fmt::format("[\"{}\"]", wanted));
  if (!ServiceAddresses::IsInRange(wanted)) {
    errors.Invalid(at, shown,
                   fmt::format("failed to allocate IP {}: the provided network does not match the "
                               "current range",
                               wanted));
  } else if (auto reserved = PL_TRY(context.services.ReserveAddress(wanted, context.is_dry_run))) {
    context.reservations.push_back(std::move(*reserved));
  } else {
    errors.Invalid(
        at, shown,
        fmt::format("failed to allocate IP {}: provided IP is already allocated", wanted));
  }
  if (!errors.empty()) return Refused(service, std::move(errors));
  SetFamilies(spec, wanted);
  return {};
}

api::Answer<void> AssignPort(const StrategyContext& context, const ObjectEditor& service,
                             const ObjectEditor& port, std::size_t index, const Value* before) {
  const std::int64_t wanted = port.Int("nodePort");
  if (wanted == 0) {
    ServiceAddresses::Port got = PL_TRY(context.services.AllocatePort(context.is_dry_run));
    context.reservations.push_back(std::move(got.reservation));
    port.SetInt("nodePort", got.port);
    return {};
  }
  if (before != nullptr) {
    for (const Value& own : before->items()) {
      const Value* number = own.Find("nodePort");
      if (number != nullptr && number->AsInt() == wanted) return {};
    }
  }
  if (auto reserved = PL_TRY(
          context.services.ReservePort(static_cast<std::int32_t>(wanted), context.is_dry_run))) {
    context.reservations.push_back(std::move(*reserved));
    return {};
  }
  api::FieldErrors errors;
  const api::FieldPath root("spec");
  const api::FieldPath list = root / "ports";
  const api::FieldPath item = list[index];
  errors.Invalid(item / "nodePort", api::BadValue::Int(wanted),
                 "provided port is already allocated");
  return Refused(service, std::move(errors));
}

api::Answer<void> AssignPorts(const StrategyContext& context, const ObjectEditor& service,
                              const Value* before) {
  const ObjectEditor spec = service.Child("spec");
  Value* ports = spec.Find("ports");
  if (ports == nullptr || !NeedsPorts(spec)) return {};
  std::size_t index = 0;
  for (Value& item : ports->items()) {
    const ObjectEditor port(service.document(), item, spec.ItemType("ports"));
    PL_TRY(AssignPort(context, service, port, index++, before));
  }
  return {};
}

/// Keeps values that the server chose if a client's update omits them.
void KeepChosen(const ObjectEditor& spec, const Value& before) {
  if (NeedsAddress(spec) && spec.Text("clusterIP").empty() &&
      TextAt(before, "type") != "ExternalName") {
    spec.CopyFrom(&before, "clusterIP");
    spec.CopyFrom(&before, "clusterIPs");
  }
  for (const std::string_view field : {"ipFamilies", "ipFamilyPolicy"}) {
    if (!spec.Has(field) && NeedsAddress(spec)) spec.CopyFrom(&before, field);
  }
  Value* ports = spec.Find("ports");
  const Value* theirs = before.Find("ports");
  if (ports == nullptr || theirs == nullptr || !NeedsPorts(spec)) return;
  for (Value& item : ports->items()) {
    const ObjectEditor port(spec.document(), item, spec.ItemType("ports"));
    if (port.Int("nodePort") != 0) continue;
    for (const Value& own : theirs->items()) {
      const Value* number = own.Find("port");
      const bool is_same = number != nullptr && number->AsInt() == port.Int("port") &&
                           TextAt(own, "protocol") == port.Text("protocol");
      if (is_same) port.CopyFrom(&own, "nodePort");
    }
  }
}

}  // namespace

api::Answer<void> CreateService(const StrategyContext& context, ObjectEditor service) {
  service.Child("status").Child("loadBalancer");
  PL_TRY(AssignAddress(context, service));
  return AssignPorts(context, service, nullptr);
}

api::Answer<void> UpdateService(const StrategyContext& context, ObjectEditor service,
                                const Value& before) {
  const Value* then = before.Find("spec");
  if (then == nullptr) return {};
  const ObjectEditor spec = service.Child("spec");
  KeepChosen(spec, *then);
  if (!NeedsAddress(spec)) {
    for (const std::string_view field :
         {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
      spec.Remove(field);
    }
    return {};
  }
  if (spec.Text("clusterIP") != TextAt(*then, "clusterIP")) {
    PL_TRY(AssignAddress(context, service));
  }
  return AssignPorts(context, service, then->Find("ports"));
}

}  // namespace plimsoll::apiserver::kinds
