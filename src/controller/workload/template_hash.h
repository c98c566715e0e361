#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/value.h"

namespace plimsoll::controller {

/// A short name for a tree, of letters and digits that form no words: what upstream calls
/// pod-template-hash and controller-revision-hash. The order of members does not matter. A
/// collision count, if there is one, makes it another name.
std::string TemplateHash(const codec::Value& tree, std::optional<std::int64_t> collision_count);

/// Whether two pod templates mean the same pods: they may differ in the label pod-template-hash.
bool SameTemplate(const codec::Value* a, const codec::Value* b);

inline constexpr std::string_view kPodTemplateHash = "pod-template-hash";

}  // namespace plimsoll::controller
