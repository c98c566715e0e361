#pragma once

#include <string>

#include "base/quantity.h"
#include "cel/value.h"

namespace plimsoll::cel {

/// `kubernetes.Quantity`. Upstream's sums have another internal type, which `==` rejects on its
/// right side. Expressions can observe this, so `is_sum` records it.
class QuantityValue final : public OpaqueValue {
 public:
  explicit QuantityValue(Quantity quantity, bool is_sum = false)
      : quantity_(std::move(quantity)), is_sum_(is_sum) {}

  const Quantity& quantity() const { return quantity_; }

  const Type* type() const override;
  Value Equals(Evaluation& evaluation, const Value& other) const override;
  std::string Text() const override { return quantity_.Text(); }
  std::string_view maker() const override { return "quantity"; }

 private:
  Quantity quantity_;
  bool is_sum_;
};

}  // namespace plimsoll::cel
