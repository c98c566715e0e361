#include "api/apply/field_set.h"

#include <algorithm>
#include <utility>

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

bool IsBefore(const FieldSet::Node& a, const FieldSet::Node& b) { return a.element < b.element; }

void Visit(std::span<const FieldSet::Node> nodes, std::vector<PathElement>& path,
           const std::function<void(std::span<const PathElement>)>& visit) {
  for (const FieldSet::Node& node : nodes) {
    if (!node.is_member) continue;
    path.push_back(node.element);
    visit(path);
    path.pop_back();
  }
  for (const FieldSet::Node& node : nodes) {
    if (node.below.empty()) continue;
    path.push_back(node.element);
    Visit(node.below.nodes(), path, visit);
    path.pop_back();
  }
}

}  // namespace

FieldSet::FieldSet(std::initializer_list<std::initializer_list<std::string_view>> paths) {
  for (const auto& names : paths) {
    FieldSet path;
    for (auto name = std::rbegin(names); name != std::rend(names); ++name) {
      FieldSet outer;
      outer.Append(PathElement::Field(*name), path.empty(), std::move(path));
      path = std::move(outer);
    }
    Add(std::move(path));
  }
}

Result<FieldSet> FieldSet::Parse(codec::Document& arena, const Value& fields) {
  if (!fields.is_object()) return Fail(Reason::BadRequest, "fieldsV1 must be an object");
  FieldSet set;
  set.nodes_.reserve(fields.members().size());
  for (const Member& member : fields.members()) {
    if (member.key == ".") continue;
    const Result<PathElement> element = PathElement::Parse(arena, member.key);
    if (!element) {
      if (element.error().reason == Reason::NotFound) continue;
      return Fail(Reason::BadRequest, "parsing key as path element: " + element.error().message);
    }
    FieldSet below = PL_TRY(Parse(arena, member.value));
    const bool is_member = below.empty() || member.value.Find(".") != nullptr;
    set.nodes_.push_back({*element, is_member, std::move(below)});
  }
  const auto repeats = [](const Node& a, const Node& b) { return a.element >= b.element; };
  if (std::ranges::adjacent_find(set.nodes_, repeats) != set.nodes_.end()) set.SortAndMerge();
  return set;
}

void FieldSet::SortAndMerge() {
  std::vector<Node> nodes = std::exchange(nodes_, {});
  std::ranges::stable_sort(nodes, IsBefore);
  for (Node& node : nodes) {
    if (nodes_.empty() || nodes_.back().element != node.element) {
      nodes_.push_back(std::move(node));
    } else {
      nodes_.back().is_member |= node.is_member;
      nodes_.back().below.Add(std::move(node.below));
    }
  }
}

Value FieldSet::Encode(codec::Document& out) const { return Encode(out, false); }

Value FieldSet::Encode(codec::Document& out, bool with_self) const {
  if (nodes_.empty()) return out.NewObject();
  Value fields = out.NewObject(nodes_.size() + (with_self ? 1 : 0));
  if (with_self) out.AppendMember(fields, {".", out.NewObject()});
  for (const Node& node : nodes_) {
    out.AppendMember(fields, {node.element.Encode(out), node.below.Encode(out, node.is_member)});
  }
  return fields;
}

const FieldSet::Node* FieldSet::Find(const PathElement& element) const {
  const auto found = std::ranges::lower_bound(nodes_, element, {}, &Node::element);
  return found == nodes_.end() || found->element != element ? nullptr : &*found;
}

bool FieldSet::Has(std::span<const PathElement> path) const {
  const FieldSet* set = this;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Node* const node = set->Find(path[i]);
    if (node == nullptr) return false;
    if (i + 1 == path.size()) return node->is_member;
    set = &node->below;
  }
  return false;
}

void FieldSet::Add(FieldSet&& other) {
  if (other.nodes_.empty()) return;
  if (nodes_.empty()) {
    nodes_ = std::move(other.nodes_);
    return;
  }
  std::vector<Node> joined;
  joined.reserve(nodes_.size() + other.nodes_.size());
  auto a = nodes_.begin();
  auto b = other.nodes_.begin();
  while (a != nodes_.end() && b != other.nodes_.end()) {
    const auto order = a->element <=> b->element;
    if (order == 0) {
      a->is_member |= b->is_member;
      a->below.Add(std::move(b->below));
      ++b;
    }
    joined.push_back(std::move(order <= 0 ? *a++ : *b++));
  }
  std::move(a, nodes_.end(), std::back_inserter(joined));
  std::move(b, other.nodes_.end(), std::back_inserter(joined));
  nodes_ = std::move(joined);
}

FieldSet FieldSet::Intersection(const FieldSet& other) const {
  FieldSet out;
  auto a = nodes_.begin();
  auto b = other.nodes_.begin();
  while (a != nodes_.end() && b != other.nodes_.end()) {
    const auto order = a->element <=> b->element;
    if (order < 0) {
      ++a;
    } else if (order > 0) {
      ++b;
    } else {
      out.Append(a->element, a->is_member && b->is_member, a->below.Intersection(b->below));
      ++a;
      ++b;
    }
  }
  return out;
}

/// Calls `take` for each pair of nodes that are in both sets, and removes nodes that become empty.
template <class Take>
void FieldSet::SubtractEach(const FieldSet& other, Take take) {
  bool is_one_empty = false;
  // If `other` is much larger, look up each of our nodes in it instead of merging.
  constexpr std::size_t kLopsided = 8;
  auto b = other.nodes_.begin();
  if (other.nodes_.size() > kLopsided * nodes_.size()) {
    for (Node& node : nodes_) {
      const Node* const taken = other.Find(node.element);
      if (taken == nullptr) continue;
      take(node, *taken);
      is_one_empty |= !node.is_member && node.below.empty();
    }
    b = other.nodes_.end();
  }
  for (auto a = nodes_.begin(); a != nodes_.end() && b != other.nodes_.end();) {
    const auto order = a->element <=> b->element;
    if (order == 0) {
      take(*a, *b);
      is_one_empty |= !a->is_member && a->below.empty();
    }
    a += order <= 0 ? 1 : 0;
    b += order >= 0 ? 1 : 0;
  }
  if (!is_one_empty) return;
  std::erase_if(nodes_, [](const Node& node) { return !node.is_member && node.below.empty(); });
}

void FieldSet::Subtract(const FieldSet& other) {
  SubtractEach(other, [](Node& node, const Node& taken) {
    node.is_member &= !taken.is_member;
    node.below.Subtract(taken.below);
  });
}

void FieldSet::SubtractSubtrees(const FieldSet& other) {
  SubtractEach(other, [](Node& node, const Node& taken) {
    if (taken.is_member) {
      node.is_member = false;
      node.below = {};
    } else {
      node.below.SubtractSubtrees(taken.below);
    }
  });
}

FieldSet FieldSet::Union(const FieldSet& other) const {
  FieldSet joined = *this;
  joined.Add(FieldSet(other));
  return joined;
}

FieldSet FieldSet::Difference(const FieldSet& other) const {
  FieldSet rest = *this;
  rest.Subtract(other);
  return rest;
}

FieldSet FieldSet::RecursiveDifference(const FieldSet& other) const {
  FieldSet rest = *this;
  rest.SubtractSubtrees(other);
  return rest;
}

void FieldSet::Append(const PathElement& element, bool is_member, FieldSet&& below) {
  if (!is_member && below.empty()) return;
  nodes_.push_back({element, is_member, std::move(below)});
}

void FieldSet::Reserve(std::size_t count) { nodes_.reserve(count); }

void FieldSet::ForEach(const std::function<void(std::span<const PathElement> path)>& visit) const {
  std::vector<PathElement> path;
  Visit(nodes_, path, visit);
}

bool operator==(const FieldSet& a, const FieldSet& b) {
  return std::ranges::equal(a.nodes_, b.nodes_,
                            [](const FieldSet::Node& left, const FieldSet::Node& right) {
                              return left.is_member == right.is_member &&
                                     left.element == right.element && left.below == right.below;
                            });
}

std::string PathText(std::span<const PathElement> path) {
  std::string text;
  for (const PathElement& element : path) text += element.Text();
  return text;
}

}  // namespace plimsoll::api
