#include "api/core/taint_owner.h"

#include <algorithm>

#include "api/apply/managed_fields.h"

namespace plimsoll::api {
namespace {

/// Returns true if the key of a list element is that of the taint.
bool IsOfTaint(const PathElement& element, const Taint& taint) {
  if (element.kind() != PathElement::Kind::Key) return false;
  const codec::Value* const key = element.value().Find("key");
  const codec::Value* const effect = element.value().Find("effect");
  return key != nullptr && key->is_string() && key->text() == taint.key && effect != nullptr &&
         effect->is_string() && effect->text() == taint.effect;
}

bool Owns(const FieldSet& fields, const Taint& taint) {
  const FieldSet::Node* const spec = fields.Find(PathElement::Field("spec"));
  const FieldSet::Node* const taints =
      spec == nullptr ? nullptr : spec->below.Find(PathElement::Field("taints"));
  if (taints == nullptr) return false;
  const auto is_element = [](const FieldSet::Node& node) {
    return node.element.kind() == PathElement::Kind::Key;
  };
  if (std::ranges::none_of(taints->below.nodes(), is_element)) return taints->is_member;
  return std::ranges::any_of(taints->below.nodes(), [&](const FieldSet::Node& node) {
    return IsOfTaint(node.element, taint);
  });
}

}  // namespace

std::vector<std::string> OwnersOfTaint(const Object& node, const Taint& taint) {
  std::vector<std::string> owners;
  const codec::Value* const metadata = node.tree().Find("metadata");
  if (metadata == nullptr) return owners;
  codec::Document arena;
  const auto managed = ManagedFields::Decode(arena, metadata->Find("managedFields"));
  if (!managed) return owners;
  for (const ManagedEntry& entry : managed->entries()) {
    std::string name(entry.manager);
    if (Owns(entry.fields, taint) && std::ranges::find(owners, name) == owners.end()) {
      owners.push_back(std::move(name));
    }
  }
  return owners;
}

}  // namespace plimsoll::api
