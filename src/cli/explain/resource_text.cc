#include "cli/explain/resource_text.h"

#include "base/quantity.h"

namespace plimsoll::cli {

std::string AmountText(std::string_view resource, std::int64_t amount) {
  if (resource == "cpu") return Quantity::FromMilli(amount).Text();
  const bool is_bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  return Quantity::FromInt(amount,
                           is_bytes ? Quantity::Format::BinarySI : Quantity::Format::DecimalSI)
      .Text();
}

}  // namespace plimsoll::cli
