#include "api/validation/node.h"

#include <arpa/inet.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "api/validation/go_json.h"
#include "api/validation/object_meta.h"
#include "api/validation/resources.h"
#include "api/validation/taints.h"

namespace plimsoll::api {
namespace {

constexpr FieldPath kMetadata("metadata");
constexpr FieldPath kTaints = kMetadata / "taints";
constexpr FieldPath kSpec("spec");
constexpr FieldPath kStatus("status");

void ValidateResources(const NodeStatus& status, FieldErrors& errors) {
  static constexpr FieldPath kCapacity = kStatus / "capacity";
  static constexpr FieldPath kAllocatable = kStatus / "allocatable";
  for (const ResourceAmount& amount : status.capacity) {
    ValidateAmount(amount, kCapacity / amount.name, errors);
  }
  for (const ResourceAmount& amount : status.allocatable) {
    ValidateAmount(amount, kAllocatable / amount.name, errors);
  }
}

/// Returns the IP family of `10.9.8.0/24`; nothing for a text that is no CIDR.
std::optional<int> CidrFamily(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string address(text.substr(0, slash));
  const std::string_view digits = text.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.size() > 3) {
    return std::nullopt;
  }
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) {
    return bits <= 32 ? std::optional(AF_INET) : std::nullopt;
  }
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) {
    return bits <= 128 ? std::optional(AF_INET6) : std::nullopt;
  }
  return std::nullopt;
}

/// Allows at most one CIDR of each family.
void ValidatePodCidrs(const std::vector<std::string_view>& cidrs, FieldErrors& errors) {
  static constexpr FieldPath kCidrs = kSpec / "podCIDRs";
  bool has_v4 = false;
  bool has_v6 = false;
  bool all_good = true;
  for (std::size_t i = 0; i < cidrs.size(); ++i) {
    const std::optional<int> family = CidrFamily(cidrs[i]);
    has_v4 |= family == AF_INET;
    has_v6 |= family == AF_INET6;
    if (family) continue;
    all_good = false;
    errors.Invalid(kCidrs[i], cidrs[i],
                   "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
  }
  if (cidrs.size() < 2 || (all_good && has_v4 && has_v6 && cidrs.size() == 2)) return;
  errors.Invalid(kCidrs, BadValue::Json(GoJson(cidrs)),
                 "may specify no more than one CIDR for each IP family");
}

void ValidatePodCidrsUpdate(const NodeSpec& now, const NodeSpec& before, FieldErrors& errors) {
  if (before.pod_cidrs.empty()) return;
  const auto refuse = [&] {
    errors.Forbidden(kSpec / "podCIDRs",
                     "node updates may not change podCIDR except from \"\" to valid");
  };
  if (now.pod_cidrs.size() != before.pod_cidrs.size()) return refuse();
  for (std::size_t i = 0; i < now.pod_cidrs.size(); ++i) {
    if (now.pod_cidrs[i] != before.pod_cidrs[i]) refuse();
  }
}

}  // namespace

FieldErrors ValidateNodeCreate(const Node& node) {
  FieldErrors errors;
  ValidateObjectMeta(node.metadata, Scope::Cluster, NameRule::Dns1123Subdomain, kMetadata, errors);
  ValidateTaints(node.spec.taints, kTaints, errors);
  ValidateResources(node.status, errors);
  ValidatePodCidrs(node.spec.pod_cidrs, errors);
  return errors;
}

FieldErrors ValidateNodeUpdate(const Node& now, const Node& before) {
  FieldErrors errors;
  ValidateObjectMetaUpdate(now.metadata, before.metadata, kMetadata, errors);
  ValidateResources(now.status, errors);
  ValidatePodCidrsUpdate(now.spec, before.spec, errors);
  if (!before.spec.provider_id.empty() && before.spec.provider_id != now.spec.provider_id) {
    errors.Forbidden(kSpec / "providerID",
                     "node updates may not change providerID except from \"\" to valid");
  }
  ValidateTaints(now.spec.taints, kTaints, errors);
  return errors;
}

}  // namespace plimsoll::api
