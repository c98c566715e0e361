#include "api/schema/schema.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "api/schema/tables.h"

namespace plimsoll::api {

std::span<const TypeDesc> AllTypes() { return tables::kAllTypes; }
std::span<const KindDesc> AllKinds() { return tables::kAllKinds; }

const TypeDesc& Describe(TypeId type) { return tables::kAllTypes[std::to_underlying(type)]; }

codec::FieldId FindFieldByName(const TypeDesc& type, std::string_view name) {
  const auto found = std::ranges::find(type.fields, name, &FieldDesc::name);
  if (found == type.fields.end()) return codec::kUnknownField;
  return static_cast<codec::FieldId>(found - type.fields.begin());
}

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

const TypeDesc* FindTypeOfPackage(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const auto found =
      std::ranges::find(tables::kAllPackages, name.substr(0, dot), &tables::Package::file);
  if (found == tables::kAllPackages.end()) return nullptr;
  return FindType(std::string(found->name).append(name.substr(dot)));
}

}  // namespace plimsoll::api
