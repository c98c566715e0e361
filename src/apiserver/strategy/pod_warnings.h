#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource/resource.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// What upstream remarks about a pod, or the pod template of a workload, that is valid but unwise:
/// labels of nodes that have newer names, a name that is no host name. Of other kinds nothing.
void WarnAboutPod(const Resource& resource, const codec::Value& tree,
                  std::vector<std::string>& warnings);

}  // namespace plimsoll::apiserver
