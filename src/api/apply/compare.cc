#include "api/apply/compare.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <compare>
#include <utility>
#include <vector>

#include "api/apply/ownership.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Member;
using codec::Value;

/// Change of a path itself, without the paths below it.
struct Verdict {
  bool is_added = false;
  bool is_removed = false;
  bool is_modified = false;
};

Verdict JudgeWhole(const Value* before, const Value* after) {
  if (before == nullptr) return {.is_added = true};
  if (after == nullptr) return {.is_removed = true};
  return {.is_modified = !(*before == *after)};
}

bool IsVoid(const Value* value) {
  return value == nullptr || (value->items().empty() && value->members().empty());
}

/// The members of an object, sorted by key.
class SortedMembers : public boost::container::small_vector<const Member*, 24> {
 public:
  explicit SortedMembers(const Value* object) {
    if (object == nullptr) return;
    for (const Member& member : object->members()) push_back(&member);
    std::ranges::sort(*this, {}, &Member::key);
  }
};

struct Element {
  PathElement path;
  const Value* before = nullptr;
  const Value* after = nullptr;
  std::uint32_t count_before = 0;
  std::uint32_t count_after = 0;
};

/// Stable: elements with equal paths keep their order.
template <class List>
void SortByPath(List& list) {
  // A stable sort allocates memory, and most lists have one element or are sorted.
  if (!std::ranges::is_sorted(list, {}, &List::value_type::path)) {
    std::ranges::stable_sort(list, {}, &List::value_type::path);
  }
}

class Comparer {
 public:
  explicit Comparer(Document& arena) : arena_(arena) {}

  /// `below` receives the differences below the path.
  Verdict Run(const Value* before, const Value* after, const Ownership& how, Comparison& below) {
    const bool is_fit = how.is_list() ? IsListOrNull(before) && IsListOrNull(after)
                                      : IsObjectOrNull(before) && IsObjectOrNull(after);
    // An empty value has no parts, so it is owned as a whole: `emptyDir: {}` has a meaning.
    if (how.kind == Ownership::Kind::Whole || !is_fit || (IsVoid(before) && IsVoid(after))) {
      return JudgeWhole(before, after);
    }
    if (how.is_list()) {
      RunElements(before, after, how, below);
    } else {
      RunMembers(before, after, how, below);
    }
    return {.is_added = before == nullptr, .is_removed = after == nullptr};
  }

 private:
  static bool IsListOrNull(const Value* value) {
    return value == nullptr || value->is_array() || value->is_null();
  }
  static bool IsObjectOrNull(const Value* value) {
    return value == nullptr || value->is_object() || value->is_null();
  }

  void RunPart(const PathElement& path, const Value* before, const Value* after,
               const Ownership& how, Comparison& out) {
    Comparison below;
    Add(path, Run(before, after, how, below), std::move(below), out);
  }
  static void Add(const PathElement& path, Verdict verdict, Comparison&& below, Comparison& out) {
    out.added.Append(path, verdict.is_added, std::move(below.added));
    out.removed.Append(path, verdict.is_removed, std::move(below.removed));
    out.modified.Append(path, verdict.is_modified, std::move(below.modified));
  }

  void RunMembers(const Value* before, const Value* after, const Ownership& how, Comparison& out) {
    const SortedMembers old_members(before);
    const SortedMembers new_members(after);
    if (before == nullptr) out.added.Reserve(new_members.size());
    if (after == nullptr) out.removed.Reserve(old_members.size());
    auto a = old_members.begin();
    auto b = new_members.begin();
    while (a != old_members.end() || b != new_members.end()) {
      const auto order = a == old_members.end()   ? std::strong_ordering::greater
                         : b == new_members.end() ? std::strong_ordering::less
                                                  : (*a)->key <=> (*b)->key;
      const std::string_view key = order <= 0 ? (*a)->key : (*b)->key;
      RunPart(PathElement::Field(key), order <= 0 ? &(*a++)->value : nullptr,
              order >= 0 ? &(*b++)->value : nullptr, how.Member(key), out);
    }
  }

  void RunElements(const Value* before, const Value* after, const Ownership& how, Comparison& out) {
    std::vector<Element> elements;
    Collect(before, how, true, elements);
    Collect(after, how, false, elements);
    SortByPath(elements);
    const Ownership inside = how.Element();
    for (auto first = elements.begin(); first != elements.end();) {
      Element element = *first;
      const auto end = std::find_if(first + 1, elements.end(), [&](const Element& other) {
        return other.path != element.path;
      });
      bool is_same = true;
      JoinRepeated(first, end, element, is_same);
      first = end;
      RunElement(element, is_same, inside, out);
    }
  }

  void Collect(const Value* list, const Ownership& how, bool is_before,
               std::vector<Element>& elements) {
    if (list == nullptr) return;
    for (const Value& item : list->items()) {
      const Result<PathElement> path = how.ElementPath(arena_, item);
      if (!path) continue;
      Element& element = elements.emplace_back(Element{.path = *path});
      (is_before ? element.before : element.after) = &item;
      (is_before ? element.count_before : element.count_after) = 1;
    }
  }

  /// Counts the elements with one path on each side; the first represents the others.
  template <class Iterator>
  static void JoinRepeated(Iterator first, Iterator end, Element& joined, bool& is_same) {
    if (end - first <= 1) return;
    std::vector<const Value*> before;
    std::vector<const Value*> after;
    for (auto it = first; it != end; ++it) {
      if (it->before != nullptr) before.push_back(it->before);
      if (it->after != nullptr) after.push_back(it->after);
    }
    joined.before = before.empty() ? nullptr : before.front();
    joined.after = after.empty() ? nullptr : after.front();
    joined.count_before = static_cast<std::uint32_t>(before.size());
    joined.count_after = static_cast<std::uint32_t>(after.size());
    is_same =
        std::ranges::equal(before, after, [](const Value* a, const Value* b) { return *a == *b; });
  }

  /// Elements with equal paths are indistinguishable, so they are owned together as a whole.
  void RunElement(const Element& element, bool is_same, const Ownership& inside, Comparison& out) {
    if (element.count_before <= 1 && element.count_after <= 1) {
      RunPart(element.path, element.before, element.after, inside, out);
      return;
    }
    Comparison below;
    Verdict verdict;
    if (element.count_before > 1 && element.count_after > 1) {
      verdict.is_modified = !is_same;
    } else if (element.count_before > 1) {
      if (element.after != nullptr) verdict = Run(nullptr, element.after, inside, below);
      verdict.is_removed = true;
    } else {
      if (element.before != nullptr) verdict = Run(element.before, nullptr, inside, below);
      verdict.is_added = true;
    }
    Add(element.path, verdict, std::move(below), out);
  }

  Document& arena_;
};

/// Returns true if the path itself is one of the fields.
bool CollectFields(Document& arena, const Value& value, const Ownership& how, FieldSet& below) {
  const bool is_fit = how.is_list() ? value.is_array() : value.is_object();
  if (how.kind == Ownership::Kind::Whole || !is_fit) return true;
  if (how.is_list()) {
    std::vector<Element> elements;
    for (const Value& item : value.items()) {
      const auto path = how.ElementPath(arena, item);
      if (path) elements.push_back({.path = *path, .after = &item});
    }
    SortByPath(elements);
    below.Reserve(elements.size());
    const Ownership inside = how.Element();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0 && elements[i].path == elements[i - 1].path) continue;
      FieldSet inner;
      const bool is_repeated = i + 1 < elements.size() && elements[i].path == elements[i + 1].path;
      if (!is_repeated) CollectFields(arena, *elements[i].after, inside, inner);
      below.Append(elements[i].path, true, std::move(inner));
    }
    return false;
  }
  const SortedMembers members(&value);
  below.Reserve(members.size());
  for (const Member* const member : members) {
    FieldSet inner;
    bool is_member = CollectFields(arena, member->value, how.Member(member->key), inner);
    is_member |= !how.IsField(member->key);
    is_member |= member->value.is_object() && member->value.members().empty();
    below.Append(PathElement::Field(member->key), is_member, std::move(inner));
  }
  return false;
}

}  // namespace

Comparison Compare(Document& arena, const Value& before, const Value& after, const TypeDesc& type) {
  Comparison comparison;
  Comparer(arena).Run(&before, &after, Ownership::Of(type), comparison);
  return comparison;
}

FieldSet FieldsOf(Document& arena, const Value& tree, const TypeDesc& type) {
  FieldSet fields;
  CollectFields(arena, tree, Ownership::Of(type), fields);
  return fields;
}

}  // namespace plimsoll::api
