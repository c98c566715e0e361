#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/devices/hosted_slice.h"
#include "base/result.h"

/// Simulated devices of nodes, from the ResourceSlices of a node template.
namespace plimsoll::runner {

/// Returns the sections of a YAML text, without empty ones.
std::vector<std::string_view> SplitDocuments(std::string_view text);

/// Returns a ResourceSlice of the node with this number; fills in `{{i}}` and other patterns as for
/// nodes. With the annotation `plimsoll.io/devices: "8"`, devices and taints that have a pattern
/// with `d` occur 8 times. By default the pool has the name of the node and belongs to it; the
/// driver sets its generation and slice count. The annotations `plimsoll.io/binding-delay` and
/// `plimsoll.io/binding-failure` say when and how the devices' binding conditions become true.
/// Invalid: anything else.
Result<agent::HostedSlice> MakeSlice(std::string_view text, std::int64_t number,
                                     std::string_view node);

}  // namespace plimsoll::runner
