#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource/resource.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// Adds upstream's warnings about a valid but unwise pod or pod template: deprecated node labels, a
/// name that is no host name. Does nothing for other kinds.
void WarnAboutPod(const Resource& resource, const codec::Value& tree,
                  std::vector<std::string>& warnings);

}  // namespace plimsoll::apiserver
