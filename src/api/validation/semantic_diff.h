#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"

namespace plimsoll::api {

/// A semantic difference between two trees, with the two values; null for a missing one.
struct Difference {
  std::string path;  // containers[0].image
  const codec::Value* before = nullptr;
  const codec::Value* now = nullptr;
};

/// Compares two trees of one type semantically. Null, an empty list or
/// map, and the zero of a plain field equal a missing value; quantities
/// are compared by value. Paths in `ignored` are skipped with their
/// subtrees (`containers[*].image`).
std::vector<Difference> Differences(const codec::Value* before, const codec::Value* now,
                                    std::span<const std::string_view> ignored);

/// Returns the first few differences for a message, one per line.
std::string DescribeDifferences(std::span<const Difference> differences, std::string_view root);

}  // namespace plimsoll::api
