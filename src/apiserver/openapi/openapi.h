#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// A document that never changes.
struct OpenApiDocument {
  std::string bytes;
  std::string hash;  // upper-case hex
  std::string etag;  // the same with quotes
};

/// Descriptions of all resources for `kubectl explain`, for clients that validate or merge on their
/// side, and for generators of code. Made once from the tables; immutable and safe for use by many
/// threads.
class OpenApi {
 public:
  enum class V2Format : std::uint8_t { Json, Protobuf };

  /// `version` is the server's: `v1.37.0`.
  OpenApi(std::span<const Resource> resources, std::string_view version);

  /// `/openapi/v3`: where the documents are, with their hashes.
  const OpenApiDocument& Index() const { return index_; }
  /// `/openapi/v3/<path>`, where a path is `api/v1` or `apis/<group>/<version>`; null when nothing
  /// is served there. JSON.
  const OpenApiDocument* V3(std::string_view path) const;
  /// `/openapi/v3/<path>?hash=<hash>`, as the index has it. A request with another hash is to be
  /// sent there; one with this hash may be cached for ever.
  std::string V3Url(std::string_view path) const;

  /// `/openapi/v2`: all groups in one.
  const OpenApiDocument& V2(V2Format format) const {
    return format == V2Format::Json ? v2_json_ : v2_protobuf_;
  }
  /// Nothing when the header accepts neither.
  static std::optional<V2Format> V2FormatOf(std::string_view accept);
  static std::string_view ContentType(V2Format format);

 private:
  std::map<std::string, OpenApiDocument, std::less<>> v3_;
  OpenApiDocument index_;
  OpenApiDocument v2_json_;
  OpenApiDocument v2_protobuf_;
};

}  // namespace plimsoll::apiserver
