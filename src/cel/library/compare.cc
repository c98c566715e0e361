#include "cel/library/compare.h"

#include <tuple>

namespace plimsoll::cel {

bool IsLess(const Value& a, const Value& b) {
  switch (a.kind()) {
    case ValueKind::Bool:
      return a.as_bool() < b.as_bool();
    case ValueKind::Uint:
      return a.as_uint() < b.as_uint();
    case ValueKind::Double:
      return a.as_double() < b.as_double();
    case ValueKind::String:
    case ValueKind::Bytes:
      return a.text() < b.text();
    case ValueKind::Timestamp:
      return std::tuple(a.seconds(), a.nanoseconds()) < std::tuple(b.seconds(), b.nanoseconds());
    default:
      return a.as_int() < b.as_int();
  }
}

int CompareOrdered(Evaluation& evaluation, const Value& a, const Value& b) {
  if (a.kind() == b.kind()) return IsLess(a, b) ? -1 : IsLess(b, a) ? 1 : 0;
  const Value order = evaluation.Compare(a, b);
  return order.is(ValueKind::Int) ? static_cast<int>(order.as_int()) : 0;
}

bool Includes(Evaluation& evaluation, std::span<const Value> elements, const Value& wanted) {
  for (const Value& element : elements) {
    if (evaluation.Equal(wanted, element).is_true()) return true;
  }
  return false;
}

}  // namespace plimsoll::cel
