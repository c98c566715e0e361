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

/// Index of list elements by identity. Only scalar identities are indexed.
class ElementIndex {
 public:
  ElementIndex(std::span<const codec::Value> list, std::string_view merge_key);

  /// Returns the first position; nothing when there is none.
  std::optional<std::size_t> Find(const codec::Value& identity) const;

  /// Adds a position. An identity that is present keeps its position.
  void Add(const codec::Value& identity, std::size_t place);

 private:
  std::map<std::string, std::size_t> places_;  // by type and text
};

/// Returns the elements of a merged list in order. Elements of `patch_order` keep that order; the
/// others keep the order of `server_order`. Each of the others precedes the first patched element
/// that follows it in `server_order`. REQUIRES: every element has an identity.
std::vector<codec::Value> OrderElements(std::span<const codec::Value> merged,
                                        std::span<const codec::Value> patch_order,
                                        std::span<const codec::Value> server_order,
                                        std::string_view merge_key);

}  // namespace plimsoll::api
