#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/feature_gates.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// A document that never changes.
struct OpenApiDocument {
  std::string bytes;
  std::string hash;  // upper-case hex
  std::string etag;  // hash in quotes
};

/// OpenAPI documents of all resources, for `kubectl explain`, client-side validation and merging,
/// and code generators. The constructor makes them from the tables. Immutable and safe for use by
/// many threads.
class OpenApi {
 public:
  enum class V2Format : std::uint8_t { Json, Protobuf };

  /// `version` is the server's: `v1.37.0`. The gates tell how lists are merged.
  OpenApi(std::span<const Resource> resources, std::string_view version,
          const api::FeatureGates& gates);

  /// Returns `/openapi/v3`: the URLs of the documents, with their hashes.
  const OpenApiDocument& Index() const { return index_; }
  /// Returns `/openapi/v3/<path>` as JSON; a path is `api/v1` or `apis/<group>/<version>`. Returns
  /// null if nothing is served there.
  const OpenApiDocument* V3(std::string_view path) const;
  /// Returns `/openapi/v3/<path>?hash=<hash>`, as in the index. Redirect a request with another
  /// hash there. A response for this hash may be cached for ever.
  std::string V3Url(std::string_view path) const;

  /// Returns `/openapi/v2`: all groups in one document.
  const OpenApiDocument& V2(V2Format format) const {
    return format == V2Format::Json ? v2_json_ : v2_protobuf_;
  }
  /// Returns nullopt if the header accepts neither format.
  static std::optional<V2Format> V2FormatOf(std::string_view accept);
  static std::string_view ContentType(V2Format format);

 private:
  std::map<std::string, OpenApiDocument, std::less<>> v3_;
  OpenApiDocument index_;
  OpenApiDocument v2_json_;
  OpenApiDocument v2_protobuf_;
};

}  // namespace plimsoll::apiserver
