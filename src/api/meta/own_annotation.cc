#include "api/meta/own_annotation.h"

#include <fmt/format.h>

namespace plimsoll::api {

static_assert(kDeprecatedAnnotationPrefix < kOwnAnnotationPrefix, "see OwnAnnotationName");

std::optional<std::string_view> OwnAnnotationName(std::string_view key) {
  for (const std::string_view prefix : {kOwnAnnotationPrefix, kDeprecatedAnnotationPrefix}) {
    if (key.starts_with(prefix)) return key.substr(prefix.size());
  }
  return std::nullopt;
}

std::optional<std::string_view> FindOwnAnnotation(const StringMap& annotations,
                                                  std::string_view name) {
  std::optional<std::string_view> value;
  for (const auto& [key, text] : annotations) {
    if (OwnAnnotationName(key) == name) value = text;
  }
  return value;
}

std::string DeprecationOf(std::string_view key) {
  if (!key.starts_with(kDeprecatedAnnotationPrefix)) return {};
  return fmt::format(R"(deprecated; use "{}{}" instead)", kOwnAnnotationPrefix,
                     key.substr(kDeprecatedAnnotationPrefix.size()));
}

}  // namespace plimsoll::api
