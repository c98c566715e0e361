#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// IP addresses and networks as Go's package net/netip parses and formats them.
namespace plimsoll::cel {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};  // the first four for IPv4
  bool is_v4 = false;
  bool has_zone = false;

  int bits() const { return is_v4 ? 32 : 128; }
  bool is_v4_in_v6() const;
  /// Returns the address with all but the first `bits_kept` bits cleared.
  IpAddress Masked(int bits_kept) const;
  /// Returns `10.0.0.1` or `2001:db8::1`.
  std::string Text() const;

  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

/// Returns nothing if Go rejects the text; ExplainIpAddress returns Go's error:
/// `ParseAddr("x"): unable to parse IP`.
std::optional<IpAddress> ReadIpAddress(std::string_view text);
std::string ExplainIpAddress(std::string_view text);

struct IpPrefix {
  IpAddress address;  // including its host bits
  int bits = 0;

  std::string Text() const { return address.Text() + '/' + std::to_string(bits); }
  friend bool operator==(const IpPrefix&, const IpPrefix&) = default;
};

/// Same for prefixes, with errors such as `netip.ParsePrefix("x"): no '/'`.
std::optional<IpPrefix> ReadIpPrefix(std::string_view text);
std::string ExplainIpPrefix(std::string_view text);

}  // namespace plimsoll::cel
