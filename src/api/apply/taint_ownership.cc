#include "api/apply/taint_ownership.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/apply/compare.h"
#include "api/schema/fields.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Value;
using NodeFields = fields::core_v1::Node;
using NodeSpecFields = fields::core_v1::NodeSpec;

/// The types Node and NodeSpec with an atomic list of taints.
class AtomicTaints {
 public:
  AtomicTaints()
      : spec_fields_(CopyFields(Describe(NodeSpecFields::kTypeId))),
        node_fields_(CopyFields(Describe(NodeFields::kTypeId))),
        spec(Describe(NodeSpecFields::kTypeId)),
        node(Describe(NodeFields::kTypeId)) {
    FieldDesc& taints = spec_fields_[NodeSpecFields::kTaints];
    taints.list_type = ListType::Atomic;
    taints.list_map_keys = {};
    spec.fields = spec_fields_;
    FieldDesc& spec_field = node_fields_[NodeFields::kSpec];
    spec_shape_ = *spec_field.shape;
    spec_shape_.type = &spec;
    spec_field.shape = &spec_shape_;
    node.fields = node_fields_;
  }
  AtomicTaints(const AtomicTaints&) = delete;
  AtomicTaints& operator=(const AtomicTaints&) = delete;

 private:
  static std::vector<FieldDesc> CopyFields(const TypeDesc& type) {
    return {type.fields.begin(), type.fields.end()};
  }

  std::vector<FieldDesc> spec_fields_;
  std::vector<FieldDesc> node_fields_;
  Shape spec_shape_;

 public:
  TypeDesc spec;
  TypeDesc node;
};

/// Returns the owned part of `spec.taints`, or null if the set has neither the list nor an item.
const FieldSet::Node* FindTaints(const FieldSet& fields) {
  const FieldSet::Node* const spec = fields.Find(PathElement::Field("spec"));
  return spec == nullptr ? nullptr : spec->below.Find(PathElement::Field("taints"));
}

const FieldSet& ListOfTaints() {
  static const FieldSet kList{{"spec", "taints"}};
  return kList;
}

bool OwnsListOnly(const ManagedEntry& entry) {
  const FieldSet::Node* const taints = FindTaints(entry.fields);
  return taints != nullptr && taints->is_member && taints->below.empty();
}

/// Returns the fields of those taints of `live` of which no manager owns a part.
FieldSet UnownedTaints(Document& arena, const ManagedFields& managed, const Value& live,
                       const TypeDesc& type) {
  const FieldSet all = FieldsOf(arena, live, type);
  const FieldSet::Node* const taints = FindTaints(all);
  if (taints == nullptr) return {};
  FieldSet unowned;
  for (const FieldSet::Node& taint : taints->below.nodes()) {
    const bool is_owned = std::ranges::any_of(managed.entries(), [&](const ManagedEntry& entry) {
      const FieldSet::Node* const owned = FindTaints(entry.fields);
      return owned != nullptr && owned->below.Find(taint.element) != nullptr;
    });
    if (!is_owned) unowned.Append(taint.element, taint.is_member, FieldSet(taint.below));
  }
  FieldSet list;
  list.Append(PathElement::Field("taints"), false, std::move(unowned));
  FieldSet spec;
  spec.Append(PathElement::Field("spec"), false, std::move(list));
  return spec;
}

void GiveTaintsToOwnersOfList(Document& arena, ManagedFields& managed, const Value& live,
                              const TypeDesc& type) {
  // Finding out which taints are unowned takes time, and few objects need it.
  if (std::ranges::none_of(managed.entries(), OwnsListOnly)) return;
  const FieldSet unowned = UnownedTaints(arena, managed, live, type);
  if (unowned.empty()) return;
  for (ManagedEntry& entry : managed.entries()) {
    if (!OwnsListOnly(entry)) continue;
    // A manager that applies a keyed list owns its items, never the list.
    const bool is_apply = entry.operation == ManagedEntry::Operation::Apply;
    if (is_apply) entry.fields.Subtract(ListOfTaints());
    entry.fields.Add(FieldSet(unowned));
  }
}

void GiveListToOwnersOfTaints(ManagedFields& managed) {
  for (ManagedEntry& entry : managed.entries()) {
    const FieldSet::Node* const taints = FindTaints(entry.fields);
    if (taints == nullptr || taints->below.empty()) continue;
    entry.fields.SubtractSubtrees(ListOfTaints());
    entry.fields.Add(FieldSet(ListOfTaints()));
  }
}

}  // namespace

const TypeDesc& OwnedType(const TypeDesc& type, bool owns_single_taints) {
  if (owns_single_taints) return type;
  static const AtomicTaints kAtomic;
  if (type.id == NodeFields::kTypeId) return kAtomic.node;
  return type.id == NodeSpecFields::kTypeId ? kAtomic.spec : type;
}

void ReconcileTaintOwners(Document& arena, ManagedFields& managed, const Value& live,
                          const KindDesc& kind, bool owns_single_taints) {
  if (kind.type->id != NodeFields::kTypeId) return;
  if (owns_single_taints) {
    GiveTaintsToOwnersOfList(arena, managed, live, *kind.type);
  } else {
    GiveListToOwnersOfTaints(managed);
  }
}

}  // namespace plimsoll::api
