#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/apply/path_element.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Set of field paths of one kind, as a manager owns them. A path can be a member without its
/// descendants, and a descendant without its ancestors. The set is a view: the trees and documents
/// that it was made from must outlive it.
class FieldSet {
 public:
  struct Node;

  FieldSet() = default;
  /// Makes a set of paths given by field names: `{"metadata", "name"}`.
  FieldSet(std::initializer_list<std::initializer_list<std::string_view>> paths);

  /// Parses `fieldsV1`: `{"f:spec":{"f:replicas":{}}}`. A path is a member if it has no children or
  /// contains `.`. Skips element kinds of future versions. BadRequest for anything else.
  static Result<FieldSet> Parse(codec::Document& arena, const codec::Value& fields);
  /// Returns the tree of `fieldsV1`, in upstream's order. Its memory belongs to `out`.
  codec::Value Encode(codec::Document& out) const;

  bool empty() const;
  std::span<const Node> nodes() const;
  /// Returns null if neither the element nor any path below it is in the set.
  const Node* Find(const PathElement& element) const;
  bool Has(std::span<const PathElement> path) const;

  /// Adds the members of `other`.
  void Add(FieldSet&& other);
  /// Removes the members of `other`; keeps the paths below them.
  void Subtract(const FieldSet& other);
  /// Removes the members of `other` and all paths below them.
  void SubtractSubtrees(const FieldSet& other);

  FieldSet Intersection(const FieldSet& other) const;
  FieldSet Union(const FieldSet& other) const;
  FieldSet Difference(const FieldSet& other) const;
  FieldSet RecursiveDifference(const FieldSet& other) const;

  /// Appends an element that sorts after all others. Does nothing if it would hold no member.
  void Append(const PathElement& element, bool is_member, FieldSet&& below);
  /// Reserves memory for that many elements.
  void Reserve(std::size_t count);

  /// Calls `visit` for every member path, such as `.spec.containers[name="a"].image`, in upstream's
  /// order: the members of a level first, then the levels below.
  void ForEach(const std::function<void(std::span<const PathElement> path)>& visit) const;

  friend bool operator==(const FieldSet& a, const FieldSet& b);

 private:
  template <class Take>
  void SubtractEach(const FieldSet& other, Take take);
  codec::Value Encode(codec::Document& out, bool with_self) const;
  /// Sorts and merges nodes read from a client: two spellings can denote one element.
  void SortAndMerge();

  std::vector<Node> nodes_;  // in the order of their elements
};

struct FieldSet::Node {
  PathElement element;
  bool is_member = false;
  FieldSet below;
};

inline bool FieldSet::empty() const { return nodes_.empty(); }
inline std::span<const FieldSet::Node> FieldSet::nodes() const { return nodes_; }

/// `.spec.containers[name="a"].image`
std::string PathText(std::span<const PathElement> path);

}  // namespace plimsoll::api
