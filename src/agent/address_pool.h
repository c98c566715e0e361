#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll::agent {

/// Addresses of one IPv4 network. A released address is reused as late as possible, so that a
/// client with an outdated address does not reach a new pod.
class AddressPool {
 public:
  /// Parses a network such as `10.64.0.0/10`. Its first and last address are not used. Invalid: not
  /// an IPv4 network, or fewer than four or more than 2^24 addresses.
  static Result<AddressPool> Parse(std::string_view cidr);

  /// Returns nothing if all addresses are taken.
  std::optional<std::uint32_t> Allocate();
  /// Marks an address as taken. Ignores addresses of other networks. Returns false if it was taken
  /// already.
  bool Reserve(std::uint32_t address);
  void Release(std::uint32_t address);

 private:
  AddressPool(std::uint32_t first, std::uint32_t count) : first_(first), taken_(count) {}

  std::uint32_t first_;
  std::vector<bool> taken_;
  std::size_t next_ = 0;  // start of the next search
  std::size_t taken_count_ = 0;
};

/// Formats an address: 167772161 is 10.0.0.1.
std::string AddressText(std::uint32_t address);
/// Returns nothing if the text is not an IPv4 address.
std::optional<std::uint32_t> ParseAddress(std::string_view text);

}  // namespace plimsoll::agent
