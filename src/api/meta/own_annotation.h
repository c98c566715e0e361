#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/meta/string_map.h"

/// Annotations that this project defines, such as `plimsoll.io/run-time`. Earlier releases had the
/// prefix `plimsoll.dev/`: it is deprecated, but still read. If an object has both, `plimsoll.io/`
/// counts.
namespace plimsoll::api {

inline constexpr std::string_view kOwnAnnotationPrefix = "plimsoll.io/";
inline constexpr std::string_view kDeprecatedAnnotationPrefix = "plimsoll.dev/";

/// Returns the part of the key behind either prefix, or nothing for a key with neither. A StringMap
/// has its deprecated keys first, so that a loop that lets later entries win does the right thing.
std::optional<std::string_view> OwnAnnotationName(std::string_view key);

/// Returns the value of the annotation `name` ("run-time") under either prefix.
std::optional<std::string_view> FindOwnAnnotation(const StringMap& annotations,
                                                  std::string_view name);

/// Returns advice on the key if it has the deprecated prefix, else "".
std::string DeprecationOf(std::string_view key);

}  // namespace plimsoll::api
