#include "api/schema/schema.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "api/schema/tables.h"

namespace plimsoll::api {

std::span<const TypeDesc> AllTypes() { return tables::kAllTypes; }
std::span<const KindDesc> AllKinds() { return tables::kAllKinds; }

const TypeDesc& Describe(TypeId type) { return tables::kAllTypes[std::to_underlying(type)]; }

const KindDesc* FindKind(std::string_view group, std::string_view version, std::string_view kind) {
  const auto key = [](const KindDesc& one) { return std::tuple(one.kind, one.group, one.version); };
  const auto found =
      std::ranges::lower_bound(tables::kAllKinds, std::tuple(kind, group, version), {}, key);
  if (found == tables::kAllKinds.end() || key(*found) != std::tuple(kind, group, version)) {
    return nullptr;
  }
  return &*found;
}

const TypeDesc* FindType(std::string_view name) {
  const auto found = std::ranges::lower_bound(tables::kAllTypesByName, name, {}, &TypeDesc::name);
  if (found == tables::kAllTypesByName.end() || (*found)->name != name) return nullptr;
  return *found;
}

}  // namespace plimsoll::api
