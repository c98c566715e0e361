#pragma once

#include <optional>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/request/request_info.h"
#include "apiserver/resource/resource.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// A method and target, read once. Everything after the parser trusts it.
struct ParsedRequest {
  net::Target target;
  RequestInfo info;
  const Resource* resource = nullptr;  // null: not a resource request, or not served
  /// False if the path is served and the method is not: 405 after authorization.
  bool is_verb_served = false;
  /// 400 for a target that is not a path with a query, 404 for an /api or /apis path that fits no
  /// row of the table. Such a request goes no further, whoever sends it.
  std::optional<api::StatusObject> refusal;
};

/// Reads the method and target of a request. A resource's path has exactly one of these shapes
/// behind /api/VERSION or /apis/GROUP/VERSION:
///
///     RESOURCE                                     all objects of a cluster-scoped resource,
///                                                  or a namespaced one in all namespaces
///     RESOURCE/NAME[/SUBRESOURCE]                  of a cluster-scoped resource only
///     namespaces/NAMESPACE/RESOURCE[/NAME[/SUBRESOURCE]]   of a namespaced resource only
///
/// A path of any other shape, with a resource of the other scope, or with a sub-resource that is
/// not served, is refused.
ParsedRequest ParseRequest(std::string_view method, std::string_view target,
                           const ResourceTable& resources);

}  // namespace plimsoll::apiserver
