#include "cel/eval/signature.h"

#include <memory>

#include "cel/eval/mapping.h"

namespace plimsoll::cel {
namespace {

std::string ComposeSignature(const ErrorValue& error) {
  std::string text = "no such overload: " + std::string(error.text()) + "(";
  std::string_view comma;
  for (const Value& type : error.first().elements()) {
    text += comma;
    text += type.type()->name();
    comma = ", ";
  }
  return text + ")";
}

bool FitsMap(const Type* parameter, const Value& value) {
  if (!IsMapping(value)) return false;
  if (parameter->parameters().empty() || MappingSize(value) == 0) return true;
  return Fits(parameter->parameter(0), MappingKey(value, 0)) &&
         Fits(parameter->parameter(1), MappingValue(value, 0));
}

bool FitsList(const Type* parameter, const Value& value) {
  if (!value.is(ValueKind::List)) return false;
  if (parameter->parameters().empty() || value.elements().empty()) return true;
  return Fits(parameter->parameter(0), value.elements().front());
}

}  // namespace

bool Fits(const Type* parameter, const Value& value) {
  switch (parameter->kind()) {
    case TypeKind::Dyn:
    case TypeKind::Any:
    case TypeKind::Param:
      return true;
    case TypeKind::List:
      return FitsList(parameter, value);
    case TypeKind::Map:
      return FitsMap(parameter, value);
    case TypeKind::Wrapper:
      return value.is(ValueKind::Null) || Fits(parameter->parameter(0), value);
    default:
      return value.RuntimeType()->name() == parameter->name();
  }
}

bool Fits(const Overload& overload, std::span<const Value> arguments) {
  if (overload.parameters.size() != arguments.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!Fits(overload.parameters[i], arguments[i])) return false;
  }
  return true;
}

bool AlwaysFits(const Type* argument, const Type* parameter) {
  switch (parameter->kind()) {
    case TypeKind::Dyn:
    case TypeKind::Any:
    case TypeKind::Param:
      return true;
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Uint:
    case TypeKind::Double:
    case TypeKind::String:
    case TypeKind::Bytes:
      return argument->kind() == parameter->kind();
    case TypeKind::List:
      return argument->is(TypeKind::List) && !argument->parameters().empty() &&
             AlwaysFits(argument->parameter(0), parameter->parameter(0));
    case TypeKind::Map:
      return argument->is(TypeKind::Map) && !argument->parameters().empty() &&
             AlwaysFits(argument->parameter(0), parameter->parameter(0)) &&
             AlwaysFits(argument->parameter(1), parameter->parameter(1));
    default:
      // The checker accepts null for values of all other types.
      return false;
  }
}

Value NoSuchSignature(Evaluation& evaluation, std::string_view function,
                      std::span<const Value> arguments) {
  Value* const kinds = evaluation.arena().Allocate<Value>(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    new (kinds + i) Value(Value::OfType(arguments[i].RuntimeType()));
  }
  return evaluation.FailLater(ComposeSignature, function, Value::List({kinds, arguments.size()}));
}

}  // namespace plimsoll::cel
