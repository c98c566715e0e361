#include "apiserver/authn/claim_expression.h"

#include <charconv>
#include <utility>

#include "cel/kubernetes.h"
#include "cel/library/make_value.h"
#include "cel/program.h"

namespace plimsoll::apiserver {
namespace {

/// Recursive: ParseSignedToken limits the depth of the tree.
cel::Value Convert(const codec::Value& tree, cel::Arena& arena) {
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
  if (tree.is_object()) {
    const auto members = tree.members();
    auto* const entries = arena.Allocate<cel::MapValue::Entry>(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      entries[i] = {cel::Value::String(members[i].key), Convert(members[i].value, arena)};
    }
    return cel::Value::Map(cel::MapValue::Make({entries, members.size()}, arena));
  }
  return cel::Value::Null();
}

cel::Value ListOf(const std::vector<std::string>& texts, cel::Arena& arena) {
  std::vector<cel::Value> items;
  for (const std::string& text : texts) items.push_back(cel::Value::String(text));
  return cel::MakeList(arena, items);
}

/// Evaluates the expression and passes its value to `read`. The value is valid only in that call.
template <class T, class Read>
Result<T> Evaluate(const cel::Compilation& compiled, const ExpressionInput& input, Read read) {
  thread_local cel::Evaluation evaluation;
  const cel::Outcome outcome = evaluation.Evaluate(*compiled.program, {&input.value(), 1});
  if (outcome.value.is_error()) return Fail(Reason::Invalid, outcome.value.error().Text());
  return read(outcome.value);
}

Result<std::vector<std::string>> ReadStrings(const cel::Value& value) {
  std::vector<std::string> texts;
  const auto take = [&](const cel::Value& one) {
    if (!one.is(cel::ValueKind::String)) return false;
    if (!one.text().empty()) texts.emplace_back(one.text());
    return true;
  };
  bool is_good = value.is(cel::ValueKind::Null) || take(value);
  if (value.is(cel::ValueKind::List)) {
    is_good = true;
    for (const cel::Value& item : value.elements()) is_good = is_good && take(item);
  }
  if (is_good) return texts;
  return Fail(Reason::Invalid, "expression must return a string or a list of strings");
}

}  // namespace

ExpressionInput ExpressionInput::OfClaims(const codec::Value& claims) {
  ExpressionInput input;
  input.value_ = Convert(claims, *input.arena_);
  return input;
}

ExpressionInput ExpressionInput::OfUser(const User& user) {
  ExpressionInput input;
  cel::Arena& arena = *input.arena_;
  auto* const entries = arena.Allocate<cel::MapValue::Entry>(user.extra.size());
  std::size_t count = 0;
  for (const auto& [key, values] : user.extra) {
    entries[count++] = {cel::Value::String(key), ListOf(values, arena)};
  }
  auto* const fields = arena.Allocate<cel::Value>(cel::kUserInfoType.fields.size());
  fields[0] = cel::Value::Map(cel::MapValue::Make({entries, count}, arena));
  fields[1] = ListOf(user.groups, arena);
  fields[2] = cel::Value::String(user.uid);
  fields[3] = cel::Value::String(user.name);
  input.value_ = cel::Value::Object(arena.Own<cel::ObjectValue>(&cel::kUserInfoType, fields));
  return input;
}

std::expected<ClaimExpression, std::string> ClaimExpression::Compile(std::string_view text,
                                                                     Over over, Gives gives) {
  auto compiled = std::make_shared<const cel::Compilation>(cel::CompileProgram(
      text, over == Over::Claims ? cel::ClaimsEnvironment() : cel::UserInfoEnvironment()));
  if (compiled->stage == cel::Compilation::Stage::Compile) {
    return std::unexpected("compilation failed: " + compiled->error);
  }
  if (gives == Gives::Bool && compiled->type != cel::types::kBool) {
    return std::unexpected("must evaluate to bool");
  }
  if (compiled->stage != cel::Compilation::Stage::Done) {
    return std::unexpected("program instantiation failed: " + compiled->error);
  }
  return ClaimExpression(text, std::move(compiled));
}

Result<bool> ClaimExpression::EvaluateBool(const ExpressionInput& input) const {
  return Evaluate<bool>(*compiled_, input, [](const cel::Value& value) -> Result<bool> {
    if (value.is(cel::ValueKind::Bool)) return value.as_bool();
    return Fail(Reason::Invalid, "validation expression must return a boolean");
  });
}

Result<std::string> ClaimExpression::EvaluateString(const ExpressionInput& input) const {
  return Evaluate<std::string>(*compiled_, input,
                               [](const cel::Value& value) -> Result<std::string> {
                                 if (value.is(cel::ValueKind::String)) {
                                   return std::string(value.text());
                                 }
                                 return Fail(Reason::Invalid, "must return a string");
                               });
}

Result<std::vector<std::string>> ClaimExpression::EvaluateStrings(
    const ExpressionInput& input) const {
  return Evaluate<std::vector<std::string>>(*compiled_, input, ReadStrings);
}

bool ClaimExpression::UsesClaim(std::string_view name) const {
  const cel::Ast& ast = *compiled_->ast;
  const auto is_claims = [&](cel::NodeId id) {
    return ast.node(id).kind == cel::NodeKind::Ident && ast.node(id).name == "claims";
  };
  for (const cel::Node& node : ast.nodes) {
    if (node.kind == cel::NodeKind::Select && node.name == name && is_claims(node.operand)) {
      return true;
    }
    if (node.kind != cel::NodeKind::Call || node.name != "_?._" || node.count != 2) continue;
    const auto arguments = ast.arguments(node);
    const cel::Node& field = ast.node(arguments[1]);
    if (is_claims(arguments[0]) && field.kind == cel::NodeKind::Literal &&
        ast.literal(field).is(cel::ValueKind::String) && ast.literal(field).text() == name) {
      return true;
    }
  }
  return false;
}

}  // namespace plimsoll::apiserver
