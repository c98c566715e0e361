#include "agent/address_pool.h"

#include <fmt/format.h>

#include <charconv>

namespace plimsoll::agent {
namespace {

/// Parses a decimal number at the front of the text and removes it.
std::optional<std::uint32_t> TakeNumber(std::string_view& text, std::uint32_t max) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number > max) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

constexpr std::uint32_t kBitsMin = 8;
constexpr std::uint32_t kBitsMax = 30;

}  // namespace

std::string AddressText(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, (address >> 16) & 255, (address >> 8) & 255,
                     address & 255);
}

std::optional<std::uint32_t> ParseAddress(std::string_view text) {
  std::uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (!text.starts_with('.')) return std::nullopt;
      text.remove_prefix(1);
    }
    const std::optional<std::uint32_t> number = TakeNumber(text, 255);
    if (!number) return std::nullopt;
    address = address << 8 | *number;
  }
  if (!text.empty()) return std::nullopt;
  return address;
}

Result<AddressPool> AddressPool::Parse(std::string_view cidr) {
  const std::size_t slash = cidr.find('/');
  const std::optional<std::uint32_t> address = ParseAddress(cidr.substr(0, slash));
  std::string_view rest = slash == std::string_view::npos ? "" : cidr.substr(slash + 1);
  const std::optional<std::uint32_t> bits = TakeNumber(rest, 32);
  if (!address || !bits || !rest.empty() || *bits < kBitsMin || *bits > kBitsMax) {
    return Fail(Reason::Invalid,
                fmt::format("'{}' is not an IPv4 network with a prefix from /{} to /{}", cidr,
                            kBitsMin, kBitsMax));
  }
  const std::uint32_t size = std::uint32_t{1} << (32 - *bits);
  return AddressPool((*address & ~(size - 1)) + 1, size - 2);
}

std::optional<std::uint32_t> AddressPool::Allocate() {
  if (taken_count_ == taken_.size()) return std::nullopt;
  while (taken_[next_]) next_ = (next_ + 1) % taken_.size();
  const auto address = static_cast<std::uint32_t>(first_ + next_);
  next_ = (next_ + 1) % taken_.size();
  Reserve(address);
  return address;
}

bool AddressPool::Reserve(std::uint32_t address) {
  if (address < first_ || address - first_ >= taken_.size()) return true;
  if (taken_[address - first_]) return false;
  taken_[address - first_] = true;
  ++taken_count_;
  return true;
}

void AddressPool::Release(std::uint32_t address) {
  if (address < first_ || address - first_ >= taken_.size() || !taken_[address - first_]) return;
  taken_[address - first_] = false;
  --taken_count_;
}

}  // namespace plimsoll::agent
