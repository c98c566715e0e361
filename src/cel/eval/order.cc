#include <cmath>
#include <compare>

#include "cel/number.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

Value Sign(std::strong_ordering order) { return Value::Int(order < 0 ? -1 : (order > 0 ? 1 : 0)); }
Value Reversed(std::strong_ordering order) { return Sign(0 <=> order); }

Value NotANumber(Evaluation& evaluation) { return evaluation.Fail("NaN values cannot be ordered"); }

Value CompareInt(Evaluation& evaluation, std::int64_t a, const Value& b) {
  switch (b.kind()) {
    case ValueKind::Int:
      return Sign(a <=> b.as_int());
    case ValueKind::Uint:
      return Sign(Order(a, b.as_uint()));
    case ValueKind::Double:
      return std::isnan(b.as_double()) ? NotANumber(evaluation) : Sign(Order(a, b.as_double()));
    default:
      return evaluation.NoSuchOverload();
  }
}

Value CompareUint(Evaluation& evaluation, std::uint64_t a, const Value& b) {
  switch (b.kind()) {
    case ValueKind::Int:
      return Reversed(Order(b.as_int(), a));
    case ValueKind::Uint:
      return Sign(a <=> b.as_uint());
    case ValueKind::Double:
      return std::isnan(b.as_double()) ? NotANumber(evaluation) : Sign(Order(a, b.as_double()));
    default:
      return evaluation.NoSuchOverload();
  }
}

Value CompareDouble(Evaluation& evaluation, double a, const Value& b) {
  if (std::isnan(a)) return NotANumber(evaluation);
  switch (b.kind()) {
    case ValueKind::Int:
      return Reversed(Order(b.as_int(), a));
    case ValueKind::Uint:
      return Reversed(Order(b.as_uint(), a));
    case ValueKind::Double:
      if (std::isnan(b.as_double())) return NotANumber(evaluation);
      return Value::Int(a < b.as_double() ? -1 : (a > b.as_double() ? 1 : 0));
    default:
      return evaluation.NoSuchOverload();
  }
}

}  // namespace

Value Evaluation::Compare(const Value& a, const Value& b) {
  switch (a.kind()) {
    case ValueKind::Int:
      return CompareInt(*this, a.as_int(), b);
    case ValueKind::Uint:
      return CompareUint(*this, a.as_uint(), b);
    case ValueKind::Double:
      return CompareDouble(*this, a.as_double(), b);
    default:
      break;
  }
  if (a.kind() != b.kind()) return NoSuchOverload();
  switch (a.kind()) {
    case ValueKind::Bool:
      return Sign(int{a.as_bool()} <=> int{b.as_bool()});
    case ValueKind::String:
    case ValueKind::Bytes:
      return Sign(a.text() <=> b.text());
    case ValueKind::Duration:
      return Sign(a.duration_ns() <=> b.duration_ns());
    case ValueKind::Timestamp: {
      const auto seconds = a.seconds() <=> b.seconds();
      return Sign(seconds != 0 ? seconds : a.nanoseconds() <=> b.nanoseconds());
    }
    default:
      return NoSuchOverload();
  }
}

}  // namespace plimsoll::cel
