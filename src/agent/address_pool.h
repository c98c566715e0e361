#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll::agent {

/// Addresses of one IPv4 network, each given out once until it is given back, and then as late as
/// possible: whoever still has an old address in mind should not reach a new pod.
class AddressPool {
 public:
  /// `10.64.0.0/10`, of which the first and the last address are left out. Invalid: no IPv4
  /// network, or one of fewer than four or more than 2^24 addresses.
  static Result<AddressPool> Parse(std::string_view cidr);

  /// Nothing when all are taken.
  std::optional<std::uint32_t> Take();
  /// Marks an address that somebody has already; those of other networks are passed over. False:
  /// it was taken.
  bool Reserve(std::uint32_t address);
  void Release(std::uint32_t address);

 private:
  AddressPool(std::uint32_t first, std::uint32_t count) : first_(first), taken_(count) {}

  std::uint32_t first_;
  std::vector<bool> taken_;
  std::size_t next_ = 0;  // where the search goes on
  std::size_t taken_count_ = 0;
};

/// 167772161 is 10.0.0.1.
std::string AddressText(std::uint32_t address);
/// Nothing for a text that is no IPv4 address.
std::optional<std::uint32_t> ParseAddress(std::string_view text);

}  // namespace plimsoll::agent
