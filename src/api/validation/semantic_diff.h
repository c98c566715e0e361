#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"

namespace plimsoll::api {

/// A place where two trees mean different things, with what stands there; null where nothing does.
struct Difference {
  std::string path;  // containers[0].image
  const codec::Value* before = nullptr;
  const codec::Value* now = nullptr;
};

/// Compares what two trees of one type mean, not how they are written: null, an empty list or map,
/// and the zero of a plain field are the same as nothing, and quantities are compared by value.
/// Paths in `ignored` (`containers[*].image`, an object's or a list's whole subtree) are passed
/// over.
std::vector<Difference> Differences(const codec::Value* before, const codec::Value* now,
                                    std::span<const std::string_view> ignored);

/// For messages: one line per difference, the first few of them.
std::string DescribeDifferences(std::span<const Difference> differences, std::string_view root);

}  // namespace plimsoll::api
