#include "api/expression/node_expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "cel/kubernetes.h"
#include "cel/library/make_value.h"
#include "cel/program.h"
#include "cel/render.h"

namespace plimsoll::api {
namespace {

using cel::TypeKind;
using cel::ValueKind;
using Stage = cel::Compilation::Stage;

cel::Value Convert(const codec::Value& tree, cel::Arena& arena,
                   std::span<const std::string_view> left_out = {});

/// Recursive: the parser of the object has limited its depth.
cel::Value ConvertObject(const codec::Value& tree, cel::Arena& arena,
                         std::span<const std::string_view> left_out) {
  const auto members = tree.members();
  auto* const entries = arena.Allocate<cel::MapValue::Entry>(members.size());
  std::size_t count = 0;
  for (const codec::Member& member : members) {
    if (std::ranges::find(left_out, member.key) != left_out.end()) continue;
    entries[count++] = {cel::Value::String(member.key), Convert(member.value, arena)};
  }
  return cel::Value::Map(cel::MapValue::Make({entries, count}, arena));
}

cel::Value Convert(const codec::Value& tree, cel::Arena& arena,
                   std::span<const std::string_view> left_out) {
  if (tree.is_bool()) return cel::Value::Bool(tree.AsBool());
  if (tree.is_int()) return cel::Value::Int(tree.AsInt());
  if (tree.is_string()) return cel::Value::String(tree.text());
  if (tree.is_number()) {
    double number = 0;
    const std::string_view digits = tree.text();
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return cel::Value::Double(number);
  }
  if (tree.is_array()) {
    std::vector<cel::Value> items;
    for (const codec::Value& item : tree.items()) items.push_back(Convert(item, arena));
    return cel::MakeList(arena, items);
  }
  return tree.is_object() ? ConvertObject(tree, arena, left_out) : cel::Value::Null();
}

bool CanGiveBool(const cel::Type* type) { return type->is(TypeKind::Bool) || type->is_dyn(); }

bool CanGiveText(const cel::Type* type) {
  if (type->is_optional()) return CanGiveText(type->parameter(0));
  return type->is_dyn() || type->is(TypeKind::Int) || type->is(TypeKind::Uint) ||
         type->is(TypeKind::Double) || type->is(TypeKind::String) || type->is(TypeKind::Null);
}

std::optional<ExpressionFault> FaultOf(const cel::Compilation& compiled,
                                       NodeExpression::Gives gives) {
  using Kind = ExpressionFault::Kind;
  if (compiled.stage == Stage::Compile) {
    return ExpressionFault{Kind::Invalid, "compilation failed: " + compiled.error};
  }
  const bool gives_bool = gives == NodeExpression::Gives::Bool;
  if (gives_bool ? !CanGiveBool(compiled.type) : !CanGiveText(compiled.type)) {
    return ExpressionFault{Kind::Invalid, std::string("must evaluate to ") +
                                              (gives_bool ? "bool" : "int, string or none") +
                                              ", not " + cel::OutputText(compiled.type)};
  }
  if (compiled.stage == Stage::Plan) {
    return ExpressionFault{Kind::Invalid, "program instantiation failed: " + compiled.error};
  }
  if (compiled.cost.max > cel::kCostLimit) return ExpressionFault{Kind::TooCostly, {}};
  return std::nullopt;
}

/// Returns nullopt if the value can be no taint.
std::optional<std::string> DecimalOf(double number) {
  constexpr double kMax = 9e18;
  if (!std::isfinite(number) || std::abs(number) > kMax) return std::nullopt;
  return std::to_string(std::llround(number));
}

/// Evaluates the expression and passes its value to `read`. The value is valid only in that call.
template <class T, class Read>
Result<T> Evaluate(const cel::Compilation& compiled, const NodeInput& node, std::uint64_t& cost,
                   Read read) {
  thread_local cel::Evaluation evaluation;
  const cel::Outcome outcome = evaluation.Evaluate(*compiled.program, {&node.value(), 1});
  cost += outcome.cost;
  if (outcome.value.is_error()) return Fail(Reason::Invalid, outcome.value.error().Text());
  return read(outcome.value);
}

}  // namespace

NodeInput::NodeInput(const codec::Value& node) {
  static constexpr std::string_view kNoManagers[] = {"managedFields"};
  static constexpr std::string_view kNoImages[] = {"images"};
  auto* const entries = arena_.Allocate<cel::MapValue::Entry>(node.members().size());
  std::size_t count = 0;
  for (const codec::Member& member : node.members()) {
    const std::span<const std::string_view> left_out =
        member.key == "metadata" ? std::span<const std::string_view>(kNoManagers) : kNoImages;
    entries[count++] = {cel::Value::String(member.key), Convert(member.value, arena_, left_out)};
  }
  value_ = cel::Value::Map(cel::MapValue::Make({entries, count}, arena_));
}

std::expected<NodeExpression, ExpressionFault> NodeExpression::Compile(std::string_view text,
                                                                       Gives gives) {
  auto compiled =
      std::make_shared<const cel::Compilation>(cel::CompileProgram(text, cel::NodeEnvironment()));
  if (auto fault = FaultOf(*compiled, gives)) return std::unexpected(*std::move(fault));
  return NodeExpression(std::move(compiled));
}

Result<bool> NodeExpression::Matches(const NodeInput& node, std::uint64_t& cost) const {
  return Evaluate<bool>(*compiled_, node, cost, [](const cel::Value& value) -> Result<bool> {
    if (value.is(ValueKind::Bool)) return value.as_bool();
    return Fail(Reason::Invalid, "expected bool, got " + cel::Render(value));
  });
}

Result<std::optional<std::string>> NodeExpression::TextOf(const NodeInput& node,
                                                          std::uint64_t& cost) const {
  using Text = std::optional<std::string>;
  return Evaluate<Text>(*compiled_, node, cost, [](const cel::Value& given) -> Result<Text> {
    cel::Value value = given;
    while (value.is(ValueKind::Optional)) {
      if (value.optional() == nullptr) return Text();
      value = *value.optional();
    }
    if (value.is(ValueKind::Null)) return Text();
    if (value.is(ValueKind::Int)) return Text(std::to_string(value.as_int()));
    if (value.is(ValueKind::Uint)) return Text(std::to_string(value.as_uint()));
    if (value.is(ValueKind::String)) return Text(std::string(value.text()));
    if (value.is(ValueKind::Double)) {
      if (Text text = DecimalOf(value.as_double())) return text;
    }
    return Fail(Reason::Invalid, "expected int, string or none, got " + cel::Render(value));
  });
}

}  // namespace plimsoll::api
