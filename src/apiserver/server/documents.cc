#include "apiserver/server/documents.h"

#include <fmt/format.h>

#include <set>

#include "apiserver/response/negotiation.h"
#include "apiserver/server/pod_metrics.h"
#include "apiserver/server/version.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kMetricsType = "text/plain; version=0.0.4";

net::Response Text(int status, std::string_view type, std::string text) {
  net::Response response;
  response.status = status;
  response.headers.Add("Content-Type", std::string(type));
  response.headers.Add("Cache-Control", "no-cache, private");
  response.body = MakeBytes(std::move(text));
  return response;
}

net::Response NoPage() {
  net::Response response = Text(404, "text/plain; charset=utf-8", "404 page not found\n");
  response.headers.Add("X-Content-Type-Options", "nosniff");
  return response;
}

/// Returns the document with its ETag, or 304 if the client already has that version.
net::Response Tagged(const ApiRequest& request, const std::string& text, const std::string& etag,
                     std::string_view type) {
  const bool is_known = request.http.headers.Find("If-None-Match") == etag;
  net::Response response = is_known ? Text(304, type, {}) : Text(200, type, text);
  response.headers.Add("ETag", etag);
  response.headers.Add("Vary", "Accept");
  return response;
}

net::Response Tagged(const ApiRequest& request, const DiscoveryDocument& document,
                     std::string_view type) {
  return Tagged(request, document.json, document.etag, type);
}

net::Response Tagged(const ApiRequest& request, const OpenApiDocument& document,
                     std::string_view type) {
  return Tagged(request, document.bytes, document.etag, type);
}

/// Returns the group and the version in a path below `/apis`.
std::pair<std::string_view, std::string_view> GroupAndVersion(std::string_view path) {
  path.remove_prefix(std::min(path.find('/', 1), path.size()));
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = std::min(path.find('/'), path.size());
  return {path.substr(0, slash), path.substr(std::min(slash + 1, path.size()))};
}

}  // namespace

Documents::Documents(const ResourceTable& resources, const Cache& cache,
                     const MetricsRegistry& metrics, std::string_view server_address,
                     const api::FeatureGates& gates)
    : resources_(resources),
      cache_(cache),
      metrics_(metrics),
      discovery_(resources.discovered(), server_address),
      openapi_(resources.served(), kKubernetesVersion, gates) {}

std::string Documents::PathsJson() const {
  std::set<std::string> paths = {
      "/api",           "/api/v1",     "/apis",    "/healthz",
      "/livez",         "/readyz",     "/metrics", "/metrics/pods",
      "/openapi/v2",    "/openapi/v3", "/version", "/.well-known/openid-configuration",
      "/openid/v1/jwks"};
  for (const Resource& resource : resources_.discovered()) {
    if (resource.group().empty()) continue;
    paths.insert(fmt::format("/apis/{}", resource.group()));
    paths.insert(fmt::format("/apis/{}/{}", resource.group(), resource.kind->version));
  }
  std::string out = "{\"paths\":[";
  for (const std::string& path : paths) {
    if (out.back() != '[') out += ',';
    out += fmt::format("\"{}\"", path);
  }
  return out + "]}";
}

net::Response Documents::ServeDiscovery(const ApiRequest& request) const {
  const std::string_view path = request.target.path;
  const std::string_view plain = Discovery::ContentType(Discovery::Form::Plain);
  const Discovery::Form form = Discovery::FormOf(request.http.headers.Find("Accept"));
  if (path == "/api" || path == "/api/") {
    return Tagged(request, discovery_.Core(form), Discovery::ContentType(form));
  }
  if (path == "/apis" || path == "/apis/") {
    return Tagged(request, discovery_.Groups(form), Discovery::ContentType(form));
  }
  const auto [first, second] = GroupAndVersion(path);
  const DiscoveryDocument* found = nullptr;
  if (path.starts_with("/api/")) {
    found = second.empty() ? discovery_.Version("", first) : nullptr;
  } else {
    found = second.empty() ? discovery_.Group(first) : discovery_.Version(first, second);
  }
  return found == nullptr ? NoPage() : Tagged(request, *found, plain);
}

net::Response Documents::ServeOpenApi(const ApiRequest& request) const {
  const std::string_view path = request.target.path;
  constexpr std::string_view kV3 = "/openapi/v3";
  if (path == "/openapi/v2") {
    const auto format = OpenApi::V2FormatOf(request.http.headers.Find("Accept"));
    if (!format) {
      return RespondStatus(request,
                           api::NotAcceptable({OpenApi::ContentType(OpenApi::V2Format::Json),
                                               OpenApi::ContentType(OpenApi::V2Format::Protobuf)}));
    }
    return Tagged(request, openapi_.V2(*format), OpenApi::ContentType(*format));
  }
  if (path == kV3 || path == "/openapi/v3/") {
    return Tagged(request, openapi_.Index(), "application/json");
  }
  if (!path.starts_with(kV3)) return NoPage();
  const std::string_view place = path.substr(kV3.size() + 1);
  const OpenApiDocument* document = openapi_.V3(place);
  if (document == nullptr) return NoPage();
  const std::string_view hash = request.target.Query("hash");
  if (hash.empty()) return Tagged(request, *document, "application/json");
  if (hash != document->hash) {
    net::Response moved = Text(301, "text/plain", {});
    moved.headers.Add("Location", openapi_.V3Url(place));
    return moved;
  }
  // The URL contains the document's hash, so the response may be cached for ever.
  net::Response response = Tagged(request, *document, "application/json");
  response.headers.Remove("Cache-Control");
  response.headers.Add("Cache-Control", "public, immutable");
  response.headers.Add("Expires", "Thu, 31 Dec 2099 23:59:59 GMT");
  return response;
}

net::Response Documents::Serve(const ApiRequest& request) const {
  const std::string_view path = request.target.path;
  if (request.http.method != "GET" && request.http.method != "HEAD") {
    return RespondStatus(request, api::MethodNotSupported("", path, request.info.verb));
  }
  const auto is_under = [&](std::string_view root) {
    return path == root || (path.starts_with(root) && path[root.size()] == '/');
  };
  if (is_under("/api") || is_under("/apis")) return ServeDiscovery(request);
  if (is_under("/openapi")) return ServeOpenApi(request);
  if (path == "/version" || path == "/version/") {
    return Text(200, "application/json", VersionJson());
  }
  if (path == "/metrics") return Text(200, kMetricsType, metrics_.Text());
  // A page of its own: it is computed from every pod.
  if (path == "/metrics/pods") {
    const Picture pods = cache_.List(*resources_.Find("", "v1", "pods"), {});
    return Text(200, kMetricsType, PodMetricsText(pods.objects));
  }
  if (path == "/") return Text(200, "application/json", PathsJson());
  return NoPage();
}

}  // namespace plimsoll::apiserver
