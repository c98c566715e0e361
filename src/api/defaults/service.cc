#include "api/defaults/hooks.h"

namespace plimsoll::api::defaults {
namespace {

using F = fields::core_v1::ServiceSpec;

constexpr std::int64_t kAffinityTimeoutSeconds = 3 * 60 * 60;

void DefaultSessionAffinity(Document& document, Value& spec) {
  const std::string_view affinity = TextOf(spec, F::kSessionAffinity);
  // A patch that sets sessionAffinity to None leaves the config in place, so remove it here.
  if (affinity == "None") document.Remove(spec, "sessionAffinityConfig");
  if (affinity != "ClientIP") return;
  using Config = fields::core_v1::SessionAffinityConfig;
  using ClientIp = fields::core_v1::ClientIPConfig;
  PutIfAbsent<F>(document, spec, F::kSessionAffinityConfig, document.NewObject());
  Value& config = *FindMember(spec, F::kSessionAffinityConfig);
  PutIfAbsent<Config>(document, config, Config::kClientIP, document.NewObject());
  PutIfAbsent<ClientIp>(document, *FindMember(config, Config::kClientIP), ClientIp::kTimeoutSeconds,
                        Value::Int(kAffinityTimeoutSeconds));
}

}  // namespace

void DefaultServiceSpec(Document& document, Value& spec) {
  DefaultSessionAffinity(document, spec);
  const std::string_view type = TextOf(spec, F::kType);
  const bool is_balanced = type == "LoadBalancer";
  const bool has_node_ports = is_balanced || type == "NodePort";
  const Value* external = FindMember(spec, F::kExternalIPs);
  const bool has_external = external != nullptr && !external->items().empty();
  if ((has_node_ports || (type == "ClusterIP" && has_external)) &&
      IsZero(FindMember(spec, F::kExternalTrafficPolicy))) {
    Put<F>(document, spec, F::kExternalTrafficPolicy, Value::String("Cluster"));
  }
  if (has_node_ports || type == "ClusterIP") {
    PutIfAbsent<F>(document, spec, F::kInternalTrafficPolicy, Value::String("Cluster"));
  }
  if (is_balanced) {
    PutIfAbsent<F>(document, spec, F::kAllocateLoadBalancerNodePorts, Value::Bool(true));
  }
}

/// The target port defaults to the service port.
void DefaultServicePort(Document& document, Value& port) {
  using Port = fields::core_v1::ServicePort;
  const Value* number = FindMember(port, Port::kPort);
  if (number == nullptr || !IsZero(FindMember(port, Port::kTargetPort))) return;
  Put<Port>(document, port, Port::kTargetPort, Value(*number));
}

void DefaultLoadBalancerIngress(Document& document, Value& ingress) {
  using Ingress = fields::core_v1::LoadBalancerIngress;
  if (IsZero(FindMember(ingress, Ingress::kIp))) return;
  PutIfAbsent<Ingress>(document, ingress, Ingress::kIpMode, Value::String("VIP"));
}

}  // namespace plimsoll::api::defaults
