#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/value.h"

namespace plimsoll::controller {

/// Returns a short hash of a tree: upstream's pod-template-hash or controller-revision-hash. It
/// contains no words, and does not depend on the order of members. The collision count, if given,
/// is part of the hash.
std::string TemplateHash(const codec::Value& tree, std::optional<std::int64_t> collision_count);

/// Compares two pod templates, except for the label pod-template-hash.
bool SameTemplate(const codec::Value* a, const codec::Value* b);

inline constexpr std::string_view kPodTemplateHash = "pod-template-hash";

}  // namespace plimsoll::controller
