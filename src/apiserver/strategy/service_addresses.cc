#include "apiserver/strategy/service_addresses.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "apiserver/cache/cache.h"
#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

// 10.96.0.0/12 without its first and last address.
constexpr std::uint32_t kBase = (10u << 24) | (96u << 16);
constexpr std::uint32_t kBits = 20;
constexpr std::uint32_t kLast = (1u << kBits) - 1;
constexpr std::int32_t kPortFirst = 30000;
constexpr std::int32_t kPortLast = 32767;

std::string AddressText(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, (address >> 16) & 255, (address >> 8) & 255,
                     address & 255);
}

std::string PortText(std::int64_t port) { return fmt::format("port-{}", port); }

std::optional<std::uint32_t> ParseAddress(std::string_view text) {
  std::uint32_t address = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int part = 0; part < 4; ++part) {
    std::uint8_t byte = 0;
    const auto [stop, error] = std::from_chars(at, end, byte);
    if (error != std::errc{}) return std::nullopt;
    address = address << 8 | byte;
    at = stop;
    if (part == 3) break;
    if (at == end || *at != '.') return std::nullopt;
    ++at;
  }
  if (at != end) return std::nullopt;
  return address;
}

}  // namespace

ServiceAddresses::ServiceAddresses(const Cache& cache, const Resource& services, std::uint64_t seed,
                                   SharedReservations* shared)
    : cache_(cache), services_(services), shared_(shared), random_(seed) {}

bool ServiceAddresses::IsInRange(std::string_view ip) {
  const auto address = ParseAddress(ip);
  return address && *address > kBase && *address < kBase + kLast;
}

std::set<std::string> ServiceAddresses::Stored() const {
  std::set<std::string> taken;
  for (const ObjectPtr& service : cache_.List(services_, {}).objects) {
    const auto object = service->Decode();
    if (!object) continue;
    const codec::Value* spec = (*object)->tree().Find("spec");
    if (spec == nullptr) continue;
    taken.emplace(TextAt(*spec, "clusterIP"));
    const codec::Value* ports = spec->Find("ports");
    if (ports == nullptr) continue;
    for (const codec::Value& port : ports->items()) {
      const codec::Value* number = port.Find("nodePort");
      if (number != nullptr && number->is_int()) taken.insert(PortText(number->AsInt()));
    }
  }
  return taken;
}

std::optional<Reservation> ServiceAddresses::ReserveHere(const std::string& value) {
  const std::lock_guard lock(mutex_);
  if (!reserved_.insert(value).second) return std::nullopt;
  return Reservation([this, value] {
    const std::lock_guard last_lock(mutex_);
    reserved_.erase(value);
  });
}

api::Answer<std::optional<Reservation>> ServiceAddresses::Reserve(
    const std::string& value, const std::set<std::string>& stored, bool is_dry_run) {
  if (stored.contains(value)) return std::nullopt;
  std::optional<Reservation> here = ReserveHere(value);
  if (!here) return std::nullopt;
  std::optional<Reservation> everywhere = Reservation();
  if (shared_ != nullptr && !is_dry_run) everywhere = PL_TRY(shared_->Reserve(value));
  // The previous holder of the reservation may have stored a service with this value.
  if (!everywhere || Stored().contains(value)) return std::nullopt;
  return Reservation([here = *std::move(here), everywhere = *std::move(everywhere)] {});
}

api::Answer<ServiceAddresses::Address> ServiceAddresses::AllocateAddress(bool is_dry_run) {
  const std::set<std::string> stored = Stored();
  const std::int64_t first = Draw(1, kLast - 1);
  for (std::int64_t i = 0; i < kLast - 1; ++i) {
    const std::int64_t number = 1 + (first - 1 + i) % (kLast - 1);
    const std::string ip = AddressText(kBase + static_cast<std::uint32_t>(number));
    auto reserved = PL_TRY(Reserve(ip, stored, is_dry_run));
    if (reserved) return Address{ip, std::move(*reserved)};
  }
  return std::unexpected(api::InternalError("failed to allocate a serviceIP: range is full"));
}

api::Answer<ServiceAddresses::Port> ServiceAddresses::AllocatePort(bool is_dry_run) {
  const std::set<std::string> stored = Stored();
  const std::int64_t first = Draw(kPortFirst, kPortLast);
  for (std::int64_t i = 0; i <= kPortLast - kPortFirst; ++i) {
    const auto port = static_cast<std::int32_t>(kPortFirst + (first - kPortFirst + i) %
                                                                 (kPortLast - kPortFirst + 1));
    auto reserved = PL_TRY(Reserve(PortText(port), stored, is_dry_run));
    if (reserved) return Port{port, std::move(*reserved)};
  }
  return std::unexpected(api::InternalError("failed to allocate a nodePort: range is full"));
}

std::int64_t ServiceAddresses::Draw(std::int64_t first, std::int64_t last) {
  const std::lock_guard lock(mutex_);
  return random_.Between(first, last);
}

api::Answer<std::optional<Reservation>> ServiceAddresses::ReserveAddress(std::string_view ip,
                                                                         bool is_dry_run) {
  return Reserve(std::string(ip), Stored(), is_dry_run);
}

api::Answer<std::optional<Reservation>> ServiceAddresses::ReservePort(std::int32_t port,
                                                                      bool is_dry_run) {
  return Reserve(PortText(port), Stored(), is_dry_run);
}

}  // namespace plimsoll::apiserver
