#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::client {

/// The fields that a server declares for one kind in its OpenAPI document (v3). A server drops
/// fields that it does not declare, or rejects the object.
class DeclaredFields {
 public:
  /// NotFound: the document does not describe the kind.
  static Result<DeclaredFields> Read(std::string openapi, const api::KindDesc& kind);

  /// Returns the paths of all undeclared members: `spec.taint.description`, `spec.devices[0].x`.
  std::vector<std::string> UndeclaredIn(const codec::Value& object) const;
  /// Removes those members, and returns their paths.
  std::vector<std::string> Prune(codec::Document& object) const;

 private:
  DeclaredFields(std::shared_ptr<const codec::Document> openapi, const codec::Value& schema)
      : openapi_(std::move(openapi)), schema_(&schema) {}

  std::shared_ptr<const codec::Document> openapi_;
  const codec::Value* schema_;  // schema of the kind, within the document
};

}  // namespace plimsoll::client
