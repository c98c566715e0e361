#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/action.h"
#include "api/core/pod.h"
#include "base/result.h"

namespace plimsoll::agent {

/// Returns true if a volume of the pod uses a PersistentVolumeClaim.
bool HasVolumeClaims(const api::PodSpec& spec);

/// Reads one object from the server. A PersistentVolume has no namespace: pass "".
using ObjectReader = std::function<Result<ObjectPtr>(
    std::string_view kind, std::string_view namespace_, const std::string& name)>;

/// Reads the PersistentVolumes that the pod's claims are bound to, in the order of its volumes. The
/// error names the claim that cannot be used yet, in upstream's words.
Result<std::vector<ObjectPtr>> CollectVolumes(const api::Object& pod, const ObjectReader& read);

}  // namespace plimsoll::agent
