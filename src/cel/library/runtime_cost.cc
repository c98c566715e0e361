#include "cel/library/runtime_cost.h"

#include <cmath>

#include "cel/environment.h"

namespace plimsoll::cel {
namespace {

std::uint64_t BytesCost(std::string_view bytes) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes.size()) * kTextCost);
}

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

// Values nest no deeper than the expression or the host's structure that made them.
std::uint64_t TraversalCost(const Value& value) {
  std::uint64_t cost = 0;
  switch (value.kind()) {
    case ValueKind::String:
    case ValueKind::Bytes:
      return BytesCost(value.text());
    case ValueKind::List:
      for (const Value& element : value.elements()) cost = AddCost(cost, TraversalCost(element));
      return cost;
    case ValueKind::Map:
      for (const MapValue::Entry& entry : value.map().entries()) {
        cost = AddCost(cost, AddCost(TraversalCost(entry.key), TraversalCost(entry.value)));
      }
      return cost;
    case ValueKind::Object: {
      const std::vector<ObjectField>& fields = value.object().type().fields;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        cost = AddCost(
            cost, AddCost(BytesCost(fields[i].name), TraversalCost(value.object().field(i))));
      }
      return cost;
    }
    default:
      return 1;
  }
}

std::uint64_t SizeCost(std::uint64_t size, double factor) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(size) * factor));
}

std::uint64_t RegexCost(const Value& subject, const Value& pattern) {
  return MultiplyCost(SizeCost(ActualSize(subject) + 1, kTextCost),
                      SizeCost(ActualSize(pattern), kRegexCost));
}

std::optional<std::uint64_t> CostOne(std::span<const Value>, const Value&) { return 1; }

std::optional<std::uint64_t> CostOfReading(std::span<const Value> arguments, const Value&) {
  return SizeCost(ActualSize(arguments[0]), kTextCost);
}

std::optional<std::uint64_t> CostOfReadingTwice(std::span<const Value> arguments, const Value&) {
  return SizeCost(ActualSize(arguments[0]), 2 * kTextCost);
}

std::optional<std::uint64_t> CostOfTraversal(std::span<const Value> arguments, const Value&) {
  return TraversalCost(arguments[0]);
}

std::optional<std::uint64_t> CostOfMatching(std::span<const Value> arguments, const Value&) {
  return RegexCost(arguments[0], arguments[1]);
}

}  // namespace plimsoll::cel
