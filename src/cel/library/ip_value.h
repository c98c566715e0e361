#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cel/library/ip_address.h"
#include "cel/value.h"

/// Values of the libraries ip and cidr, which depend on each other.
namespace plimsoll::cel {

/// `net.IP`
class IpValue final : public OpaqueValue {
 public:
  explicit IpValue(const IpAddress& address) : address_(address) {}

  const IpAddress& address() const { return address_; }

  const Type* type() const override;
  Value Equals(Evaluation& evaluation, const Value& other) const override;
  std::uint64_t cost_size() const override { return address_.is_v4 ? 4 : 16; }
  std::string Text() const override { return address_.Text(); }
  std::string_view maker() const override { return "ip"; }

 private:
  IpAddress address_;
};

/// `net.CIDR`
class CidrValue final : public OpaqueValue {
 public:
  explicit CidrValue(const IpPrefix& prefix) : prefix_(prefix) {}

  const IpPrefix& prefix() const { return prefix_; }

  const Type* type() const override;
  Value Equals(Evaluation& evaluation, const Value& other) const override;
  /// Bytes of the prefix, rounded up.
  std::uint64_t cost_size() const override {
    return static_cast<std::uint64_t>((prefix_.bits + 7) / 8);
  }
  std::string Text() const override { return prefix_.Text(); }
  std::string_view maker() const override { return "cidr"; }

 private:
  IpPrefix prefix_;
};

/// Parses an address that the libraries accept: no zone, and not an IPv4-mapped IPv6 address.
std::optional<IpAddress> ReadPlainAddress(std::string_view text);
std::string ExplainPlainAddress(std::string_view text);

}  // namespace plimsoll::cel
