#include "api/patch/element_order.h"

#include <algorithm>

#include "api/patch/go_values.h"

namespace plimsoll::api {
namespace {

using codec::Value;

/// Returns nothing for values that Go cannot compare.
std::optional<std::string> IdentityText(const Value& identity) {
  if (identity.is_array() || identity.is_object()) return std::nullopt;
  std::string text(GoTypeText(identity));
  text += ' ';
  text += GoText(identity);
  return text;
}

/// Returns the identity of an element of a merged list: the value of its merge key, or the element
/// itself if `merge_key` is empty. Null when the element lacks the key.
const Value* ElementIdentity(const Value& element, std::string_view merge_key) {
  return merge_key.empty() ? &element : element.Find(merge_key);
}

}  // namespace

ElementIndex::ElementIndex(std::span<const Value> list, std::string_view merge_key) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (const Value* const identity = ElementIdentity(list[i], merge_key)) Add(*identity, i);
  }
}

void ElementIndex::Add(const Value& identity, std::size_t place) {
  if (auto text = IdentityText(identity)) places_.try_emplace(*std::move(text), place);
}

std::optional<std::size_t> ElementIndex::Find(const Value& identity) const {
  const auto text = IdentityText(identity);
  if (!text) return std::nullopt;
  const auto found = places_.find(*text);
  if (found == places_.end()) return std::nullopt;
  return found->second;
}

std::vector<Value> OrderElements(std::span<const Value> merged, std::span<const Value> patch_order,
                                 std::span<const Value> server_order, std::string_view merge_key) {
  struct Placed {
    Value element;
    std::size_t place;
    std::optional<std::size_t> server_place;
  };
  const ElementIndex in_patch(patch_order, merge_key);
  const ElementIndex on_server(server_order, merge_key);
  std::vector<Placed> patched;
  std::vector<Placed> others;
  for (const Value& element : merged) {
    const Value& identity = *ElementIdentity(element, merge_key);
    const auto server_place = on_server.Find(identity);
    if (const auto place = in_patch.Find(identity)) {
      patched.push_back({element, *place, server_place});
    } else {
      others.push_back({element, server_place.value_or(0), server_place});
    }
  }
  std::ranges::stable_sort(patched, {}, &Placed::place);
  std::ranges::stable_sort(others, {}, &Placed::place);

  std::vector<Value> ordered;
  ordered.reserve(merged.size());
  auto next = patched.begin();
  for (const Placed& other : others) {
    const auto goes_first = [&other](const Placed& one) {
      return one.server_place && other.server_place && *other.server_place < *one.server_place;
    };
    for (; next != patched.end() && !goes_first(*next); ++next) ordered.push_back(next->element);
    ordered.push_back(other.element);
  }
  for (; next != patched.end(); ++next) ordered.push_back(next->element);
  return ordered;
}

}  // namespace plimsoll::api
