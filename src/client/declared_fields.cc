#include "client/declared_fields.h"

#include <algorithm>
#include <string_view>

#include "client/limits.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::client {
namespace {

using codec::Value;

// The document of a group is a few hundred kilobytes; that of core is about two megabytes.
constexpr codec::ParseLimits kLimits{.bytes_max = 64u << 20, .depth_max = 200};
constexpr std::string_view kSchemas = "#/components/schemas/";

const Value* SchemasOf(const Value& openapi) {
  const Value* const components = openapi.Find("components");
  return components == nullptr ? nullptr : components->Find("schemas");
}

bool IsOf(const Value& schema, const api::KindDesc& kind) {
  const Value* const kinds = schema.Find("x-kubernetes-group-version-kind");
  return kinds != nullptr && std::ranges::any_of(kinds->items(), [&](const Value& one) {
           return TextAt(one, "group") == kind.group && TextAt(one, "version") == kind.version &&
                  TextAt(one, "kind") == kind.kind;
         });
}

/// Follows references. Returns null if the schema is not in the document.
const Value* Resolve(const Value& schemas, const Value* schema) {
  for (int hops = 0; schema != nullptr && hops < kReferenceHopsMax; ++hops) {
    const std::string_view reference = TextAt(*schema, "$ref");
    const Value* const all_of = schema->Find("allOf");
    if (reference.starts_with(kSchemas)) {
      schema = schemas.Find(reference.substr(kSchemas.size()));
    } else if (all_of != nullptr && all_of->items().size() == 1) {
      schema = all_of->items().data();
    } else {
      return schema;
    }
  }
  return nullptr;
}

/// Removes the members that are not declared, and collects their paths.
class Walk {
 public:
  Walk(const Value& schemas, codec::Document& document) : schemas_(schemas), document_(document) {}

  void Visit(const Value* schema, Value& tree, const std::string& path) {
    schema = Resolve(schemas_, schema);
    if (schema == nullptr) return;
    if (tree.is_array()) {
      const Value* const items = schema->Find("items");
      std::size_t at = 0;
      for (Value& item : tree.items()) Visit(items, item, path + "[" + std::to_string(at++) + "]");
    } else if (tree.is_object()) {
      VisitObject(*schema, tree, path);
    }
  }

  std::vector<std::string> Finish() { return std::move(undeclared_); }

 private:
  void VisitObject(const Value& schema, Value& tree, const std::string& path) {
    const Value* const properties = schema.Find("properties");
    const Value* const others = schema.Find("additionalProperties");
    // A schema with neither accepts any object, such as the parameters of a driver.
    if (properties == nullptr && others == nullptr) return;
    std::vector<std::string_view> dropped;
    for (codec::Member& member : tree.members()) {
      const std::string at =
          path.empty() ? std::string(member.key) : path + "." + std::string(member.key);
      const Value* declared = properties == nullptr ? nullptr : properties->Find(member.key);
      if (declared == nullptr) declared = others;
      if (declared != nullptr) {
        Visit(declared, member.value, at);
      } else {
        undeclared_.push_back(at);
        dropped.push_back(member.key);
      }
    }
    for (const std::string_view key : dropped) document_.Remove(tree, key);
  }

  const Value& schemas_;
  codec::Document& document_;
  std::vector<std::string> undeclared_;
};

}  // namespace

Result<DeclaredFields> DeclaredFields::Read(std::string openapi, const api::KindDesc& kind) {
  std::shared_ptr<const codec::Document> document =
      PL_TRY(codec::ParseJson(std::move(openapi), kLimits));
  if (const Value* const schemas = SchemasOf(document->root()); schemas != nullptr) {
    for (const codec::Member& member : schemas->members()) {
      if (IsOf(member.value, kind)) return DeclaredFields(std::move(document), member.value);
    }
  }
  return Fail(Reason::NotFound,
              "the server's OpenAPI document does not describe " + std::string(kind.kind));
}

std::vector<std::string> DeclaredFields::UndeclaredIn(const codec::Value& object) const {
  codec::Document copy;
  copy.root() = copy.Clone(object);
  return Prune(copy);
}

std::vector<std::string> DeclaredFields::Prune(codec::Document& object) const {
  Walk walk(*SchemasOf(openapi_->root()), object);
  walk.Visit(schema_, object.root(), {});
  return walk.Finish();
}

}  // namespace plimsoll::client
