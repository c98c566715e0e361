#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/devices/hosted_slice.h"
#include "base/result.h"

/// Simulated devices of nodes, as the template of the nodes describes them.
namespace plimsoll::runner {

/// The sections of a YAML text, without those that say nothing.
std::vector<std::string_view> SplitDocuments(std::string_view text);

/// A ResourceSlice of the node of that number, in which `{{i}}` and the like are filled in as for
/// nodes. With the annotation `plimsoll.io/devices: "8"` those of its devices and taints that have
/// a pattern with `d` are there 8 times. The pool is called like the node where the text does not
/// say otherwise, and is the node's; its numbers are the driver's affair. Annotations
/// `plimsoll.io/binding-delay` and `plimsoll.io/binding-failure` say when and how the binding
/// conditions of its devices come true. Invalid: anything else.
Result<agent::HostedSlice> MakeSlice(std::string_view text, std::int64_t number,
                                     std::string_view node);

}  // namespace plimsoll::runner
