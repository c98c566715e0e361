#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/resource/resource_slice.h"

/// Consumable capacity: how much of a device a request takes.
namespace plimsoll::dra {

using Amounts = std::vector<api::NamedQuantity>;  // by the names, in their order

/// What a request takes of each of the device's capacities, after the rules of the device for such
/// requests: the default or all of what is not asked for, the next permitted amount of what is.
/// Nothing when the device cannot serve the request, be there ever so much: a capacity that it does
/// not have, an amount that it does not permit. The error is upstream's, of an amount that nobody
/// could compute with.
std::expected<std::optional<Amounts>, std::string> TakenCapacity(
    const api::Device& device, std::span<const api::NamedQuantity> requested);

/// Whether the device has that much left besides what is taken already, by `held` and `taking`.
bool HasLeft(const api::Device& device, const Amounts& wanted, const Amounts& held,
             const Amounts& taking);

void AddAmounts(Amounts& to, const Amounts& more);
/// Of what has been added before.
void SubtractAmounts(Amounts& from, const Amounts& less);

}  // namespace plimsoll::dra
