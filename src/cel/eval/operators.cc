#include "cel/eval/operators.h"

#include "cel/eval/mapping.h"
#include "cel/library/compare.h"

namespace plimsoll::cel::operators {
namespace {

template <class Holds>
Value Ordered(Evaluation& evaluation, const Value* arguments, std::string_view refusal,
              Holds holds) {
  if (!IsOrdered(arguments[0])) return evaluation.Fail(refusal);
  const Value order = evaluation.Compare(arguments[0], arguments[1]);
  return order.is_error() ? order : Value::Bool(holds(order.as_int()));
}

Value InList(Evaluation& evaluation, const Value& value, std::span<const Value> elements) {
  evaluation.Spend(elements.size());
  for (const Value& element : elements) {
    if (evaluation.Equal(value, element).is_true()) return Value::Bool(true);
  }
  return Value::Bool(false);
}

}  // namespace

Value Not(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::Bool)) return evaluation.NoSuchOverload();
  return Value::Bool(!arguments[0].as_bool());
}

Value Less(Evaluation& evaluation, const Value* arguments) {
  return Ordered(evaluation, arguments, "no such overload: _<_",
                 [](std::int64_t sign) { return sign < 0; });
}

Value LessEquals(Evaluation& evaluation, const Value* arguments) {
  return Ordered(evaluation, arguments, "no such overload: _<=_",
                 [](std::int64_t sign) { return sign <= 0; });
}

Value Greater(Evaluation& evaluation, const Value* arguments) {
  return Ordered(evaluation, arguments, "no such overload: _>_",
                 [](std::int64_t sign) { return sign > 0; });
}

Value GreaterEquals(Evaluation& evaluation, const Value* arguments) {
  return Ordered(evaluation, arguments, "no such overload: _>=_",
                 [](std::int64_t sign) { return sign >= 0; });
}

Value In(Evaluation& evaluation, const Value* arguments) {
  const Value& container = arguments[1];
  if (container.is(ValueKind::List)) {
    return InList(evaluation, arguments[0], container.elements());
  }
  if (IsMapping(container)) {
    if (arguments[0].is(ValueKind::String)) evaluation.SpendOnBytes(arguments[0].text().size());
    return Value::Bool(MappingContains(container, arguments[0]));
  }
  return evaluation.NoSuchOverload();
}

Value Size(Evaluation& evaluation, const Value* arguments) {
  const Value& value = arguments[0];
  const auto answer = [](std::size_t size) { return Value::Int(static_cast<std::int64_t>(size)); };
  switch (value.kind()) {
    case ValueKind::String:
      evaluation.SpendOnBytes(value.text().size());
      return answer(CountCodePoints(value.text()));
    case ValueKind::Bytes:
      return answer(value.text().size());
    case ValueKind::List:
      return answer(value.elements().size());
    case ValueKind::Map:
    case ValueKind::Object:
      return answer(MappingSize(value));
    default:
      return Refuse(evaluation, value, "no such overload: size");
  }
}

}  // namespace plimsoll::cel::operators
