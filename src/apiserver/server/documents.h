#pragma once

#include <string>

#include "apiserver/cache/cache.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/openapi/openapi.h"
#include "apiserver/request/api_request.h"
#include "apiserver/resource/resource.h"
#include "base/metrics.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Serves the non-resource paths: discovery, OpenAPI, version, metrics, and the list of these
/// paths. Safe for use by many threads.
class Documents {
 public:
  /// `server_address` is the address at which clients reach this server: `127.0.0.1:6443`.
  Documents(const ResourceTable& resources, const Cache& cache, const MetricsRegistry& metrics,
            std::string_view server_address, const api::FeatureGates& gates);

  net::Response Serve(const ApiRequest& request) const;

 private:
  net::Response ServeDiscovery(const ApiRequest& request) const;
  net::Response ServeOpenApi(const ApiRequest& request) const;
  std::string PathsJson() const;

  const ResourceTable& resources_;
  const Cache& cache_;
  const MetricsRegistry& metrics_;
  const Discovery discovery_;
  const OpenApi openapi_;
};

}  // namespace plimsoll::apiserver
