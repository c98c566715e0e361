#pragma once

#include <string_view>
#include <vector>

#include "base/quantity.h"

/// Amounts by name. Lists of them are sorted by name.
namespace plimsoll::api {

/// An amount of a resource; `text` is the quantity as written, for messages.
struct ResourceAmount {
  std::string_view name;
  std::string_view text;
  Quantity quantity;
};
using ResourceList = std::vector<ResourceAmount>;

/// A counter or a capacity of a device, requested or consumed.
struct NamedQuantity {
  std::string_view name;
  Quantity value;
};

}  // namespace plimsoll::api
