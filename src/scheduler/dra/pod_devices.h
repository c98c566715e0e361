#pragma once

#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/result.h"
#include "scheduler/cluster/pod_class.h"
#include "scheduler/dra/devices.h"

namespace plimsoll::scheduler {

/// The claims that the pod names, and those that were made for it from templates, in the order of
/// its specification. An error says, in upstream's words, for which of them the pod has to wait.
Result<std::vector<ObjectPtr>> FindDeviceClaims(const Devices& devices, const api::Object& pod);
/// The same of a pod of which no object is at hand: nothing is known to be made for it.
Result<std::vector<ObjectPtr>> FindDeviceClaims(const Devices& devices, const api::Pod& pod);

/// Of a claim that has devices: it is not deleted before they are given back.
inline constexpr std::string_view kDeleteProtection = "resource.kubernetes.io/delete-protection";

bool IsControlledBy(const api::ObjectMeta& object, std::string_view owner_uid);
bool IsReservedFor(const api::ResourceClaim& claim, std::string_view pod_uid);

}  // namespace plimsoll::scheduler
