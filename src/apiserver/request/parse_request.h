#pragma once

#include <optional>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/request/request_info.h"
#include "apiserver/resource/resource.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Method and target of a request, parsed once. All later steps use only this.
struct ParsedRequest {
  net::Target target;
  RequestInfo info;
  const Resource* resource = nullptr;  // null: not a resource request, or not served
  /// False if the path is served and the method is not: 405 after authorization.
  bool is_verb_served = false;
  /// 400 if the target is not a path with a query. 404 if an /api or /apis path matches no row of
  /// the table. The server rejects such a request of any user.
  std::optional<api::StatusObject> refusal;
};

/// Parses the method and target of a request. The path of a resource has exactly one of these
/// shapes below /api/VERSION or /apis/GROUP/VERSION:
///
///     RESOURCE                                     all objects of a cluster-scoped resource,
///                                                  or a namespaced one in all namespaces
///     RESOURCE/NAME[/SUBRESOURCE]                  of a cluster-scoped resource only
///     namespaces/NAMESPACE/RESOURCE[/NAME[/SUBRESOURCE]]   of a namespaced resource only
///
/// Sets `refusal` if the path has another shape, the resource has the other scope, or the
/// sub-resource is not served.
ParsedRequest ParseRequest(std::string_view method, std::string_view target,
                           const ResourceTable& resources);

}  // namespace plimsoll::apiserver
