#pragma once

#include <string_view>
#include <vector>

#include "api/core/persistent_volume.h"
#include "api/core/pod.h"

/// Reading what a volume is made of. The sources are many and code seldom asks, so there are no
/// structs for them: these look into the tree. Null and missing fields read as empty.
namespace plimsoll::api {

/// `csi`, `awsElasticBlockStore`, … of a volume's spec; null when it is of another kind.
const codec::Value* FindSource(const PersistentVolumeSpec& spec, std::string_view kind);

std::string_view SourceText(const codec::Value* source, std::string_view field);
bool SourceFlag(const codec::Value* source, std::string_view field);
std::vector<std::string_view> SourceTexts(const codec::Value* source, std::string_view field);

}  // namespace plimsoll::api
