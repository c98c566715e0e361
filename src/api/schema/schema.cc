#include "api/schema/schema.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "api/schema/tables.h"

namespace plimsoll::api {

std::span<const TypeDesc> AllTypes() { return tables::kTypes; }
std::span<const KindDesc> AllKinds() { return tables::kKinds; }

const TypeDesc& Describe(TypeId type) { return tables::kTypes[std::to_underlying(type)]; }
const Shape& DescribeShape(std::uint16_t shape) { return tables::kShapes[shape]; }

const KindDesc* FindKind(std::string_view group, std::string_view version, std::string_view kind) {
  const auto key = [](const KindDesc& one) { return std::tuple(one.kind, one.group, one.version); };
  const auto found =
      std::ranges::lower_bound(tables::kKinds, std::tuple(kind, group, version), {}, key);
  if (found == tables::kKinds.end() || key(*found) != std::tuple(kind, group, version)) {
    return nullptr;
  }
  return &*found;
}

const TypeDesc* FindType(std::string_view name) {
  const auto name_of = [](TypeId type) { return Describe(type).name; };
  const auto found = std::ranges::lower_bound(tables::kTypesByName, name, {}, name_of);
  if (found == tables::kTypesByName.end() || name_of(*found) != name) return nullptr;
  return &Describe(*found);
}

}  // namespace plimsoll::api
