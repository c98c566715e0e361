#include <cmath>

#include "cel/eval/mapping.h"
#include "cel/number.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

bool EqualInt(std::int64_t a, const Value& b) {
  switch (b.kind()) {
    case ValueKind::Int:
      return a == b.as_int();
    case ValueKind::Uint:
      return Order(a, b.as_uint()) == 0;
    case ValueKind::Double:
      return !std::isnan(b.as_double()) && Order(a, b.as_double()) == 0;
    default:
      return false;
  }
}

bool EqualUint(std::uint64_t a, const Value& b) {
  switch (b.kind()) {
    case ValueKind::Int:
      return Order(b.as_int(), a) == 0;
    case ValueKind::Uint:
      return a == b.as_uint();
    case ValueKind::Double:
      return !std::isnan(b.as_double()) && Order(a, b.as_double()) == 0;
    default:
      return false;
  }
}

bool EqualDouble(double a, const Value& b) {
  if (std::isnan(a)) return false;
  switch (b.kind()) {
    case ValueKind::Int:
      return Order(b.as_int(), a) == 0;
    case ValueKind::Uint:
      return Order(b.as_uint(), a) == 0;
    case ValueKind::Double:
      return a == b.as_double();
    default:
      return false;
  }
}

// Inside lists and maps, only a plain `false` makes values unequal. A pair that cannot be compared
// counts as equal, as upstream.
bool EqualLists(Evaluation& evaluation, const Value& a, const Value& b) {
  if (a.elements().size() != b.elements().size()) return false;
  evaluation.Spend(a.elements().size());
  for (std::size_t i = 0; i < a.elements().size(); ++i) {
    if (evaluation.Equal(a.elements()[i], b.elements()[i]).is_false()) return false;
  }
  return true;
}

bool EqualMappings(Evaluation& evaluation, const Value& a, const Value& b) {
  const std::size_t size = MappingSize(a);
  if (size != MappingSize(b)) return false;
  constexpr std::uint64_t kWorkPerLookup = 4;
  evaluation.Spend(size * kWorkPerLookup);
  for (std::size_t place = 0; place < size; ++place) {
    const Value key = MappingKey(a, place);
    const Value* const other = MappingFind(b, key);
    if (other == nullptr) return false;
    if (evaluation.Equal(MappingValue(a, place), *other).is_false()) return false;
  }
  return true;
}

Value EqualOptionals(Evaluation& evaluation, const Value& a, const Value& b) {
  const bool has_both = a.optional() != nullptr && b.optional() != nullptr;
  if (!has_both) return Value::Bool(a.optional() == b.optional());
  return evaluation.Equal(*a.optional(), *b.optional());
}

}  // namespace

Value Evaluation::Equal(const Value& a, const Value& b) {
  switch (a.kind()) {
    case ValueKind::Null:
    case ValueKind::Error:
      return Value::Bool(a.kind() == b.kind());
    case ValueKind::Int:
      return Value::Bool(EqualInt(a.as_int(), b));
    case ValueKind::Uint:
      return Value::Bool(EqualUint(a.as_uint(), b));
    case ValueKind::Double:
      return Value::Bool(EqualDouble(a.as_double(), b));
    case ValueKind::Map:
    case ValueKind::Object:
      return Value::Bool(IsMapping(b) && EqualMappings(*this, a, b));
    case ValueKind::Opaque:
      return b.is(ValueKind::Null) ? Value::Bool(false) : a.opaque().Equals(*this, b);
    default:
      break;
  }
  if (a.kind() != b.kind()) return Value::Bool(false);
  switch (a.kind()) {
    case ValueKind::Bool:
      return Value::Bool(a.as_bool() == b.as_bool());
    case ValueKind::String:
    case ValueKind::Bytes:
      if (a.text().size() != b.text().size()) return Value::Bool(false);
      SpendOnBytes(a.text().size());
      return Value::Bool(a.text() == b.text());
    case ValueKind::Duration:
      return Value::Bool(a.duration_ns() == b.duration_ns());
    case ValueKind::Timestamp:
      return Value::Bool(a.seconds() == b.seconds() && a.nanoseconds() == b.nanoseconds());
    case ValueKind::List:
      return Value::Bool(EqualLists(*this, a, b));
    case ValueKind::Optional:
      return EqualOptionals(*this, a, b);
    default:
      return Value::Bool(a.type()->name() == b.type()->name());
  }
}

}  // namespace plimsoll::cel
