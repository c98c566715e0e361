#include "api/apply/zero_object.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Value;

struct HeldByValue {
  std::string_view type;  // without the package
  std::string_view field;
};

/// Optional structs that Go holds by value. Only those reachable through other
/// structs held by value matter. `metadata`, `spec` and `status` of an object
/// and of a template always are.
constexpr auto kHeldByValue = std::to_array<HeldByValue>({
    {"CronJobSpec", "jobTemplate"},
    {"DaemonSetSpec", "template"},
    {"DaemonSetSpec", "updateStrategy"},
    {"DeploymentSpec", "strategy"},
    {"DeploymentSpec", "template"},
    {"Event", "involvedObject"},
    {"Event", "source"},
    {"JobSpec", "template"},
    {"NodeDaemonEndpoints", "kubeletEndpoint"},
    {"NodeStatus", "daemonEndpoints"},
    {"NodeStatus", "nodeInfo"},
    {"PersistentVolumeClaimSpec", "resources"},
    {"ReplicaSetSpec", "template"},
    {"ResourceClaimSpec", "devices"},
    {"ResourceSliceSpec", "pool"},
    {"ServiceStatus", "loadBalancer"},
    {"StatefulSetSpec", "template"},
    {"StatefulSetSpec", "updateStrategy"},
});

bool IsHeldByValue(std::string_view type, const FieldDesc& field) {
  if (field.name == "metadata" || field.name == "spec" || field.name == "status") return true;
  return std::ranges::any_of(kHeldByValue, [&](const HeldByValue& held) {
    return held.type == type && held.field == field.name;
  });
}

Value ZeroOf(const FieldDesc& field) {
  switch (field.shape->kind) {
    case ShapeKind::String:
    case ShapeKind::Bytes:
      return Value::String("");
    case ShapeKind::Int32:
    case ShapeKind::Int64:
    case ShapeKind::IntOrString:
      return Value::Int(0);
    case ShapeKind::Bool:
      return Value::Bool(false);
    case ShapeKind::Quantity:
      return Value::String("0");
    default:
      return {};
  }
}

}  // namespace

Value ZeroObject(Document& out, const TypeDesc& type) {
  const std::string_view name = type.go_name.substr(type.go_name.rfind('.') + 1);
  Value object = out.NewObject(4);
  for (const FieldDesc& field : type.fields) {
    if (field.shape->kind == ShapeKind::Struct && IsHeldByValue(name, field)) {
      out.AppendMember(object, {field.name, ZeroObject(out, *field.shape->type)});
    } else if (field.required) {
      out.AppendMember(object, {field.name, ZeroOf(field)});
    }
  }
  return object;
}

}  // namespace plimsoll::api
