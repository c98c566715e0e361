#include "cel/library/runtime_cost.h"

#include <algorithm>
#include <cmath>

#include "cel/environment.h"
#include "cel/limits.h"

namespace plimsoll::cel {
namespace {

/// Exceeds every limit, but differs from kCostFailure.
constexpr std::uint64_t kHuge = std::uint64_t{1} << 63;

class Traversal {
 public:
  // Values nest no deeper than the expression or the host structure that created them.
  void Visit(const Value& value) {
    if (++steps_ > kCostStepsMax) return;
    switch (value.kind()) {
      case ValueKind::String:
      case ValueKind::Bytes:
        return VisitBytes(value.text());
      case ValueKind::List:
        for (const Value& element : value.elements()) Visit(element);
        return;
      case ValueKind::Map:
        for (const MapValue::Entry& entry : value.map().entries()) {
          Visit(entry.key);
          Visit(entry.value);
        }
        return;
      case ValueKind::Object:
        return VisitObject(value.object());
      default:
        ++cost_;
    }
  }

  std::uint64_t cost() const { return steps_ > kCostStepsMax ? kHuge : cost_; }

 private:
  void VisitBytes(std::string_view bytes) {
    cost_ += static_cast<std::uint64_t>(static_cast<double>(bytes.size()) * kTextCost);
  }

  void VisitObject(const ObjectValue& object) {
    const std::vector<ObjectField>& fields = object.type().fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      VisitBytes(fields[i].name);
      Visit(object.field(i));
    }
  }

  std::uint64_t steps_ = 0;
  std::uint64_t cost_ = 0;
};

}  // namespace

std::uint64_t ActualSize(const Value& value) {
  switch (value.kind()) {
    case ValueKind::String:
      return CountCodePoints(value.text());
    case ValueKind::Bytes:
      return value.text().size();
    case ValueKind::List:
      return value.elements().size();
    case ValueKind::Map:
      return value.map().size();
    case ValueKind::Object:
      return value.object().type().fields.size();
    case ValueKind::Opaque:
      return value.opaque().cost_size();
    default:
      return 1;
  }
}

std::uint64_t HeldSize(const Value& value) {
  const Value* held = &value;
  while (held->is(ValueKind::Optional) && held->optional() != nullptr) held = held->optional();
  return ActualSize(*held);
}

std::uint64_t ShorterSize(const Value& a, const Value& b) {
  if (!a.is(ValueKind::String) || !b.is(ValueKind::String)) {
    return std::min(HeldSize(a), HeldSize(b));
  }
  const bool is_a_less = a.text().size() < b.text().size();
  const std::string_view fewer_bytes = is_a_less ? a.text() : b.text();
  const std::string_view more_bytes = is_a_less ? b.text() : a.text();
  const std::size_t size = CountCodePoints(fewer_bytes);
  // A much longer text is not counted: a code point has at most four bytes.
  constexpr std::size_t kBytesOfRune = 4;
  if (more_bytes.size() / kBytesOfRune >= size) return size;
  return std::min(size, CountCodePoints(more_bytes));
}

std::uint64_t TraversalCost(const Value& value) {
  Traversal traversal;
  traversal.Visit(value);
  return traversal.cost();
}

std::uint64_t ScaledCost(std::uint64_t size, double factor) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(size) * factor));
}

std::uint64_t FloorCost(double cost) {
  return cost >= 0x1p63 ? kHuge : static_cast<std::uint64_t>(cost);
}

std::uint64_t RegexCost(std::uint64_t subject, std::uint64_t pattern) {
  return MultiplyCost(SizeCost(subject + 1, kTextCost), SizeCost(pattern, kRegexCost));
}

std::uint64_t CostOfReading(std::span<const Value> arguments, Value) {
  return SizeCost(ActualSize(arguments[0]), kTextCost);
}

std::uint64_t CostOfReadingTwice(std::span<const Value> arguments, Value) {
  return SizeCost(ActualSize(arguments[0]), 2 * kTextCost);
}

std::uint64_t CostOfTraversal(std::span<const Value> arguments, Value) {
  return TraversalCost(arguments[0]);
}

std::uint64_t CostOfMatching(std::span<const Value> arguments, Value) {
  return RegexCost(ActualSize(arguments[0]), ActualSize(arguments[1]));
}

std::uint64_t CostOfReadingHeld(std::span<const Value> arguments, Value) {
  return SizeCost(HeldSize(arguments[0]), kTextCost);
}

std::uint64_t CostOfMatchingHeld(std::span<const Value> arguments, Value) {
  return RegexCost(HeldSize(arguments[0]), HeldSize(arguments[1]));
}

}  // namespace plimsoll::cel
