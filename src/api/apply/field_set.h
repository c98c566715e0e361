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

/// A set of paths into objects of one kind: what somebody owns. A path may be a member without
/// those below it, and the other way round. Like its elements it is a view of the texts of the
/// trees and documents that it was made from.
class FieldSet {
 public:
  struct Node;

  FieldSet() = default;
  /// Paths of members by their names: `{"metadata", "name"}`.
  FieldSet(std::initializer_list<std::initializer_list<std::string_view>> paths);

  /// Reads `fieldsV1`: `{"f:spec":{"f:replicas":{}}}`. A path is a member when nothing is below it,
  /// or `.` is. What a future version added is passed over. BadRequest for anything else.
  static Result<FieldSet> Parse(codec::Document& arena, const codec::Value& fields);
  /// The tree of `fieldsV1` in `out`, as upstream orders it.
  codec::Value Encode(codec::Document& out) const;

  bool empty() const;
  std::span<const Node> nodes() const;
  /// Null when neither the element nor anything below it is in the set.
  const Node* Find(const PathElement& element) const;
  bool Has(std::span<const PathElement> path) const;

  /// Adds the members of `other`.
  void Add(FieldSet&& other);
  /// Takes away the members of `other`; what is below them stays.
  void Subtract(const FieldSet& other);
  /// Takes away the members of `other` and all that is below them.
  void SubtractWithBelow(const FieldSet& other);

  FieldSet Intersection(const FieldSet& other) const;
  FieldSet Union(const FieldSet& other) const;
  FieldSet Difference(const FieldSet& other) const;
  FieldSet RecursiveDifference(const FieldSet& other) const;

  /// Adds an element that goes behind all the others. Nothing is added that would hold no member.
  void Append(const PathElement& element, bool is_member, FieldSet&& below);
  /// Room for that many elements.
  void Reserve(std::size_t count);

  /// Every member as upstream prints it, `.spec.containers[name="a"].image`, in upstream's order:
  /// the members of a level, then what is below it.
  void ForEach(const std::function<void(std::span<const PathElement> path)>& visit) const;

  friend bool operator==(const FieldSet& a, const FieldSet& b);

 private:
  template <class Take>
  void SubtractEach(const FieldSet& other, Take take);
  codec::Value Encode(codec::Document& out, bool with_self) const;
  /// For what strangers wrote: two spellings can mean one element.
  void SortAndJoin();

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
