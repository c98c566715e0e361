#pragma once

#include <string>
#include <vector>

#include "codec/value.h"

namespace plimsoll::apiserver {

/// Warns of annotations with the deprecated prefix `plimsoll.dev/`, on the object and on its pod
/// template. On update (`before` is not null) it warns only of keys that the write has added.
void WarnAboutAnnotations(const codec::Value& tree, const codec::Value* before,
                          std::vector<std::string>& warnings);

}  // namespace plimsoll::apiserver
