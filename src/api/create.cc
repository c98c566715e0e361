#include "api/create.h"

#include <string>

#include "api/disabled_fields.h"
#include "api/schema/fields.h"
#include "codec/value_at.h"

namespace plimsoll::api {
namespace {

const KindDesc* KindOf(const ObjectSource& source) {
  const std::string_view version = TextAt(*source.tree, "apiVersion");
  const std::string_view kind = TextAt(*source.tree, "kind");
  if (kind.empty() && version.empty()) return source.implied_kind;
  const std::size_t slash = version.find('/');
  if (slash == std::string_view::npos) return FindKind({}, version, kind);
  return FindKind(version.substr(0, slash), version.substr(slash + 1), kind);
}

/// Adds the finalizer that keeps a namespace until all of its objects are gone.
void AddNamespaceFinalizer(codec::Document& document, codec::Value& tree) {
  constexpr std::string_view kNamespaceFinalizer = "kubernetes";
  const auto member = [&](codec::Value& object, std::string_view key,
                          codec::Value fresh) -> codec::Value& {
    codec::Value* found = object.Find(key);
    return found == nullptr || found->is_null() ? document.Set(object, key, fresh) : *found;
  };
  codec::Value& spec = member(tree, "spec", document.NewObject());
  if (!spec.is_object()) return;
  codec::Value& finalizers = member(spec, "finalizers", document.NewArray());
  if (!finalizers.is_array()) return;
  for (const codec::Value& one : finalizers.items()) {
    if (one.is_string() && one.text() == kNamespaceFinalizer) return;
  }
  document.Append(finalizers, codec::Value::String(kNamespaceFinalizer));
}

}  // namespace

void PrepareForCreate(codec::Document& document, const ObjectSource& source,
                      std::string_view request_namespace, const FeatureGates& gates,
                      std::string_view name_suffix) {
  const KindDesc* kind = KindOf(source);
  if (kind == nullptr || !source.tree->is_object()) return;
  DropDisabledFields(document, *source.tree, *kind, gates);
  if (kind->type->id == fields::core_v1::Namespace::kTypeId)
    AddNamespaceFinalizer(document, *source.tree);
  codec::Value* metadata = source.tree->Find("metadata");
  if (metadata == nullptr || metadata->is_null()) {
    codec::Value fresh = document.NewObject();
    fresh.set_line(source.tree->line());
    metadata = &document.Set(*source.tree, "metadata", fresh);
  }
  if (!metadata->is_object()) return;
  if (!kind->is_namespaced) {
    document.Remove(*metadata, "namespace");
  } else if (TextAt(*metadata, "namespace").empty()) {
    document.Set(*metadata, "namespace", document.NewString(request_namespace));
  }
  const std::string_view prefix = TextAt(*metadata, "generateName");
  if (!prefix.empty() && TextAt(*metadata, "name").empty()) {
    document.Set(*metadata, "name",
                 document.NewString(std::string(prefix) + std::string(name_suffix)));
  }
}

}  // namespace plimsoll::api
