#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::cli {

/// Returns an amount of the scheduler in the resource's usual unit: `300m` for 300 of cpu, which is
/// in millicores, and `1Gi` for bytes.
std::string AmountText(std::string_view resource, std::int64_t amount);

}  // namespace plimsoll::cli
