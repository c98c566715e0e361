#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"

namespace plimsoll::api {

/// What tells an element of a merged list from the others: the value of its merge key, or the
/// element itself where the list has none (`merge_key` empty). Null when it lacks the key.
const codec::Value* ElementIdentity(const codec::Value& element, std::string_view merge_key);

/// Where in a list the element with some identity stands. Only scalars identify.
class ElementIndex {
 public:
  ElementIndex(std::span<const codec::Value> list, std::string_view merge_key);

  /// The first place; nothing when there is none.
  std::optional<std::size_t> Find(const codec::Value& identity) const;

  /// An identity that is there keeps its place.
  void Add(const codec::Value& identity, std::size_t place);

 private:
  std::map<std::string, std::size_t> places_;  // by type and text
};

/// The elements of a merged list in their order: those of `patch_order` in the order they have
/// there, the others in that of `server_order`, and each of the others before the first patched
/// one that `server_order` has behind it. Every element has an identity.
std::vector<codec::Value> OrderElements(std::span<const codec::Value> merged,
                                        std::span<const codec::Value> patch_order,
                                        std::span<const codec::Value> server_order,
                                        std::string_view merge_key);

}  // namespace plimsoll::api
