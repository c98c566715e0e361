#pragma once

#include <string>
#include <string_view>

#include "net/http.h"

namespace plimsoll::apiserver {

/// What a request asks for, as its method and path say it. The verbs are those that RBAC knows.
struct RequestInfo {
  bool is_resource_request = false;
  std::string
      verb;  // get list watch create update patch delete deletecollection, or `get` of a path
  std::string path;
  std::string group;  // empty: core
  std::string version;
  std::string namespace_;
  std::string resource;
  std::string subresource;
  std::string name;
  std::string field_selector;  // of a list, watch or deletecollection, as it was sent
};

/// Takes /api and /apis paths apart as upstream does: `namespaces/x` alone is the namespace,
/// `?watch=true` on a list makes it a watch, and so does `fieldSelector=metadata.name=x` set the
/// name of a list or watch.
RequestInfo ReadRequestInfo(std::string_view method, const net::Target& target);

}  // namespace plimsoll::apiserver
