#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/resource/resource_slice.h"

/// Consumable capacity: the amount of a device that a request consumes.
namespace plimsoll::dra {

using Amounts = std::vector<api::NamedQuantity>;  // sorted by name

/// Returns the amount of each capacity that a request consumes, according to the device's request
/// policies. A capacity that is not requested counts with its default, or completely; a requested
/// amount is rounded up to the next valid one. Returns nothing if the device can never serve the
/// request: it lacks a capacity, or does not permit an amount. The error is upstream's text for an
/// amount that cannot be computed.
std::expected<std::optional<Amounts>, std::string> TakenCapacity(
    const api::Device& device, std::span<const api::NamedQuantity> requested);

/// Returns true if the device has `wanted` left after `held` and `taking`.
bool HasLeft(const api::Device& device, const Amounts& wanted, const Amounts& held,
             const Amounts& taking);

void AddAmounts(Amounts& to, const Amounts& more);
/// Subtracts amounts that were added before.
void SubtractAmounts(Amounts& from, const Amounts& less);

}  // namespace plimsoll::dra
