#include "api/apply/merge_trees.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "api/apply/ownership.h"
#include "codec/patch/member_index.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Member;
using codec::MemberIndex;
using codec::Value;

struct Item {
  PathElement path;
  const Value* value = nullptr;
  bool is_repeated = false;  // an earlier item has the same path
};

/// The list elements that have a path, in list order, with lookup by path.
class ItemIndex {
 public:
  ItemIndex(Document& arena, const Value* list, const Ownership& how) {
    if (list == nullptr) return;
    for (const Value& value : list->items()) {
      if (const auto path = how.ElementPath(arena, value)) items_.push_back({*path, &value});
    }
    for (std::size_t i = 0; i < items_.size(); ++i) sorted_.push_back(i);
    const auto path_of = [this](std::size_t place) -> const PathElement& {
      return items_[place].path;
    };
    std::ranges::stable_sort(sorted_, {}, path_of);
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      if (path_of(sorted_[i]) == path_of(sorted_[i - 1])) items_[sorted_[i]].is_repeated = true;
    }
  }

  std::span<const Item> items() const { return items_; }
  /// Returns the first element with that path.
  const Item* Find(const PathElement& path) const {
    const auto found = std::ranges::lower_bound(
        sorted_, path, {},
        [this](std::size_t place) -> const PathElement& { return items_[place].path; });
    return found == sorted_.end() || items_[*found].path != path ? nullptr : &items_[*found];
  }

 private:
  std::vector<Item> items_;
  std::vector<std::size_t> sorted_;  // indices into items_, sorted by path
};

class Merger {
 public:
  explicit Merger(Document& out) : out_(out) {}

  /// REQUIRES: at least one of the two is not nullptr. Null counts as an empty list or object. If
  /// both are empty, the configuration's value is kept.
  Value Merge(const Value* live, const Value* config, const Ownership& how) {
    const Value* const wins = config != nullptr ? config : live;
    const bool is_fit =
        how.is_list() ? IsList(live) && IsList(config) : IsObject(live) && IsObject(config);
    const bool is_void = IsVoid(live) && IsVoid(config);
    if (how.kind == Ownership::Kind::Whole || !is_fit || is_void) return out_.Clone(*wins);
    return how.is_list() ? MergeLists(live, config, how) : MergeObjects(live, config, how);
  }

 private:
  static bool IsList(const Value* value) {
    return value == nullptr || value->is_null() || value->is_array();
  }
  static bool IsObject(const Value* value) {
    return value == nullptr || value->is_null() || value->is_object();
  }
  static bool IsVoid(const Value* value) {
    return value == nullptr || (value->items().empty() && value->members().empty());
  }

  Value MergeObjects(const Value* live, const Value* config, const Ownership& how) {
    const Value nothing;
    const Value& old_object = live == nullptr ? nothing : *live;
    const Value& new_object = config == nullptr ? nothing : *config;
    const MemberIndex old_members(old_object);
    const MemberIndex new_members(new_object);
    Value merged = out_.NewObject(old_object.members().size() + new_object.members().size());
    const auto add = [&](const Member& member, const Value* before, const Value* after) {
      const Value value = Merge(before, after, how.Member(member.key));
      out_.AppendMember(merged, {out_.CopyText(member.key), value, member.field});
    };
    for (const Member& member : old_object.members()) {
      add(member, &member.value, new_members.Find(member.key));
    }
    for (const Member& member : new_object.members()) {
      if (old_members.Find(member.key) == nullptr) add(member, nullptr, &member.value);
    }
    return merged;
  }

  /// Keeps the order of the configuration. Live items that it lacks keep their position relative to
  /// the shared items, as far as both orders allow.
  Value MergeLists(const Value* live, const Value* config, const Ownership& how) {
    const ItemIndex old_items(out_, live, how);
    const ItemIndex new_items(out_, config, how);
    const Ownership inside = how.Element();
    std::vector<const PathElement*> shared;
    for (const Item& item : new_items.items()) {
      if (old_items.Find(item.path) != nullptr) shared.push_back(&item.path);
    }
    Value merged = out_.NewArray(old_items.items().size() + new_items.items().size());
    const auto add = [&](const Item* before, const Item* after) {
      const Value* const old_value = before == nullptr ? nullptr : before->value;
      const Value* const new_value = after == nullptr ? nullptr : after->value;
      out_.Append(merged, Merge(old_value, new_value, inside));
    };
    auto next_shared = shared.begin();
    auto left = old_items.items().begin();
    const auto left_end = old_items.items().end();
    for (const Item& right : new_items.items()) {
      if (right.is_repeated) continue;
      for (; left != left_end && left->path != right.path; ++left) {
        if (new_items.Find(left->path) == nullptr) {
          if (!left->is_repeated) add(&*left, nullptr);
        } else if (next_shared != shared.end() && **next_shared == left->path) {
          break;  // new items come before it
        }
      }
      add(old_items.Find(right.path), &right);
      if (left != left_end && left->path == right.path) ++left;
      if (next_shared != shared.end() && **next_shared == right.path) ++next_shared;
    }
    for (; left != left_end; ++left) {
      if (!left->is_repeated && new_items.Find(left->path) == nullptr) add(&*left, nullptr);
    }
    return merged;
  }

  Document& out_;
};

/// Returns nothing if nothing is left.
std::optional<Value> Remove(Document& out, const Value& value, const FieldSet& fields,
                            const Ownership& how) {
  if (!value.is_array() && !value.is_object()) return out.Clone(value);
  const bool is_fit = how.is_list() ? value.is_array() : value.is_object();
  if (how.kind == Ownership::Kind::Whole || !is_fit) return std::nullopt;
  Value kept =
      value.is_array() ? out.NewArray(value.items().size()) : out.NewObject(value.members().size());
  for (const Value& item : value.items()) {
    const Result<PathElement> path = how.ElementPath(out, item);
    const FieldSet::Node* const node = path ? fields.Find(*path) : nullptr;
    if (node == nullptr) {
      out.Append(kept, out.Clone(item));
    } else if (!node->is_member) {
      if (const auto rest = Remove(out, item, node->below, how.Element())) out.Append(kept, *rest);
    }
  }
  for (const Member& member : value.members()) {
    const FieldSet::Node* const node = fields.Find(PathElement::Field(member.key));
    if (node == nullptr) {
      out.AppendMember(kept, {out.CopyText(member.key), out.Clone(member.value), member.field});
    } else if (!node->is_member) {
      const auto rest = Remove(out, member.value, node->below, how.Member(member.key));
      if (rest) out.AppendMember(kept, {out.CopyText(member.key), *rest, member.field});
    }
  }
  if (kept.items().empty() && kept.members().empty()) return std::nullopt;
  return kept;
}

FieldSet WithStructFieldsAsMembers(const FieldSet& fields, const Ownership& how) {
  FieldSet out;
  for (const FieldSet::Node& node : fields.nodes()) {
    const bool is_field = node.element.kind() == PathElement::Kind::Field;
    const bool is_named = is_field && how.IsField(node.element.name());
    Ownership inside;
    if (is_field && how.is_object()) inside = how.Member(node.element.name());
    if (node.element.kind() == PathElement::Kind::Key && how.is_list()) inside = how.Element();
    out.Append(node.element, node.is_member || is_named,
               WithStructFieldsAsMembers(node.below, inside));
  }
  return out;
}

}  // namespace

Value MergeTrees(Document& out, const Value& live, const Value& config, const TypeDesc& type) {
  return Merger(out).Merge(&live, &config, Ownership::Of(type));
}

Value RemoveFields(Document& out, const Value& tree, const FieldSet& fields, const TypeDesc& type) {
  return Remove(out, tree, fields, Ownership::Of(type)).value_or(out.NewObject());
}

FieldSet WithStructFieldsAsMembers(const FieldSet& fields, const TypeDesc& type) {
  return WithStructFieldsAsMembers(fields, Ownership::Of(type));
}

}  // namespace plimsoll::api
