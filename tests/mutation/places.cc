#include "mutation/places.h"

#include <algorithm>
#include <string>

namespace plimsoll::mutation {
namespace {

using api::Shape;
using api::ShapeKind;
using api::TypeDesc;
using codec::Document;
using codec::Value;

class Walker {
 public:
  explicit Walker(std::vector<Place>& out) : out_(out) {}

  void Struct(const TypeDesc& type) {
    if (std::ranges::count(open_, &type) > 0) return;
    open_.push_back(&type);
    for (const api::FieldDesc& field : type.fields) {
      Enter({Step::Kind::Field, field.name, field.shape});
    }
    open_.pop_back();
  }

 private:
  void Enter(const Step& step) {
    at_.steps.push_back(step);
    out_.push_back(at_);
    const Shape& shape = *step.shape;
    if (shape.kind == ShapeKind::Struct) Struct(*shape.type);
    if (shape.kind == ShapeKind::List) Enter({Step::Kind::Item, {}, shape.element});
    if (shape.kind == ShapeKind::Map) Enter({Step::Kind::Key, "cpu", shape.element});
    at_.steps.pop_back();
  }

  std::vector<Place>& out_;
  std::vector<const TypeDesc*> open_;
  Place at_;
};

std::string_view PlausibleText(std::string_view name) {
  struct Row {
    std::string_view name;
    std::string_view text;
  };
  static constexpr Row kRows[] = {
      {"operator", "In"},
      {"effect", "NoSchedule"},
      {"protocol", "TCP"},
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"fieldsType", "FieldsV1"},
      {"operation", "Update"},
      {"status", "True"},
      {"topologyKey", "zone"},
      {"whenUnsatisfiable", "DoNotSchedule"},
      {"expression", "true"},
      {"path", "a"},
      {"mountPath", "/a"},
      {"devicePath", "/a"},
      {"apiGroup", "rbac.authorization.k8s.io"},
      {"resourceVersion", ""},
  };
  const auto found = std::ranges::find(kRows, name, &Row::name);
  return found == std::end(kRows) ? "a" : found->text;
}

Value FilledStruct(Document& document, const TypeDesc& type, int depth) {
  Value object = document.NewObject();
  if (depth <= 0) return object;
  for (const api::FieldDesc& field : type.fields) {
    Value value = !field.enum_values.empty() && field.shape->kind == ShapeKind::String
                      ? Value::String(field.enum_values.front())
                      : Plausible(document, *field.shape, field.name, depth - 1);
    document.AppendMember(object, {field.name, value});
  }
  return object;
}

/// Returns the value at the end of a step; creates it if it is missing.
Value& Descend(Document& document, Value& at, const Step& step, const Shape* shape, int depth) {
  if (step.kind == Step::Kind::Item) {
    if (!at.is_array()) at = document.NewArray();
    if (at.items().empty()) {
      document.Append(at, Plausible(document, *step.shape, {}, depth));
    }
    return at.items().front();
  }
  if (!at.is_object()) {
    const bool is_struct = shape != nullptr && shape->kind == ShapeKind::Struct;
    at = is_struct ? FilledStruct(document, *shape->type, depth) : document.NewObject();
  }
  if (Value* const found = at.Find(step.name)) return *found;
  document.AppendMember(at, {step.name, Value::Null()});
  return at.members().back().value;
}

}  // namespace

std::vector<Place> PlacesOf(const TypeDesc& type) {
  std::vector<Place> out;
  Walker(out).Struct(type);
  return out;
}

Value Plausible(Document& document, const Shape& shape, std::string_view name, int depth) {
  switch (shape.kind) {
    case ShapeKind::String:
      return Value::String(PlausibleText(name));
    case ShapeKind::Int32:
    case ShapeKind::Int64:
    case ShapeKind::IntOrString:
      return Value::Int(1);
    case ShapeKind::Bool:
      return Value::Bool(true);
    case ShapeKind::Bytes:
      return Value::String("eA==");
    case ShapeKind::Quantity:
      return Value::String("1");
    case ShapeKind::Time:
      return Value::String("2026-01-01T00:00:00Z");
    case ShapeKind::MicroTime:
      return Value::String("2026-01-01T00:00:00.000000Z");
    case ShapeKind::Any:
      return document.NewObject();
    case ShapeKind::Struct:
      return FilledStruct(document, *shape.type, depth);
    case ShapeKind::List: {
      Value list = document.NewArray();
      if (depth > 0) document.Append(list, Plausible(document, *shape.element, name, depth));
      return list;
    }
    case ShapeKind::Map: {
      Value map = document.NewObject();
      if (depth > 0) {
        document.AppendMember(map, {"cpu", Plausible(document, *shape.element, name, depth)});
      }
      return map;
    }
  }
  return {};
}

Value& Reach(Document& document, Value& root, const Place& place, int depth) {
  Value* at = &root;
  const Shape* shape = nullptr;
  for (const Step& step : place.steps) {
    at = &Descend(document, *at, step, shape, depth);
    shape = step.shape;
  }
  return *at;
}

std::string PointerTo(const Place& place) {
  std::string out;
  for (const Step& step : place.steps) {
    out += '/';
    out += step.kind == Step::Kind::Item ? "0" : step.name;
  }
  return out;
}

}  // namespace plimsoll::mutation
