#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Addresses and networks as Go's package net/netip reads and writes them.
namespace plimsoll::cel {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};  // of IPv4 the first four
  bool is_v4 = false;
  bool has_zone = false;

  int bits() const { return is_v4 ? 32 : 128; }
  bool is_v4_in_v6() const;
  /// The same address with all but the first bits cleared.
  IpAddress Masked(int bits_kept) const;
  /// `10.0.0.1`, `2001:db8::1`
  std::string Text() const;

  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

/// Nothing when Go refuses the text; ExplainIpAddress says what Go would:
/// `ParseAddr("x"): unable to parse IP`.
std::optional<IpAddress> ReadIpAddress(std::string_view text);
std::string ExplainIpAddress(std::string_view text);

struct IpPrefix {
  IpAddress address;  // with its host bits
  int bits = 0;

  std::string Text() const { return address.Text() + '/' + std::to_string(bits); }
  friend bool operator==(const IpPrefix&, const IpPrefix&) = default;
};

/// Likewise: `netip.ParsePrefix("x"): no '/'`.
std::optional<IpPrefix> ReadIpPrefix(std::string_view text);
std::string ExplainIpPrefix(std::string_view text);

}  // namespace plimsoll::cel
