#include "apiserver/openapi/openapi.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "api/schema/api_version.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/openapi/gnostic.h"
#include "apiserver/openapi/path_text.h"
#include "apiserver/openapi/schema_text.h"
#include "apiserver/response/media_range.h"
#include "codec/json_text.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using Flavor = OpenApiFlavor;
using ResourcesByPath = std::map<std::string, std::vector<const Resource*>>;

/// Returns `apis/apps/v1`.
std::string PathOf(std::string_view group, std::string_view version) {
  return (group.empty() ? "api/" : "apis/") + api::ApiVersionOf(group, version);
}

ResourcesByPath ByPath(std::span<const Resource> resources) {
  ResourcesByPath out;
  for (const Resource& resource : resources) {
    out[PathOf(resource.kind->group, resource.kind->version)].push_back(&resource);
  }
  return out;
}

OpenApiDocument Finish(std::string bytes) {
  std::string hash = net::Sha256Hex(bytes);
  std::ranges::transform(hash, hash.begin(), [](char c) {
    return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::string etag = '"' + hash + '"';
  return {std::move(bytes), std::move(hash), std::move(etag)};
}

void OpenDocument(std::string_view key, std::string_view spec, std::string_view version,
                  codec::JsonStream& out) {
  out.Open('{').Field(key, spec).Key("info").Open('{').Field("title", "Kubernetes");
  out.Field("version", version).Close('}').Key("paths").Open('{');
}

std::string MakeV3(std::span<const Resource* const> served, std::span<const Resource> all,
                   std::string_view version, const api::FeatureGates& gates) {
  codec::JsonStream out;
  OpenDocument("openapi", "3.0.0", version, out);
  std::set<std::string_view> names;
  WritePaths(served, Flavor::V3, out, names);
  out.Close('}').Key("components").Open('{').Key("schemas").Open('{');
  WriteSchemas(WithReferences(std::move(names)), all, gates, Flavor::V3, out);
  out.Close('}').Close('}').Close('}');
  return std::move(out).text();
}

std::string MakeV2(const ResourcesByPath& paths, std::span<const Resource> all,
                   std::string_view version, const api::FeatureGates& gates) {
  codec::JsonStream out;
  OpenDocument("swagger", "2.0", version, out);
  std::set<std::string_view> names;
  for (const auto& [path, served] : paths) WritePaths(served, Flavor::V2, out, names);
  out.Close('}').Key("definitions").Open('{');
  WriteSchemas(WithReferences(std::move(names)), all, gates, Flavor::V2, out);
  out.Close('}').Close('}');
  return std::move(out).text();
}

constexpr std::string_view kAskedProtobuf =
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
/// The same without `@`, which a media type cannot contain.
constexpr std::string_view kSentProtobuf =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

}  // namespace

OpenApi::OpenApi(std::span<const Resource> resources, std::string_view version,
                 const api::FeatureGates& gates) {
  const ResourcesByPath paths = ByPath(resources);
  for (const auto& [path, served] : paths) {
    v3_.emplace(path, Finish(MakeV3(served, resources, version, gates)));
  }
  codec::JsonStream out;
  out.Open('{').Key("paths").Open('{');
  for (const auto& [path, document] : v3_) {
    out.Key(path).Open('{').Field("serverRelativeURL", V3Url(path)).Close('}');
  }
  out.Close('}').Close('}');
  index_ = Finish(std::move(out).text());
  std::string v2 = MakeV2(paths, resources, version, gates);
  v2_protobuf_ = Finish(EncodeGnosticV2(v2));
  v2_json_ = Finish(std::move(v2));
}

const OpenApiDocument* OpenApi::V3(std::string_view path) const {
  const auto found = v3_.find(path);
  return found == v3_.end() ? nullptr : &found->second;
}

std::string OpenApi::V3Url(std::string_view path) const {
  const OpenApiDocument* document = V3(path);
  if (document == nullptr) return {};
  return "/openapi/v3/" + std::string(path) + "?hash=" + document->hash;
}

std::optional<OpenApi::V2Format> OpenApi::V2FormatOf(std::string_view accept) {
  if (accept.empty()) return V2Format::Json;
  for (const MediaRange& range : ParseAccept(accept)) {
    if (range.type == kAskedProtobuf || range.type == kSentProtobuf) return V2Format::Protobuf;
    if (range.Covers("application/json")) return V2Format::Json;
  }
  return std::nullopt;
}

std::string_view OpenApi::ContentType(V2Format format) {
  return format == V2Format::Json ? "application/json" : kSentProtobuf;
}

}  // namespace plimsoll::apiserver
