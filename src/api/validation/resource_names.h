#pragma once

#include <string_view>

#include "api/core/pod.h"

/// Classifies names of resources.
namespace plimsoll::api {

/// Names such as `hugepages-2Mi`.
bool IsHugePageResource(std::string_view name);
/// Names without a domain, or with one of kubernetes.io.
bool IsNativeResource(std::string_view name);
/// Names with another domain: `example.com/gpu`.
bool IsExtendedResource(std::string_view name);
/// Short names that the API defines: cpu, pods, requests.memory, …
bool IsStandardResource(std::string_view name);
/// Short names that containers may request.
bool IsStandardContainerResource(std::string_view name);
/// Resources with integer amounts only.
bool IsIntegerResource(std::string_view name);
/// Returns true if requests may be below limits.
bool IsOvercommitAllowed(std::string_view name);
/// Returns true if the amount of a huge page resource is a multiple of its page size.
bool IsHugePageMultiple(const ResourceAmount& amount);

}  // namespace plimsoll::api
