#include "apiserver/openapi/schema_text.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "api/apply/taint_ownership.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

using api::FieldDesc;
using api::KindDesc;
using api::ListType;
using api::MapType;
using api::Shape;
using api::ShapeKind;
using api::TypeDesc;
using Flavor = OpenApiFlavor;

/// A schema without a type description.
struct Plain {
  std::string_view name;
  std::string_view doc;
  std::string_view v2;  // members after the description
  std::string_view v3;
};
constexpr Plain kPlain[] = {
    {kQuantityName, "Quantity: a number with a suffix, such as 500m, 1.5 or 64Gi.",
     R"("type":"string")", R"("oneOf":[{"type":"string"},{"type":"number"}])"},
    {kTimeName, "Time in RFC 3339, such as 2026-01-31T12:00:00Z.",
     R"("type":"string","format":"date-time")", R"("type":"string","format":"date-time")"},
    {kMicroTimeName, "Time with microseconds in RFC 3339, such as 2026-01-31T12:00:00.000000Z.",
     R"("type":"string","format":"date-time")", R"("type":"string","format":"date-time")"},
    {kIntOrStringName, "Integer, or text such as a name or a percentage.",
     R"("type":"string","format":"int-or-string")",
     R"("oneOf":[{"type":"integer"},{"type":"string"}],"format":"int-or-string")"},
    {kFieldsV1Name, "Set of fields, as a tree of their paths.", R"("type":"object")",
     R"("type":"object")"},
    {kRawExtensionName, "Object of any kind.", R"("type":"object")", R"("type":"object")"},
    {kPatchName, "Changes of an object, in the format that the content type names.",
     R"("type":"object")", R"("type":"object")"},
};

/// Returns the schema that a value of this shape refers to; "" if it is described inline.
std::string_view ReferredName(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::Struct:
      return shape.type->name;
    case ShapeKind::Quantity:
      return kQuantityName;
    case ShapeKind::Time:
      return kTimeName;
    case ShapeKind::MicroTime:
      return kMicroTimeName;
    case ShapeKind::IntOrString:
      return kIntOrStringName;
    case ShapeKind::Any:
      return shape.go_name == "v1.FieldsV1" ? kFieldsV1Name : kRawExtensionName;
    default:
      return {};
  }
}

/// Returns a field's description, or a default for the fields that all objects and lists have.
/// tools/gen_schema.py rejects every other field without a description.
std::string_view DocOf(const TypeDesc& type, const FieldDesc& field) {
  if (!field.doc.empty()) return field.doc;
  constexpr std::pair<std::string_view, std::string_view> kCommon[] = {
      {"apiVersion", "API group and version of the object, such as apps/v1."},
      {"kind", "Kind of the object, such as Pod."},
      {"items", "Objects of the list."},
      {"spec", "Desired state."},
      {"status", "Observed state, which the system writes."},
  };
  const auto has = [&type](std::string_view name) {
    return api::FindField(type, name) != codec::kUnknownField;
  };
  if (!has("apiVersion") || !has("kind") || !has("metadata")) return {};
  if (field.name == "metadata") {
    return has("items") ? "Metadata of the list, such as its version."
                        : "Metadata of the object, such as its name and labels.";
  }
  for (const auto& [name, doc] : kCommon) {
    if (name == field.name) return doc;
  }
  return {};
}

class SchemaWriter {
 public:
  SchemaWriter(Flavor flavor, codec::JsonStream& out) : flavor_(flavor), out_(out) {}

  void Type(const TypeDesc& type, std::span<const Resource> resources) {
    out_.Open('{');
    if (!type.doc.empty()) out_.Field("description", type.doc);
    out_.Field("type", "object");
    std::vector<std::string_view> required;
    for (const FieldDesc& field : type.fields) {
      if (field.required) required.push_back(field.name);
    }
    out_.Field("required", std::span<const std::string_view>(required));
    if (!type.fields.empty()) {
      out_.Key("properties").Open('{');
      for (const FieldDesc& field : type.fields) Field(type, field);
      out_.Close('}');
    }
    GroupVersionKinds(type, resources);
    if (type.map_type != MapType::Unset) MapTypeOf(type.map_type);
    if (!type.unions_json.empty()) out_.Key("x-kubernetes-unions").Raw(type.unions_json);
    out_.Close('}');
  }

 private:
  void Field(const TypeDesc& type, const FieldDesc& field) {
    out_.Key(field.name).Open('{');
    const std::string_view doc = DocOf(type, field);
    if (!doc.empty()) out_.Field("description", doc);
    ShapeMembers(*field.shape, /*has_siblings=*/true);
    if (!field.default_json.empty()) out_.Key("default").Raw(field.default_json);
    out_.Field("enum", field.enum_values);
    Merging(field);
    out_.Close('}');
  }

  /// Writes the members that describe a value.
  void ShapeMembers(const Shape& shape, bool has_siblings) {
    if (const std::string_view name = ReferredName(shape); !name.empty()) {
      // Readers ignore the siblings of a `$ref`, so V3 wraps it in `allOf`.
      const bool is_wrapped = flavor_ == Flavor::V3 && has_siblings;
      if (is_wrapped) out_.Key("allOf").Open('[').Open('{');
      out_.Field("$ref", SchemaPointer(flavor_, name));
      if (is_wrapped) out_.Close('}').Close(']');
      return;
    }
    switch (shape.kind) {
      case ShapeKind::Int32:
        out_.Field("type", "integer").Field("format", "int32");
        return;
      case ShapeKind::Int64:
        out_.Field("type", "integer").Field("format", "int64");
        return;
      case ShapeKind::Bool:
        out_.Field("type", "boolean");
        return;
      case ShapeKind::Bytes:
        out_.Field("type", "string").Field("format", "byte");
        return;
      case ShapeKind::List:
        return Elements("array", "items", *shape.element);
      case ShapeKind::Map:
        return Elements("object", "additionalProperties", *shape.element);
      default:
        out_.Field("type", "string");
    }
  }

  void Elements(std::string_view type, std::string_view key, const Shape& element) {
    out_.Field("type", type).Key(key).Open('{');
    ShapeMembers(element, /*has_siblings=*/false);
    out_.Close('}');
  }

  void Merging(const FieldDesc& field) {
    if (field.list_type != ListType::Unset) {
      constexpr std::string_view kNames[] = {"", "atomic", "set", "map"};
      out_.Field("x-kubernetes-list-type", kNames[std::to_underlying(field.list_type)]);
    }
    out_.Field("x-kubernetes-list-map-keys", field.list_map_keys);
    if (field.map_type != MapType::Unset) MapTypeOf(field.map_type);
    if (!field.merge_key.empty()) out_.Field("x-kubernetes-patch-merge-key", field.merge_key);
    if (field.patch_strategies.empty()) return;
    std::string strategies;
    for (const std::string_view one : field.patch_strategies) {
      strategies.append(strategies.empty() ? "" : ",").append(one);
    }
    out_.Field("x-kubernetes-patch-strategy", strategies);
  }

  void MapTypeOf(MapType type) {
    out_.Field("x-kubernetes-map-type", type == MapType::Atomic ? "atomic" : "granular");
  }

  void GroupVersionKinds(const TypeDesc& type, std::span<const Resource> resources) {
    std::set<std::tuple<std::string_view, std::string_view, std::string_view>> found;
    for (const KindDesc& kind : api::AllKinds()) {
      if (kind.type->id == type.id) found.emplace(kind.group, kind.version, kind.kind);
    }
    if (type.name == kDeleteOptionsName) {
      for (const Resource& resource : resources) {
        found.emplace(resource.kind->group, resource.kind->version, "DeleteOptions");
      }
    }
    if (found.empty()) return;
    out_.Key("x-kubernetes-group-version-kind").Open('[');
    for (const auto& [group, version, kind] : found) {
      out_.Open('{').Field("group", group).Field("kind", kind).Field("version", version);
      out_.Close('}');
    }
    out_.Close(']');
  }

  Flavor flavor_;
  codec::JsonStream& out_;
};

const Plain* FindPlain(std::string_view name) {
  const auto found = std::ranges::find(kPlain, name, &Plain::name);
  return found == std::end(kPlain) ? nullptr : found;
}

void AddReferences(const Shape& shape, std::set<std::string_view>& seen,
                   std::vector<std::string_view>& open) {
  if (shape.element != nullptr) return AddReferences(*shape.element, seen, open);
  const std::string_view name = ReferredName(shape);
  if (!name.empty() && seen.insert(name).second) open.push_back(name);
}

}  // namespace

std::set<std::string_view> WithReferences(std::set<std::string_view> names) {
  std::vector<std::string_view> open(names.begin(), names.end());
  while (!open.empty()) {
    const TypeDesc* type = api::FindType(open.back());
    open.pop_back();
    if (type == nullptr) continue;
    for (const FieldDesc& field : type->fields) AddReferences(*field.shape, names, open);
  }
  return names;
}

void WriteSchemas(const std::set<std::string_view>& names, std::span<const Resource> resources,
                  const api::FeatureGates& gates, OpenApiFlavor flavor, codec::JsonStream& out) {
  SchemaWriter writer(flavor, out);
  const bool owns_single_taints = gates.Enabled(api::Feature::PlimsollTaintOwnership);
  for (const std::string_view name : names) {
    out.Key(name);
    if (const Plain* plain = FindPlain(name)) {
      const std::string_view members = flavor == Flavor::V3 ? plain->v3 : plain->v2;
      out.Open('{').Field("description", plain->doc);
      out.Raw(members).Close('}');
      continue;
    }
    const TypeDesc* type = api::FindType(name);
    PL_ASSERT(type != nullptr);
    writer.Type(api::OwnedType(*type, owns_single_taints), resources);
  }
}

}  // namespace plimsoll::apiserver
