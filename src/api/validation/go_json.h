#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/persistent_volume.h"
#include "api/core/pod.h"
#include "api/core/taint.h"
#include "api/meta/label_selector.h"
#include "api/meta/object_meta.h"
#include "api/meta/string_map.h"

/// Formats values as upstream's error texts do. Its internal types have no JSON names, so their
/// fields appear under their Go names (`"Key"`). Metadata has JSON names (`"name"`). An empty list
/// or map is printed as Go's nil.
namespace plimsoll::api {

std::string GoJson(const Taint& taint);
std::string GoJson(const PodResourceClaim& claim);
std::string GoJson(const NodeSelectorTerm& term);
std::string GoJson(std::span<const NodeSelectorTerm> terms);
std::string GoJson(const VolumeNodeAffinity& affinity);
std::string GoJson(const StringMap& map);
std::string GoJson(const LabelSelector& selector);
std::string GoJson(const OwnerReference& owner);
std::string GoJson(std::span<const OwnerReference> owners);
std::string GoJson(std::span<const std::string_view> texts);

}  // namespace plimsoll::api
