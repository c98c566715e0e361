#include "apiserver/authn/bound_objects.h"

#include <array>

#include "apiserver/authz/policy_rule.h"

namespace plimsoll::apiserver {
namespace {

struct KindRow {
  std::string_view kind;
  std::string_view plural;
  bool is_namespaced;
};
constexpr std::array kKinds = {
    KindRow{"ServiceAccount", "serviceaccounts", true},
    KindRow{"Pod", "pods", true},
    KindRow{"Secret", "secrets", true},
    KindRow{"Node", "nodes", false},
};

/// Returns nullopt if the object cannot be decoded. Its tokens are then invalid.
std::optional<BoundObject> Read(const StoredObject& object) {
  const auto decoded = object.Decode();
  if (!decoded) return std::nullopt;
  BoundObject found;
  found.uid = object.uid();
  if (const std::string_view deleted = (*decoded)->metadata().deletion_timestamp;
      !deleted.empty()) {
    // An unreadable time counts as past, so that the object's tokens are invalid.
    found.deleted = ParseTime(deleted).value_or(Instant());
  }
  if (const codec::Value* const spec = (*decoded)->tree().Find("spec")) {
    found.service_account = TextAt(*spec, "serviceAccountName");
    found.node = TextAt(*spec, "nodeName");
  }
  return found;
}

}  // namespace

BoundObjects BoundObjectsIn(const Cache& cache, const ResourceTable& resources) {
  return [&cache, &resources](std::string_view kind, std::string_view namespace_,
                              std::string_view name) -> std::optional<BoundObject> {
    for (const KindRow& row : kKinds) {
      if (row.kind != kind) continue;
      const Resource* const resource = resources.Find("", "v1", row.plural);
      if (resource == nullptr) return std::nullopt;
      const ObjectPtr object = cache.Get(*resource, row.is_namespaced ? namespace_ : "", name);
      if (object == nullptr) return std::nullopt;
      return Read(*object);
    }
    return std::nullopt;
  };
}

}  // namespace plimsoll::apiserver
