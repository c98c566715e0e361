#include "scheduler_cluster.h"

#include "api/object.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::bench {
namespace {

constexpr std::size_t kTemplates = 1'000;

std::string Tolerations(PodKind kind, std::size_t t) {
  if (kind == PodKind::Filler || kind == PodKind::Preemptor || HasClaim(kind)) {
    return R"([{"operator":"Exists"}])";
  }
  if (kind != PodKind::Templates) return R"([{"key":"risk","operator":"Lt","value":"50"}])";
  const std::string team = std::to_string(t % 7);
  return R"([{"key":"risk","operator":")" + std::string(t % 3 == 0 ? "Gt" : "Lt") +
         R"(","value":")" + std::to_string(20 + t % 60) +
         R"("},{"key":"driver","operator":"SemverGt","value":"v1.)" + std::to_string(t % 12) +
         R"(.0"},{"expression":"taint.key == 'team' && taint.value in ['t1', 't)" + team +
         R"(']"}])";
}

std::string Affinity(PodKind kind, std::size_t t) {
  switch (kind) {
    case PodKind::Threshold:
      return "{}";
    case PodKind::Device:
    case PodKind::PickyDevice:
      return R"({"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"gpu"}]})";
    case PodKind::Filler:
      return R"({"priority":0})";
    case PodKind::Preemptor:
      return R"({"priority":1000})";
    case PodKind::Spread:
      return R"({"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
             R"("whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"a"}}}]})";
    case PodKind::AntiAffinity:
      return R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
             R"({"topologyKey":"host","labelSelector":{"matchLabels":{"app":"a"}}}]}}})";
    case PodKind::Templates:
      return R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
             R"({"nodeSelectorTerms":[{"matchExpressions":[)"
             R"({"key":"generation","operator":"Gt","values":[")" +
             std::to_string(t % 4) + R"("]},{"key":"zone","operator":"NotIn","values":["z)" +
             std::to_string(t % 5) + R"("]}]}]}}}})";
  }
  return "{}";
}

std::string Cpu(PodKind kind, std::size_t t) {
  if (kind == PodKind::Filler || kind == PodKind::Preemptor) return "8";
  return std::to_string(100 * (1 + t % 4)) + "m";
}

std::string Status(PodKind kind, const std::string& pod, const PodState& state) {
  std::string text = R"({"phase":"Pending")";
  if (HasClaim(kind)) {
    text += R"(,"resourceClaimStatuses":[{"name":"gpu","resourceClaimName":")" + pod + R"("}])";
  }
  if (!state.message.empty()) {
    text += R"(,"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable",)"
            R"("message":")" +
            std::string(state.message) + R"("}])";
  }
  if (!state.nominated_node.empty()) {
    text += R"(,"nominatedNodeName":")" + std::string(state.nominated_node) + "\"";
  }
  return text + "}";
}

scheduler::ObjectPtr Decode(std::string text) {
  auto document = codec::ParseJson(std::move(text));
  PL_ASSERT(document.has_value());
  const std::shared_ptr<codec::Document> shared = std::move(*document);
  auto decoded = api::DecodeObject(shared);
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

std::string Taint(std::string_view key, const std::string& value) {
  return R"({"key":")" + std::string(key) + R"(","value":")" + value +
         R"(","effect":"NoSchedule"})";
}

}  // namespace

scheduler::ObjectPtr MakeNode(NodeTaints taints, std::size_t i, std::uint64_t revision) {
  const std::string name = "node-" + std::to_string(i);
  std::string list = Taint("risk", std::to_string((i * 37 + revision * 13) % 100));
  if (taints == NodeTaints::Mixed) {
    if (i % 2 == 1) list += "," + Taint("driver", "v1." + std::to_string(i % 20) + ".3");
    if (i % 5 == 0) list += "," + Taint("team", "t" + std::to_string(i % 7));
  }
  return Decode(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name + R"(","uid":")" +
                name + R"(","labels":{"generation":")" + std::to_string(i % 8) + R"(","host":")" +
                name + R"(","kubernetes.io/os":"linux","zone":"z)" + std::to_string(i % 3) +
                R"("}},"spec":{"taints":[)" + list +
                R"(]},"status":{"allocatable":{"cpu":"32","memory":"128Gi","pods":"110"}}})");
}

scheduler::ObjectPtr MakePod(PodKind kind, std::size_t i, const PodState& state) {
  const std::size_t t = kind == PodKind::Templates ? i % kTemplates : 0;
  const std::string name = (kind == PodKind::Filler ? "filler-" : "pod-") + std::to_string(i);
  std::string extra = Affinity(kind, t);
  extra = extra.size() > 2 ? "," + extra.substr(1, extra.size() - 2) : "";
  if (!state.node.empty()) extra += R"(,"nodeName":")" + std::string(state.node) + "\"";
  return Decode(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
                R"(","namespace":"default","uid":")" + name +
                R"(","labels":{"app":"a"}},"spec":{"schedulerName":"default-scheduler",)"
                R"("containers":[{"name":"c","image":"app:1","resources":{"requests":{"cpu":")" +
                Cpu(kind, t) + R"(","memory":"256Mi"}}}],"tolerations":)" + Tolerations(kind, t) +
                extra + R"(},"status":)" + Status(kind, name, state) + "}");
}

scheduler::ObjectPtr MakeDeviceClass() {
  return Decode(R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass",)"
                R"("metadata":{"name":"gpu","uid":"class-gpu"},"spec":{"selectors":[)"
                R"({"cel":{"expression":"device.driver == 'gpu.example.com'"}}]}})");
}

scheduler::ObjectPtr MakeSlice(PodKind kind, std::size_t node, std::size_t devices) {
  const std::string name = "node-" + std::to_string(node);
  std::string list;
  for (std::size_t i = 0; i < devices; ++i) {
    list += std::string(i == 0 ? "" : ",") + R"({"name":"gpu-)" + std::to_string(i) +
            R"(","attributes":{"model":{"string":"a100"},"driverVersion":{"version":"535.1.0"}},)"
            R"("capacity":{"memory":{"value":")" +
            (i % 4 == 3 ? "40Gi" : "80Gi") + R"("}})";
    if (kind == PodKind::PickyDevice && i % 3 == 2) {
      list += R"(,"taints":[{"key":"health","value":"80","effect":"NoSchedule"}])";
    }
    list += "}";
  }
  return Decode(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":")" + name +
      R"(","uid":"slice-)" + name + R"("},"spec":{"driver":"gpu.example.com","nodeName":")" + name +
      R"(","pool":{"name":")" + name + R"(","generation":1,"resourceSliceCount":1},"devices":[)" +
      list + "]}}");
}

scheduler::ObjectPtr MakeClaim(PodKind kind, std::size_t i, bool has_finalizer,
                               std::string_view status) {
  const std::string pod = "pod-" + std::to_string(i);
  const std::string wishes =
      kind == PodKind::PickyDevice
          ? R"(,"selectors":[{"cel":{"expression":"device.attributes['gpu.example.com'].model == )"
            R"('a100' && device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) >= 0"}}],)"
            R"("tolerations":[{"key":"health","operator":"Gt","value":"50"}])"
          : "";
  return Decode(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":")" + pod +
      R"(","namespace":"default","uid":"claim-)" + pod + R"(",)" +
      (has_finalizer ? R"("finalizers":["resource.kubernetes.io/delete-protection"],)" : "") +
      R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","controller":true,"name":")" + pod +
      R"(","uid":")" + pod +
      R"("}]},"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu",)"
      R"("allocationMode":"ExactCount","count":1)" +
      wishes + "}}]}}" + (status.empty() ? "" : R"(,"status":)" + std::string(status)) + "}");
}

}  // namespace plimsoll::bench
