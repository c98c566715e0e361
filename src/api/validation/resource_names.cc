#include "api/validation/resource_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/syntax.h"

namespace plimsoll::api {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kHugePages = "hugepages-";

constexpr std::array kStandard{
    "cpu"sv,
    "memory"sv,
    "ephemeral-storage"sv,
    "requests.cpu"sv,
    "requests.memory"sv,
    "requests.ephemeral-storage"sv,
    "limits.cpu"sv,
    "limits.memory"sv,
    "limits.ephemeral-storage"sv,
    "pods"sv,
    "resourcequotas"sv,
    "services"sv,
    "replicationcontrollers"sv,
    "secrets"sv,
    "configmaps"sv,
    "persistentvolumeclaims"sv,
    "storage"sv,
    "requests.storage"sv,
    "services.nodeports"sv,
    "services.loadbalancers"sv,
};

constexpr std::array kInteger{
    "pods"sv,
    "resourcequotas"sv,
    "services"sv,
    "secrets"sv,
    "configmaps"sv,
    "replicationcontrollers"sv,
    "persistentvolumeclaims"sv,
    "services.nodeports"sv,
    "services.loadbalancers"sv,
};

template <class List>
bool Contains(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

}  // namespace

bool IsHugePageResource(std::string_view name) { return name.starts_with(kHugePages); }

bool IsNativeResource(std::string_view name) {
  return !name.contains('/') || name.contains("kubernetes.io/");
}

bool IsExtendedResource(std::string_view name) {
  if (IsNativeResource(name) || name.starts_with("requests.")) return false;
  // Quotas use `requests.<name>`, so that must be a valid name as well.
  return CheckQualifiedName("requests." + std::string(name)).empty();
}

bool IsStandardResource(std::string_view name) {
  return Contains(kStandard, name) || IsHugePageResource(name) ||
         name.starts_with("requests.hugepages-");
}

bool IsStandardContainerResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
         IsHugePageResource(name);
}

bool IsIntegerResource(std::string_view name) {
  return Contains(kInteger, name) || IsExtendedResource(name);
}

bool IsOvercommitAllowed(std::string_view name) {
  return IsNativeResource(name) && !IsHugePageResource(name);
}

bool IsHugePageMultiple(const ResourceAmount& amount) {
  const Result<Quantity> page = Quantity::Parse(amount.name.substr(kHugePages.size()));
  if (!page || page->sign() <= 0 || page->MilliValue() % 1000 != 0) return false;
  const std::int64_t page_bytes = page->Value();
  return page_bytes > 0 && amount.quantity.Value() % page_bytes == 0;
}

}  // namespace plimsoll::api
