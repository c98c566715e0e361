#include <algorithm>
#include <memory>

#include "cel/eval/operators.h"
#include "cel/library/time_text.h"

namespace plimsoll::cel::operators {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Value IntOverflow(Evaluation& evaluation) { return evaluation.Fail("integer overflow"); }
Value UintOverflow(Evaluation& evaluation) { return evaluation.Fail("unsigned integer overflow"); }
Value DivisionByZero(Evaluation& evaluation) { return evaluation.Fail("division by zero"); }
Value ModulusByZero(Evaluation& evaluation) { return evaluation.Fail("modulus by zero"); }

Value AddTexts(Evaluation& evaluation, const Value& a, const Value& b) {
  if (b.text().empty()) return a;
  if (a.text().empty()) return b;
  const std::size_t size = a.text().size() + b.text().size();
  if (size > UINT32_MAX) throw ArenaFull();
  char* const made = evaluation.arena().Allocate<char>(size);
  std::copy_n(b.text().data(), b.text().size(),
              std::copy_n(a.text().data(), a.text().size(), made));
  const std::string_view text(made, size);
  return a.is(ValueKind::String) ? Value::String(text) : Value::Bytes(text);
}

Value AddLists(Evaluation& evaluation, const Value& a, const Value& b) {
  if (a.elements().empty()) return b;
  if (b.elements().empty()) return a;
  const std::size_t size = a.elements().size() + b.elements().size();
  if (size > UINT32_MAX) throw ArenaFull();
  evaluation.Spend(size);
  Value* const made = evaluation.arena().Allocate<Value>(size);
  std::uninitialized_copy_n(
      b.elements().data(), b.elements().size(),
      std::uninitialized_copy_n(a.elements().data(), a.elements().size(), made));
  return Value::List({made, size});
}

Value AddDurations(Evaluation& evaluation, std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return IntOverflow(evaluation);
  return Value::Duration(sum);
}

Value AddToTimestamp(Evaluation& evaluation, const Value& time, std::int64_t duration_ns) {
  std::int64_t nanoseconds = time.nanoseconds() + duration_ns % kSecond;
  std::int64_t carry = duration_ns / kSecond;
  if (nanoseconds < 0) {
    nanoseconds += kSecond;
    --carry;
  } else if (nanoseconds >= kSecond) {
    nanoseconds -= kSecond;
    ++carry;
  }
  // Both are far from the limits of their range, so this cannot overflow.
  const std::int64_t seconds = time.seconds() + carry;
  if (seconds < kTimestampSecondsMin || seconds > kTimestampSecondsMax) {
    return evaluation.Fail("timestamp overflow");
  }
  return Value::Timestamp(seconds, static_cast<std::uint32_t>(nanoseconds), time.offset_minutes());
}

Value SubtractTimestamps(Evaluation& evaluation, const Value& a, const Value& b) {
  std::int64_t difference = 0;
  const std::int64_t nanoseconds = std::int64_t{a.nanoseconds()} - b.nanoseconds();
  if (__builtin_mul_overflow(a.seconds() - b.seconds(), kSecond, &difference) ||
      __builtin_add_overflow(difference, nanoseconds, &difference)) {
    return IntOverflow(evaluation);
  }
  return Value::Duration(difference);
}

Value NegateInt(Evaluation& evaluation, std::int64_t value, Value (*make)(std::int64_t)) {
  return value == INT64_MIN ? IntOverflow(evaluation) : make(-value);
}

bool KnowsAdd(ValueKind kind) {
  switch (kind) {
    case ValueKind::Int:
    case ValueKind::Uint:
    case ValueKind::Double:
    case ValueKind::String:
    case ValueKind::Bytes:
    case ValueKind::List:
    case ValueKind::Duration:
    case ValueKind::Timestamp:
      return true;
    default:
      return false;
  }
}

bool IsNumber(ValueKind kind) {
  return kind == ValueKind::Int || kind == ValueKind::Uint || kind == ValueKind::Double;
}

bool IsTime(ValueKind kind) { return kind == ValueKind::Duration || kind == ValueKind::Timestamp; }

Value AddTimes(Evaluation& evaluation, const Value& a, const Value& b) {
  if (a.is(ValueKind::Timestamp)) {
    if (!b.is(ValueKind::Duration)) return evaluation.NoSuchOverload();
    return AddToTimestamp(evaluation, a, b.duration_ns());
  }
  if (b.is(ValueKind::Timestamp)) return AddToTimestamp(evaluation, b, a.duration_ns());
  if (!b.is(ValueKind::Duration)) return evaluation.NoSuchOverload();
  return AddDurations(evaluation, a.duration_ns(), b.duration_ns());
}

Value SubtractTimes(Evaluation& evaluation, const Value& a, const Value& b) {
  if (a.is(ValueKind::Timestamp) && b.is(ValueKind::Timestamp)) {
    return SubtractTimestamps(evaluation, a, b);
  }
  if (!b.is(ValueKind::Duration)) return evaluation.NoSuchOverload();
  if (a.is(ValueKind::Timestamp)) {
    if (b.duration_ns() == INT64_MIN) return IntOverflow(evaluation);
    return AddToTimestamp(evaluation, a, -b.duration_ns());
  }
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a.duration_ns(), b.duration_ns(), &difference)) {
    return IntOverflow(evaluation);
  }
  return Value::Duration(difference);
}

}  // namespace

Value Refuse(Evaluation& evaluation, const Value& operand, std::string_view message) {
  const bool asks_itself = operand.is(ValueKind::String) || IsTime(operand.kind());
  return asks_itself ? evaluation.NoSuchOverload() : evaluation.Fail(message);
}

Value Add(Evaluation& evaluation, const Value* arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (!KnowsAdd(a.kind())) return evaluation.Fail("no such overload: _+_");
  if (IsTime(a.kind())) return AddTimes(evaluation, a, b);
  if (a.kind() != b.kind()) return evaluation.NoSuchOverload();
  switch (a.kind()) {
    case ValueKind::Int: {
      std::int64_t sum = 0;
      if (__builtin_add_overflow(a.as_int(), b.as_int(), &sum)) return IntOverflow(evaluation);
      return Value::Int(sum);
    }
    case ValueKind::Uint: {
      std::uint64_t sum = 0;
      if (__builtin_add_overflow(a.as_uint(), b.as_uint(), &sum)) return UintOverflow(evaluation);
      return Value::Uint(sum);
    }
    case ValueKind::Double:
      return Value::Double(a.as_double() + b.as_double());
    case ValueKind::List:
      return AddLists(evaluation, a, b);
    default:
      return AddTexts(evaluation, a, b);
  }
}

Value Subtract(Evaluation& evaluation, const Value* arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (IsTime(a.kind())) return SubtractTimes(evaluation, a, b);
  if (!IsNumber(a.kind())) return Refuse(evaluation, a, "no such overload: _-_");
  if (a.kind() != b.kind()) return evaluation.NoSuchOverload();
  if (a.is(ValueKind::Double)) return Value::Double(a.as_double() - b.as_double());
  if (a.is(ValueKind::Uint)) {
    if (b.as_uint() > a.as_uint()) return UintOverflow(evaluation);
    return Value::Uint(a.as_uint() - b.as_uint());
  }
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a.as_int(), b.as_int(), &difference)) return IntOverflow(evaluation);
  return Value::Int(difference);
}

Value Multiply(Evaluation& evaluation, const Value* arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (!IsNumber(a.kind())) return Refuse(evaluation, a, "no such overload: _*_");
  if (a.kind() != b.kind()) return evaluation.NoSuchOverload();
  if (a.is(ValueKind::Double)) return Value::Double(a.as_double() * b.as_double());
  if (a.is(ValueKind::Uint)) {
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a.as_uint(), b.as_uint(), &product)) return UintOverflow(evaluation);
    return Value::Uint(product);
  }
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a.as_int(), b.as_int(), &product)) return IntOverflow(evaluation);
  return Value::Int(product);
}

Value Divide(Evaluation& evaluation, const Value* arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (!IsNumber(a.kind())) return Refuse(evaluation, a, "no such overload: _/_");
  if (a.kind() != b.kind()) return evaluation.NoSuchOverload();
  if (a.is(ValueKind::Double)) return Value::Double(a.as_double() / b.as_double());
  if (a.is(ValueKind::Uint)) {
    if (b.as_uint() == 0) return DivisionByZero(evaluation);
    return Value::Uint(a.as_uint() / b.as_uint());
  }
  if (b.as_int() == 0) return DivisionByZero(evaluation);
  if (a.as_int() == INT64_MIN && b.as_int() == -1) return IntOverflow(evaluation);
  return Value::Int(a.as_int() / b.as_int());
}

Value Modulo(Evaluation& evaluation, const Value* arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  const bool is_whole = a.is(ValueKind::Int) || a.is(ValueKind::Uint);
  if (!is_whole) return Refuse(evaluation, a, "no such overload: _%_");
  if (a.kind() != b.kind()) return evaluation.NoSuchOverload();
  if (a.is(ValueKind::Uint)) {
    if (b.as_uint() == 0) return ModulusByZero(evaluation);
    return Value::Uint(a.as_uint() % b.as_uint());
  }
  if (b.as_int() == 0) return ModulusByZero(evaluation);
  if (a.as_int() == INT64_MIN && b.as_int() == -1) return IntOverflow(evaluation);
  return Value::Int(a.as_int() % b.as_int());
}

Value Negate(Evaluation& evaluation, const Value* arguments) {
  const Value& a = arguments[0];
  switch (a.kind()) {
    case ValueKind::Int:
      return NegateInt(evaluation, a.as_int(), Value::Int);
    case ValueKind::Duration:
      return NegateInt(evaluation, a.duration_ns(), Value::Duration);
    case ValueKind::Double:
      return Value::Double(-a.as_double());
    case ValueKind::Bool:
      return evaluation.NoSuchOverload();
    default:
      return Refuse(evaluation, a, "no such overload: -_");
  }
}

}  // namespace plimsoll::cel::operators
