#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "api/meta/string_map.h"

namespace plimsoll::api {

struct OwnerReference {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;
};

/// The metadata fields that code reads. Texts belong to the object's document. Times are
/// kept as written (RFC 3339).
struct ObjectMeta {
  std::string_view name;
  std::string_view generate_name;
  std::string_view namespace_;
  std::string_view uid;
  std::string_view resource_version;
  std::optional<std::int64_t> generation;
  std::string_view creation_timestamp;
  std::string_view deletion_timestamp;
  std::optional<std::int64_t> deletion_grace_period_seconds;
  StringMap labels;
  StringMap annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string_view> finalizers;
};

}  // namespace plimsoll::api
