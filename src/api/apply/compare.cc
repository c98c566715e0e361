#include "api/apply/compare.h"

#include <algorithm>
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

/// What became of a path itself, apart from those below it.
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

struct Element {
  PathElement path;
  const Value* before = nullptr;
  const Value* after = nullptr;
  std::uint32_t count_before = 0;
  std::uint32_t count_after = 0;
};

class Comparer {
 public:
  explicit Comparer(Document& arena) : arena_(arena) {}

  /// `below` gets what differs below the path.
  Verdict Run(const Value* before, const Value* after, const Ownership& how, Comparison& below) {
    const bool is_fit = how.is_list() ? IsListOrNull(before) && IsListOrNull(after)
                                      : IsObjectOrNull(before) && IsObjectOrNull(after);
    // Emptiness has no parts, so it is owned as a whole: `emptyDir: {}` says something.
    if (how.kind == Ownership::Kind::Whole || !is_fit || (IsVoid(before) && IsVoid(after))) {
      return JudgeWhole(before, after);
    }
    if (how.is_list()) {
      RunElements(before, after, how, below);
    } else {
      RunMembers(before, after, how, below);
    }
    below.added.Sort();
    below.removed.Sort();
    below.modified.Sort();
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
    const Value nothing;
    const Value& old_object = before == nullptr ? nothing : *before;
    const Value& new_object = after == nullptr ? nothing : *after;
    const MemberIndex new_members(new_object);
    for (const Member& member : old_object.members()) {
      RunPart(PathElement::Field(member.key), &member.value, new_members.Find(member.key),
              how.Member(member.key), out);
    }
    const MemberIndex old_members(old_object);
    for (const Member& member : new_object.members()) {
      if (old_members.Find(member.key) != nullptr) continue;
      RunPart(PathElement::Field(member.key), nullptr, &member.value, how.Member(member.key), out);
    }
  }

  void RunElements(const Value* before, const Value* after, const Ownership& how, Comparison& out) {
    std::vector<Element> elements;
    Collect(before, how, true, elements);
    Collect(after, how, false, elements);
    std::ranges::stable_sort(elements, {}, &Element::path);
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

  /// Counts the elements of one path on either side; the first stands for the others.
  template <class Iterator>
  static void JoinRepeated(Iterator first, Iterator end, Element& joined, bool& is_same) {
    std::vector<const Value*> before;
    std::vector<const Value*> after;
    if (end - first <= 1) return;
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

  /// Elements that share a path cannot be told apart, so they are owned together, as a whole.
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

/// Returns whether the path itself is one of the fields.
bool CollectFields(Document& arena, const Value& value, const Ownership& how, FieldSet& below) {
  const bool is_fit = how.is_list() ? value.is_array() : value.is_object();
  if (how.kind == Ownership::Kind::Whole || !is_fit) return true;
  if (how.is_list()) {
    std::vector<std::pair<PathElement, const Value*>> elements;
    for (const Value& item : value.items()) {
      if (const auto path = how.ElementPath(arena, item)) elements.emplace_back(*path, &item);
    }
    std::ranges::stable_sort(elements, {}, &std::pair<PathElement, const Value*>::first);
    const Ownership inside = how.Element();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0 && elements[i].first == elements[i - 1].first) continue;
      FieldSet inner;
      const bool is_repeated =
          i + 1 < elements.size() && elements[i].first == elements[i + 1].first;
      if (!is_repeated) CollectFields(arena, *elements[i].second, inside, inner);
      below.Append(elements[i].first, true, std::move(inner));
    }
    return false;
  }
  for (const Member& member : value.members()) {
    FieldSet inner;
    bool is_member = CollectFields(arena, member.value, how.Member(member.key), inner);
    is_member |= !how.IsField(member.key);
    is_member |= member.value.is_object() && member.value.members().empty();
    below.Append(PathElement::Field(member.key), is_member, std::move(inner));
  }
  below.Sort();
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
