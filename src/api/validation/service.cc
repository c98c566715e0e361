#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/labels.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"
#include "base/go_text.h"
#include "base/syntax.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr FieldPath kSpec("spec");
constexpr FieldPath kPorts = kSpec / "ports";
constexpr FieldPath kClusterIps = kSpec / "clusterIPs";
constexpr std::int64_t kKubeletPort = 10250;
constexpr std::int64_t kAffinitySecondsMax = 86400;

bool IsHeadless(const Value* spec) {
  const auto addresses = ItemsOf(spec, "clusterIPs");
  return addresses.empty() ? TextOf(spec, "clusterIP") == "None"
                           : addresses.size() == 1 && addresses[0].text() == "None";
}

void CheckPortNumberAt(std::int64_t port, const FieldPath& at, FieldErrors& errors) {
  for (const std::string& fault : CheckPortNumber(port)) {
    errors.Invalid(at, BadValue::Int(port), fault);
  }
}

void CheckProtocol(std::string_view protocol, const FieldPath& at, FieldErrors& errors) {
  CheckRequiredOneOf(protocol, {"SCTP", "TCP", "UDP"}, at, errors);
}

void CheckPort(const Value& port, bool requires_name, SeenTexts& names, const FieldPath& at,
               FieldErrors& errors) {
  const std::string_view name = TextOf(&port, "name");
  if (name.empty()) {
    if (requires_name) errors.Required(at / "name", "");
  } else {
    AddFaults(at / "name", name, CheckDns1123Label(name), errors);
    if (!names.Insert(name)) errors.Duplicate(at / "name", BadValue::String(name));
  }
  CheckPortNumberAt(IntOf(&port, "port").value_or(0), at / "port", errors);
  CheckProtocol(TextOf(&port, "protocol"), at / "protocol", errors);
  const Value* target = MemberOf(&port, "targetPort");
  if (target != nullptr && target->is_string()) {
    AddFaults(at / "targetPort", target->text(), CheckPortName(target->text()), errors);
  } else {
    CheckPortNumberAt(target != nullptr ? target->AsInt() : 0, at / "targetPort", errors);
  }
  if (const Value* protocol = MemberOf(&port, "appProtocol")) {
    AddFaults(at / "appProtocol", protocol->text(), CheckQualifiedName(protocol->text()), errors);
  }
}

std::string PortKeyJson(std::string_view protocol, std::int64_t port) {
  return R"({"Name":"","Protocol":)" + GoJsonQuote(protocol) + R"(,"AppProtocol":null,"Port":)" +
         std::to_string(port) + R"(,"TargetPort":0,"NodePort":0})";
}

/// Service ports and node ports must be unique per protocol.
void CheckPortsUnique(std::span<const Value> ports, FieldErrors& errors) {
  using Key = std::pair<std::string_view, std::int64_t>;
  std::set<Key> node_ports;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Key key{TextOf(&ports[i], "protocol"), IntOf(&ports[i], "nodePort").value_or(0)};
    if (key.second == 0) continue;
    const FieldPath at = kPorts[i];
    if (!node_ports.insert(key).second) {
      errors.Duplicate(at / "nodePort", BadValue::Int(key.second));
    }
  }
  std::set<Key> seen;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Key key{TextOf(&ports[i], "protocol"), IntOf(&ports[i], "port").value_or(0)};
    if (!seen.insert(key).second) {
      errors.Duplicate(kPorts[i], BadValue::Json(PortKeyJson(key.first, key.second)));
    }
  }
}

void CheckByType(const Value* spec, std::string_view type, FieldErrors& errors) {
  const auto ports = ItemsOf(spec, "ports");
  if (ports.empty() && !IsHeadless(spec) && type != "ExternalName") errors.Required(kPorts, "");
  if (type == "LoadBalancer") {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (IntOf(&ports[i], "port") != kKubeletPort) continue;
      errors.Invalid(kPorts[i], BadValue::Int(kKubeletPort),
                     "may not expose port 10250 externally since it is used by kubelet");
    }
  }
  if ((type == "LoadBalancer" || type == "NodePort") && IsHeadless(spec)) {
    errors.Invalid(kClusterIps[0], "None",
                   "may not be set to 'None' for " + std::string(type) + " services");
  }
  if (type != "ExternalName") return;
  if (!ItemsOf(spec, "clusterIPs").empty()) {
    errors.Forbidden(kClusterIps[0], "may not be set for ExternalName services");
  }
  std::string_view name = TextOf(spec, "externalName");
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty()) {
    errors.Required(kSpec / "externalName", "");
  } else {
    AddFaults(kSpec / "externalName", name, CheckDns1123Subdomain(name), errors);
  }
}

void CheckAffinity(const Value* spec, FieldErrors& errors) {
  static constexpr FieldPath kConfig = kSpec / "sessionAffinityConfig";
  static constexpr FieldPath kClientIp = kConfig / "clientIP";
  const std::string_view affinity = TextOf(spec, "sessionAffinity");
  CheckRequiredOneOf(affinity, {"ClientIP", "None"}, kSpec / "sessionAffinity", errors);
  if (affinity != "ClientIP") return;
  const Value* client = MemberOf(MemberOf(spec, "sessionAffinityConfig"), "clientIP");
  const std::int64_t seconds = IntOf(client, "timeoutSeconds").value_or(0);
  if (seconds > 0 && seconds <= kAffinitySecondsMax) return;
  errors.Invalid(kClientIp / "timeoutSeconds", BadValue::Int(seconds),
                 "must be greater than 0 and less than 86400");
}

void CheckTraffic(const Value* spec, std::string_view type, FieldErrors& errors) {
  const bool is_balanced = type == "LoadBalancer";
  const bool is_external = is_balanced || type == "NodePort" ||
                           (type == "ClusterIP" && !ItemsOf(spec, "externalIPs").empty());
  const std::string_view outer = TextOf(spec, "externalTrafficPolicy");
  const FieldPath outer_at = kSpec / "externalTrafficPolicy";
  if (is_external) {
    CheckRequiredOneOf(outer, {"Cluster", "Local"}, outer_at, errors);
  } else if (!outer.empty()) {
    errors.Invalid(outer_at, BadValue::TypedString(outer),
                   "may only be set for externally-accessible services");
  }
  const std::int64_t health = IntOf(spec, "healthCheckNodePort").value_or(0);
  if (health != 0 && !(is_balanced && outer == "Local")) {
    errors.Invalid(kSpec / "healthCheckNodePort", BadValue::Int(health),
                   "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is "
                   "'Local'");
  }
  if (const Value* inner = MemberOf(spec, "internalTrafficPolicy")) {
    CheckOneOf(inner->text(), {"Cluster", "Local"}, kSpec / "internalTrafficPolicy", errors);
  }
  if (is_balanced) return;
  for (const std::string_view key : {"allocateLoadBalancerNodePorts", "loadBalancerClass"}) {
    if (MemberOf(spec, key) == nullptr) continue;
    errors.Forbidden(kSpec / key, "may only be used when `type` is 'LoadBalancer'");
  }
}

void CheckAddresses(const Value* spec, FieldErrors& errors) {
  static constexpr FieldPath kExternalIps = kSpec / "externalIPs";
  const auto cluster = ItemsOf(spec, "clusterIPs");
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (i == 0 && IsHeadless(spec)) continue;
    AddFaults(kClusterIps[i], cluster[i].text(), CheckIp(cluster[i].text()), errors);
  }
  const auto external = ItemsOf(spec, "externalIPs");
  for (std::size_t i = 0; i < external.size(); ++i) {
    AddFaults(kExternalIps[i], external[i].text(), CheckIp(external[i].text()), errors);
  }
}

void CheckSubset(const Value& subset, const FieldPath& at, FieldErrors& errors) {
  const auto ready = ItemsOf(&subset, "addresses");
  const auto unready = ItemsOf(&subset, "notReadyAddresses");
  if (ready.empty() && unready.empty()) {
    errors.Required(at, "must specify `addresses` or `notReadyAddresses`");
  }
  const auto check = [&](std::span<const Value> addresses, const FieldPath& list_at) {
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const FieldPath item_at = list_at[i];
      const std::string_view ip = TextOf(&addresses[i], "ip");
      AddFaults(item_at / "ip", ip, CheckIp(ip), errors);
    }
  };
  check(ready, at / "addresses");
  check(unready, at / "notReadyAddresses");
  const auto ports = ItemsOf(&subset, "ports");
  const FieldPath ports_at = at / "ports";
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const FieldPath port_at = ports_at[i];
    const std::string_view name = TextOf(&ports[i], "name");
    if (name.empty()) {
      if (ports.size() > 1) errors.Required(port_at / "name", "");
    } else {
      AddFaults(port_at / "name", name, CheckDns1123Label(name), errors);
    }
    CheckPortNumberAt(IntOf(&ports[i], "port").value_or(0), port_at / "port", errors);
    CheckProtocol(TextOf(&ports[i], "protocol"), port_at / "protocol", errors);
  }
}

}  // namespace

void ValidateService(const KindChange& change, FieldErrors& errors) {
  const Value* spec = MemberOf(change.tree(), "spec");
  const std::string_view type = TextOf(spec, "type");
  CheckByType(spec, type, errors);
  const auto ports = ItemsOf(spec, "ports");
  SeenTexts names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    CheckPort(ports[i], ports.size() > 1, names, kPorts[i], errors);
  }
  ValidateLabels(DecodedOf<StringMap>(spec, "selector"), kSpec / "selector", errors);
  CheckAffinity(spec, errors);
  CheckAddresses(spec, errors);
  CheckRequiredOneOf(type, {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"},
                     kSpec / "type", errors);
  for (std::size_t i = 0; type == "ClusterIP" && i < ports.size(); ++i) {
    const FieldPath at = kPorts[i];
    if (IntOf(&ports[i], "nodePort").value_or(0) == 0) continue;
    errors.Forbidden(at / "nodePort", "may not be used when `type` is 'ClusterIP'");
  }
  CheckPortsUnique(ports, errors);
  CheckTraffic(spec, type, errors);
}

void ValidateEndpoints(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kSubsets("subsets");
  const auto subsets = ItemsOf(change.tree(), "subsets");
  for (std::size_t i = 0; i < subsets.size(); ++i) CheckSubset(subsets[i], kSubsets[i], errors);
}

}  // namespace plimsoll::api
