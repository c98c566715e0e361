#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/toleration.h"

namespace plimsoll::controller {

/// Numbers the distinct toleration lists of pods. The lists must outlive the table.
class TolerationClasses {
 public:
  /// Returns the number of the list; equal lists have the same.
  std::size_t Add(std::span<const api::Toleration> tolerations);
  std::span<const api::Toleration> operator[](std::size_t number) const { return lists_[number]; }
  std::size_t size() const { return lists_.size(); }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::span<const api::Toleration>> lists_;
  std::string scratch_;
};

}  // namespace plimsoll::controller
