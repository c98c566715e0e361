#pragma once

#include <string_view>

#include "api/core/pod.h"

/// Which resources a name may mean.
namespace plimsoll::api {

/// `hugepages-2Mi`
bool IsHugePageResource(std::string_view name);
/// Without a domain, or one of kubernetes.io.
bool IsNativeResource(std::string_view name);
/// With a domain of its own: `example.com/gpu`.
bool IsExtendedResource(std::string_view name);
/// Known to the API by a short name: cpu, pods, requests.memory, …
bool IsStandardResource(std::string_view name);
/// A short name that containers may ask for.
bool IsStandardContainerResource(std::string_view name);
/// Counted in whole pieces.
bool IsIntegerResource(std::string_view name);
/// Whether requests may be below limits.
bool IsOvercommitAllowed(std::string_view name);
/// Whether the amount of a huge page resource is a multiple of its page's size.
bool IsHugePageMultiple(const ResourceAmount& amount);

}  // namespace plimsoll::api
