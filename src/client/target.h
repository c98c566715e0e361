#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "client/client.h"

namespace plimsoll::client {

/// Path of a resource: `/apis/apps/v1/namespaces/default/deployments/web/status`.
class TargetText {
 public:
  explicit TargetText(const Resource& resource);

  /// Adds a parameter; omits empty values, zero and false.
  TargetText& Query(std::string_view name, std::string_view value);
  TargetText& Query(std::string_view name, std::int64_t value);
  TargetText& Query(std::string_view name, bool value);

  std::string Build() { return std::move(text_); }

 private:
  std::string text_;
  char separator_ = '?';
};

}  // namespace plimsoll::client
