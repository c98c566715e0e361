#pragma once

#include <string_view>
#include <vector>

#include "api/core/persistent_volume.h"
#include "api/core/pod.h"

/// Reads volume sources from the tree. There are many sources and few readers, so the sources have
/// no structs. Null and missing fields read as empty.
namespace plimsoll::api {

/// Returns the source `csi`, `awsElasticBlockStore`, … of a volume; null if it has another kind.
const codec::Value* FindSource(const PersistentVolumeSpec& spec, std::string_view kind);

std::string_view SourceText(const codec::Value* source, std::string_view field);
bool SourceFlag(const codec::Value* source, std::string_view field);
std::vector<std::string_view> SourceTexts(const codec::Value* source, std::string_view field);

}  // namespace plimsoll::api
