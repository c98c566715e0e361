#include "api/patch/strategic_merge.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/patch/element_order.h"
#include "api/patch/go_values.h"
#include "base/go_text.h"
#include "codec/patch/member_index.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Member;
using codec::MemberIndex;
using codec::Value;

constexpr std::string_view kPatch = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kDeletePrefix = "$deleteFromPrimitiveList";
constexpr std::string_view kOrderPrefix = "$setElementOrder";

std::unexpected<Error> BadFormat(std::string_view of) {
  return Fail(Reason::BadRequest, "invalid patch format of " + std::string(of));
}

std::unexpected<Error> Refuse(std::string message) {
  return Fail(Reason::InternalError, std::move(message));
}

std::unexpected<Error> NoMergeKey(const Value& element, std::string_view key) {
  return Refuse("map: " + GoText(element) +
                " does not contain declared merge key: " + std::string(key));
}

std::unexpected<Error> WrongType(std::string_view want, const Value& got) {
  return Refuse("expected a " + std::string(want) + ", but received a " +
                std::string(GoTypeText(got)));
}
constexpr std::string_view kGoMap = "map[string]interface {}";
constexpr std::string_view kGoList = "[]interface {}";

std::unexpected<Error> UnknownDirective(const Value& directive, const Value& element) {
  return Refuse("unknown patch type: " + GoStringText(directive) + " in map: " + GoText(element));
}

bool IsText(const Value& value, std::string_view text) {
  return value.is_string() && value.text() == text;
}

/// Returns the type name without its package: `PodSpec` for `v1.PodSpec`.
std::string_view BareName(std::string_view go_name) {
  return go_name.substr(go_name.rfind('.') + 1);
}

Result<const FieldDesc*> LookUp(const Shape& shape, std::string_view key) {
  if (shape.kind == ShapeKind::Struct) {
    const codec::FieldId field = FindField(*shape.type, key);
    if (field != codec::kUnknownField) return &shape.type->fields[field];
  } else if (shape.kind != ShapeKind::Any) {
    return Refuse("merging an object in json but data type is not struct, instead is: map");
  }
  const std::string_view name = shape.type != nullptr ? shape.type->go_name : shape.go_name;
  return Refuse("unable to find api field in struct " + std::string(BareName(name)) +
                " for the json field " + GoQuote(key));
}

Result<const FieldDesc*> LookUpList(const Shape& shape, std::string_view key) {
  const FieldDesc* const field = PL_TRY(LookUp(shape, key));
  if (field->shape->kind == ShapeKind::List) return field;
  return Refuse("expected slice or array type, but got: struct");
}

/// Returns the field's strategy without `retainKeys`, which only clients use.
std::string_view Strategy(const FieldDesc& field) {
  const auto found = std::ranges::find_if(field.patch_strategies,
                                          [](std::string_view one) { return one != "retainKeys"; });
  return found == field.patch_strategies.end() ? std::string_view() : *found;
}

/// Returns the common type of all elements of two lists.
Result<Value::Kind> ElementKind(const Value& first, const Value& second) {
  const Value* known = nullptr;
  for (const Value* const list : {&first, &second}) {
    for (const Value& element : list->items()) {
      if (known == nullptr) {
        known = &element;
        if (element.is_array()) {
          return Fail(Reason::Invalid, "lists of lists are not supported");
        }
      } else if (known->kind() != element.kind()) {
        return Refuse("list element types are not identical: [" + GoText(first) + " " +
                      GoText(second) + "]");
      }
    }
  }
  if (known == nullptr) return Refuse("no elements in any of the given slices");
  return known->kind();
}

/// Checks that every element is an object with the merge key, if there is one.
Status CheckElements(std::span<const Value> elements, std::string_view merge_key) {
  for (const Value& element : elements) {
    if (merge_key.empty()) {
      // Upstream's server panics here and returns the runtime's message.
      if (element.is_object() || element.is_array()) {
        return Refuse("runtime error: hash of unhashable type " + std::string(GoTypeText(element)));
      }
    } else if (!element.is_object()) {
      return WrongType(kGoMap, element);
    } else if (element.Find(merge_key) == nullptr) {
      return NoMergeKey(element, merge_key);
    }
  }
  return {};
}

bool IsDelete(const Value& element) {
  const Value* const directive = element.Find(kPatch);
  return directive != nullptr && IsText(*directive, "delete");
}

Result<bool> HasSameKey(const Value& element, const Value& ordered, std::string_view merge_key) {
  if (merge_key.empty()) return element == ordered;
  if (!ordered.is_object()) return WrongType(kGoMap, ordered);
  const Value* const key = element.Find(merge_key);
  if (key == nullptr) return NoMergeKey(element, merge_key);
  const Value* const ordered_key = ordered.Find(merge_key);
  if (ordered_key == nullptr) return NoMergeKey(ordered, merge_key);
  return *key == *ordered_key;
}

/// Checks that the patched elements are in the order of `$setElementOrder`.
Status CheckOrder(const Value& patch, const Value& order, std::string_view merge_key) {
  if (order.items().empty() || patch.items().empty()) return {};
  std::vector<const Value*> kept;
  for (const Value& element : patch.items()) {
    if (!merge_key.empty() && !element.is_object()) return WrongType(kGoMap, element);
    if (!IsDelete(element)) kept.push_back(&element);
  }
  std::size_t next = 0;
  std::size_t place = 0;
  while (next < kept.size() && place < order.items().size()) {
    if (kept[next]->Find(kPatch) != nullptr) {
      ++next;
      continue;
    }
    if (PL_TRY(HasSameKey(*kept[next], order.items()[place], merge_key))) ++next;
    ++place;
  }
  if (next == kept.size() || place < order.items().size()) return {};
  return Refuse("The order in patch list:\n" + GoText(patch) + "\n doesn't match " +
                std::string(kOrderPrefix) + " list:\n" + GoText(order) + "\n");
}

/// Upstream looks up every element in the order list and fails at the first entry that is no map.
Status CheckOrderElements(std::span<const Value> merged, const Value& order,
                          std::string_view merge_key) {
  PL_TRY(CheckElements(merged, merge_key));
  const auto odd = std::ranges::find_if_not(order.items(), &Value::is_object);
  if (!merge_key.empty() && odd != order.items().end()) {
    const auto place = static_cast<std::size_t>(odd - order.items().begin());
    const ElementIndex before(order.items().first(place), merge_key);
    for (const Value& element : merged) {
      if (before.Find(*element.Find(merge_key))) continue;
      return Refuse("value for key " + std::to_string(place) + " is not a map.");
    }
  }
  return CheckElements(order.items(), merge_key);
}

/// Works on its own copies: original and patch are cloned into `out` and may be modified.
class Merger {
 public:
  explicit Merger(Document& out) : out_(out) {}

  Result<Value> Merge(Value original, const Value& patch, const Shape& shape) {
    if (const Value* const directive = patch.Find(kPatch)) return Replace(*directive, patch);
    if (const Value* const keys = patch.Find(kRetainKeys)) {
      original = PL_TRY(Retain(original, patch, *keys));
    }
    const MemberIndex existing(original);
    const MemberIndex changes(patch);
    const Value ordered = PL_TRY(MergeOrdered(existing, patch, changes, shape));
    const MemberIndex done(ordered);
    const bool has_deletions = std::ranges::any_of(
        patch.members(), [](std::string_view key) { return key.starts_with(kDeletePrefix); },
        &Member::key);

    Value merged = out_.NewObject(original.members().size() + patch.members().size());
    for (const Member& member : original.members()) {
      if (const Value* const list = done.Find(member.key)) {
        out_.AppendMember(merged, {member.key, *list});
        continue;
      }
      const auto value = PL_TRY(MergeMember(member, changes, has_deletions, shape));
      if (value) out_.AppendMember(merged, {member.key, *value, member.field});
    }
    for (const Member& member : patch.members()) {
      if (member.key.starts_with(kOrderPrefix) || member.key == kRetainKeys) continue;
      if (member.key.starts_with(kDeletePrefix)) {
        if (member.key.substr(kDeletePrefix.size()).starts_with('/')) continue;
        return BadFormat("primitive list");
      }
      if (member.value.is_null() || existing.Find(member.key) != nullptr) continue;
      const Value* const list = done.Find(member.key);
      const auto value = list != nullptr ? *list : Take(member.value, Nulls::Dropped);
      if (value) out_.AppendMember(merged, {member.key, *value});
    }
    return merged;
  }

 private:
  enum class Nulls : std::uint8_t { Kept, Dropped };

  Result<Value> Replace(const Value& directive, const Value& patch) {
    if (IsText(directive, "delete")) return out_.NewObject();
    if (!IsText(directive, "replace")) return UnknownDirective(directive, patch);
    Value rest = out_.NewObject(patch.members().size());
    for (const Member& member : patch.members()) {
      if (member.key != kPatch) out_.AppendMember(rest, member);
    }
    return rest;
  }

  /// Returns the original without the members that `$retainKeys` does not list.
  Result<Value> Retain(const Value& original, const Value& patch, const Value& keys) {
    if (!keys.is_array()) return BadFormat("retainKeys");
    const ElementIndex retained(keys.items(), {});
    const auto is_retained = [&](std::string_view key) {
      return retained.Find(Value::String(key)).has_value();
    };
    for (const Member& member : patch.members()) {
      if (member.value.is_null() || member.key == kRetainKeys ||
          member.key.starts_with(kDeletePrefix) || member.key.starts_with(kOrderPrefix)) {
        continue;
      }
      if (!is_retained(member.key)) return BadFormat("retainKeys");
    }
    Value rest = out_.NewObject(original.members().size());
    for (const Member& member : original.members()) {
      if (is_retained(member.key)) out_.AppendMember(rest, member);
    }
    return rest;
  }

  /// Returns a value of the patch without directives; nothing if the value is a directive itself.
  std::optional<Value> Take(const Value& value, Nulls nulls) {
    if (value.is_array()) {
      Value taken = out_.NewArray(value.items().size());
      for (const Value& item : value.items()) {
        if (const auto kept = Take(item, nulls)) out_.Append(taken, *kept);
      }
      return taken;
    }
    if (!value.is_object()) return value;
    if (value.Find(kPatch) != nullptr) return std::nullopt;
    Value taken = out_.NewObject(value.members().size());
    for (const Member& member : value.members()) {
      if (nulls == Nulls::Dropped && member.value.is_null()) continue;
      const auto kept = Take(member.value, nulls);
      if (kept) out_.AppendMember(taken, {member.key, *kept});
    }
    return taken;
  }

  /// Applies the deletions and the change in the patch to a member of the original.
  Result<std::optional<Value>> MergeMember(const Member& member, const MemberIndex& changes,
                                           bool has_deletions, const Shape& shape) {
    std::optional<Value> value = member.value;
    for (const bool is_deletion : {true, false}) {
      const Value* change = nullptr;
      if (!is_deletion) {
        change = changes.Find(member.key);
      } else if (has_deletions) {
        change = changes.Find(std::string(kDeletePrefix) + "/" + std::string(member.key));
      }
      if (change == nullptr) continue;
      if (change->is_null()) {
        value.reset();
      } else if (!value || value->kind() != change->kind()) {
        if (!is_deletion) value = Take(*change, Nulls::Dropped);
      } else if (value->is_object()) {
        const FieldDesc* const field = PL_TRY(LookUp(shape, member.key));
        value =
            Strategy(*field) == "replace" ? *change : PL_TRY(Merge(*value, *change, *field->shape));
      } else if (value->is_array()) {
        const FieldDesc* const field = PL_TRY(LookUpList(shape, member.key));
        value = PL_TRY(MergeList(*value, *change, *field, is_deletion));
      } else {
        value = *change;
      }
    }
    return value;
  }

  /// Merges the lists for which the patch has a `$setElementOrder`.
  Result<Value> MergeOrdered(const MemberIndex& existing, const Value& patch,
                             const MemberIndex& changes, const Shape& shape) {
    Value ordered = out_.NewObject();
    for (const Member& member : patch.members()) {
      if (!member.key.starts_with(kOrderPrefix)) continue;
      const Value& order = member.value;
      if (!order.is_array()) return WrongType(kGoList, order);
      const std::string_view rest = member.key.substr(kOrderPrefix.size());
      if (!rest.starts_with('/')) return BadFormat("setElementOrder list");
      const std::string_view key = rest.substr(1);
      const Value* const original = existing.Find(key);
      const Value* const change = changes.Find(key);
      for (const Value* const list : {original, change}) {
        if (list != nullptr && !list->is_array()) return WrongType(kGoList, *list);
      }
      const FieldDesc* const field = PL_TRY(LookUpList(shape, key));
      const Value none = out_.NewArray();
      PL_TRY(CheckOrder(change == nullptr ? none : *change, order, field->merge_key));
      if (original == nullptr && change == nullptr) continue;

      Value merged = none;
      if (change == nullptr) {
        merged = *original;
      } else if (original == nullptr) {
        merged = *Take(*change, Nulls::Kept);
      } else {
        merged = PL_TRY(MergeList(*original, *change, *field, false));
      }
      PL_TRY(CheckOrderElements(merged.items(), order, field->merge_key));
      const auto kind =
          ElementKind(original == nullptr ? none : *original, change == nullptr ? none : *change);
      if (!kind) return std::unexpected(kind.error());
      const std::span<const Value> server_order =
          original == nullptr ? std::span<const Value>() : original->items();
      out_.AppendMember(ordered, {key, ListOf(OrderElements(merged.items(), order.items(),
                                                            server_order, field->merge_key))});
    }
    return ordered;
  }

  Value ListOf(std::span<const Value> elements) {
    Value list = out_.NewArray(elements.size());
    for (const Value& element : elements) out_.Append(list, element);
    return list;
  }

  Result<Value> MergeList(const Value& original, const Value& patch, const FieldDesc& field,
                          bool is_deletion) {
    if (Strategy(field) != "merge") return patch;
    if (original.items().empty() && patch.items().empty()) return original;
    const Value::Kind kind = PL_TRY(ElementKind(original, patch));
    if (kind != Value::Kind::Object) return MergeScalars(original, patch, field, is_deletion);
    if (field.merge_key.empty()) {
      return Refuse(
          "cannot merge lists without merge key for " +
          std::string(field.shape->element->kind == ShapeKind::Struct ? "struct" : "string"));
    }
    return MergeObjects(original, patch, field);
  }

  Result<Value> MergeScalars(const Value& original, const Value& patch, const FieldDesc& field,
                             bool is_deletion) {
    std::vector<Value> merged;
    if (is_deletion) {
      const ElementIndex deleted(patch.items(), {});
      std::ranges::copy_if(original.items(), std::back_inserter(merged),
                           [&](const Value& element) { return !deleted.Find(element); });
      return ListOf(merged);
    }
    ElementIndex seen({}, {});
    for (const Value* const list : {&original, &patch}) {
      for (const Value& element : list->items()) {
        if (seen.Find(element)) continue;
        seen.Add(element, merged.size());
        merged.push_back(element);
      }
    }
    PL_TRY(CheckElements(merged, field.merge_key));
    return ListOf(OrderElements(merged, patch.items(), original.items(), field.merge_key));
  }

  Result<Value> MergeObjects(const Value& original, const Value& patch, const FieldDesc& field) {
    const std::string_view key = field.merge_key;
    std::vector<Value> changes;
    ElementIndex deleted({}, key);
    bool replaces = false;
    for (const Value& element : patch.items()) {
      const Value* const directive = element.Find(kPatch);
      if (directive == nullptr) {
        changes.push_back(element);
      } else if (IsText(*directive, "delete")) {
        const Value* const identity = element.Find(key);
        if (identity == nullptr) return NoMergeKey(element, key);
        deleted.Add(*identity, 0);
      } else if (IsText(*directive, "replace")) {
        replaces = true;
      } else if (IsText(*directive, "merge")) {
        return Refuse("merging lists cannot yet be specified in the patch");
      } else {
        return UnknownDirective(*directive, element);
      }
    }
    std::vector<Value> kept;
    if (replaces) {
      kept = std::exchange(changes, {});
    } else {
      for (const Value& element : original.items()) {
        const Value* const identity = element.Find(key);
        if (identity == nullptr || !deleted.Find(*identity)) kept.push_back(element);
      }
    }
    std::vector<Value> merged = kept;
    ElementIndex places(merged, key);
    for (const Value& change : changes) {
      const Value* const identity = change.Find(key);
      if (identity == nullptr) return NoMergeKey(change, key);
      if (const auto place = places.Find(*identity)) {
        merged[*place] = PL_TRY(Merge(merged[*place], change, *field.shape->element));
      } else {
        places.Add(*identity, merged.size());
        merged.push_back(change);
      }
    }
    PL_TRY(CheckElements(merged, key));
    return ListOf(OrderElements(merged, changes, kept, key));
  }

  Document& out_;
};

}  // namespace

Result<Value> ApplyStrategicMerge(Document& out, const Value& original, const Value& patch,
                                  const TypeDesc& type) {
  if (patch.is_null()) return out.Clone(original);
  if (!patch.is_object() || !original.is_object()) {
    return Fail(Reason::BadRequest, "invalid JSON document");
  }
  const Shape shape{.kind = ShapeKind::Struct, .type = &type, .go_name = type.go_name};
  return Merger(out).Merge(out.Clone(original), out.Clone(patch), shape);
}

}  // namespace plimsoll::api
