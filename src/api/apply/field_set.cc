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
    *this = Union(path);
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
  if (std::ranges::adjacent_find(set.nodes_, repeats) != set.nodes_.end()) set.SortAndJoin();
  return set;
}

void FieldSet::SortAndJoin() {
  std::vector<Node> nodes = std::exchange(nodes_, {});
  std::ranges::stable_sort(nodes, IsBefore);
  for (Node& node : nodes) {
    if (nodes_.empty() || nodes_.back().element != node.element) {
      nodes_.push_back(std::move(node));
    } else {
      nodes_.back().is_member |= node.is_member;
      nodes_.back().below = nodes_.back().below.Union(node.below);
    }
  }
}

Value FieldSet::Encode(codec::Document& out) const {
  Value fields = out.NewObject(nodes_.size() + 1);
  for (const Node& node : nodes_) {
    Value below = node.below.Encode(out);
    if (node.is_member && !node.below.empty()) {
      out.AppendMember(below, {".", out.NewObject()});
      const auto members = below.members();
      std::rotate(members.begin(), members.end() - 1, members.end());
    }
    out.AppendMember(fields, {node.element.Encode(out), below});
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

FieldSet FieldSet::Union(const FieldSet& other) const {
  FieldSet out;
  out.nodes_.reserve(std::max(nodes_.size(), other.nodes_.size()));
  auto a = nodes_.begin();
  auto b = other.nodes_.begin();
  while (a != nodes_.end() || b != other.nodes_.end()) {
    const auto order = a == nodes_.end()         ? std::strong_ordering::greater
                       : b == other.nodes_.end() ? std::strong_ordering::less
                                                 : a->element <=> b->element;
    if (order < 0) {
      out.nodes_.push_back(*a++);
    } else if (order > 0) {
      out.nodes_.push_back(*b++);
    } else {
      out.nodes_.push_back({a->element, a->is_member || b->is_member, a->below.Union(b->below)});
      ++a;
      ++b;
    }
  }
  return out;
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

FieldSet FieldSet::Difference(const FieldSet& other) const {
  FieldSet out;
  out.nodes_.reserve(nodes_.size());
  auto b = other.nodes_.begin();
  for (const Node& node : nodes_) {
    while (b != other.nodes_.end() && b->element < node.element) ++b;
    if (b == other.nodes_.end() || b->element != node.element) {
      out.nodes_.push_back(node);
    } else {
      out.Append(node.element, node.is_member && !b->is_member, node.below.Difference(b->below));
    }
  }
  return out;
}

FieldSet FieldSet::RecursiveDifference(const FieldSet& other) const {
  FieldSet out;
  out.nodes_.reserve(nodes_.size());
  auto b = other.nodes_.begin();
  for (const Node& node : nodes_) {
    while (b != other.nodes_.end() && b->element < node.element) ++b;
    if (b == other.nodes_.end() || b->element != node.element) {
      out.nodes_.push_back(node);
    } else if (!b->is_member) {
      out.Append(node.element, node.is_member, node.below.RecursiveDifference(b->below));
    }
  }
  return out;
}

void FieldSet::Append(const PathElement& element, bool is_member, FieldSet&& below) {
  if (!is_member && below.empty()) return;
  nodes_.push_back({element, is_member, std::move(below)});
}

void FieldSet::Sort() { std::ranges::sort(nodes_, IsBefore); }

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
