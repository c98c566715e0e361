#include "cel/check/validators.h"

#include <algorithm>
#include <string>

#include "cel/environment.h"
#include "cel/library/regex_engine.h"
#include "cel/program.h"
#include "cel/syntax/issue_list.h"
#include "cel/validation.h"

namespace plimsoll::cel {
namespace {

void Mismatch(ValidationContext& context, NodeId at, const Type* want, const Type* got) {
  context.Report(at,
                 "expected type '" + MessageText(want) + "' but found '" + MessageText(got) + "'");
}

/// Checks that list elements, map keys and map values each have one type, except inside
/// calls that accept mixed types.
class LiteralTypes {
 public:
  explicit LiteralTypes(ValidationContext& context) : context_(context), ast_(context.ast()) {}

  void Run() {
    is_exempt_.assign(ast_.nodes.size(), false);
    for (const NodeId id : context_.nodes()) {
      MarkChildren(id);
      if (is_exempt_[id]) continue;
      if (ast_.nodes[id].kind == NodeKind::List) CheckList(id);
      if (ast_.nodes[id].kind == NodeKind::Map) CheckMap(id);
    }
  }

 private:
  bool TakesMixed(const Node& node) const {
    if (node.kind != NodeKind::Call) return false;
    for (const Library* library : context_.environment().options().libraries) {
      if (std::ranges::find(library->mixed_literal_functions, node.name) !=
          library->mixed_literal_functions.end()) {
        return true;
      }
    }
    return false;
  }

  void MarkChildren(NodeId id) {
    if (!is_exempt_[id] && !TakesMixed(ast_.nodes[id])) return;
    ForEachChild(ast_, id, [this](NodeId child) { is_exempt_[child] = true; });
  }

  const Type* TypeOf(NodeId node) {
    const Type* const type = ast_.types[node];
    if (!ast_.nodes[node].is_optional) return type;
    if (!type->parameters().empty()) return type->parameter(0);
    context_.Report(node, "expected type 'optional_type(" + MessageText(type) + ")' but found '" +
                              MessageText(type) + "'");
    return type;
  }

  void CheckList(NodeId id) {
    const Type* want = nullptr;
    for (const NodeId element : ast_.arguments(ast_.nodes[id])) {
      const Type* const got = TypeOf(element);
      if (want == nullptr) want = got;
      if (want != got) return Mismatch(context_, element, want, got);
    }
  }

  void CheckMap(NodeId id) {
    const Type* want_key = nullptr;
    const Type* want_value = nullptr;
    for (const Entry& entry : ast_.entries_of(ast_.nodes[id])) {
      const Type* const key = ast_.types[entry.key];
      const Type* const value = TypeOf(entry.value);
      if (want_key == nullptr) {
        want_key = key;
        want_value = value;
      }
      if (want_key != key) Mismatch(context_, entry.key, want_key, key);
      if (want_value != value) Mismatch(context_, entry.value, want_value, value);
    }
  }

  ValidationContext& context_;
  const Ast& ast_;
  std::vector<bool> is_exempt_;
};

/// Returns the literal that is the first argument of a call, or nullptr.
const Value* FirstLiteral(const Ast& ast, const Node& call) {
  if (call.count == 0) return nullptr;
  const Node& argument = ast.nodes[ast.arguments(call)[0]];
  return argument.kind == NodeKind::Literal ? &ast.literal(argument) : nullptr;
}

/// Returns true if the call with this constant argument always fails.
bool Fails(const Ast& ast, NodeId call, const Value& argument) {
  // The checker accepts null as a duration or timestamp, but no overload does at run time.
  if (argument.is(ValueKind::Null)) return true;
  for (const Overload* overload : ast.overloads_of(call)) {
    const Implementation implementation = overload->function->implementation;
    if (implementation == nullptr) continue;
    Evaluation evaluation;
    if (implementation(evaluation, &argument).is_error()) return true;
  }
  return false;
}

/// Checks constant durations, timestamps and patterns. Like upstream, checks the first argument of
/// `matches` even if it is called without a target; it is then the subject, not the pattern.
void ValidateLiterals(ValidationContext& context) {
  const Ast& ast = context.ast();
  for (const NodeId id : context.nodes()) {
    const Node& node = ast.nodes[id];
    if (node.kind != NodeKind::Call) continue;
    const bool is_pattern = node.name == "matches";
    if (!is_pattern && node.name != "duration" && node.name != "timestamp") continue;
    const Value* const literal = FirstLiteral(ast, node);
    if (literal == nullptr) continue;
    const bool is_wrong = is_pattern ? literal->is(ValueKind::String) && !IsRegex(literal->text())
                                     : Fails(ast, id, *literal);
    if (!is_wrong) continue;
    context.Report(ast.arguments(node)[0], "invalid " + std::string(node.name) + " argument");
  }
}

}  // namespace

std::span<const NodeId> ValidationContext::nodes() {
  if (!nodes_.empty()) return nodes_;
  std::vector<NodeId> pending{ast_.root};
  std::vector<NodeId> children;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    nodes_.push_back(id);
    children.clear();
    ForEachChild(ast_, id, [&](NodeId child) { children.push_back(child); });
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return nodes_;
}

void ValidationContext::Report(NodeId at, std::string message) {
  issues_.Report(ast_.nodes[at].offset, std::move(message));
}

void RunValidators(const Environment& environment, const Ast& ast, IssueList& issues) {
  ValidationContext context(ast, environment, issues);
  const EnvironmentOptions& options = environment.options();
  if (options.literal_validators) ValidateLiterals(context);
  if (options.homogeneous_literals) LiteralTypes(context).Run();
  for (const Validate validate : environment.validators()) validate(context);
}

}  // namespace plimsoll::cel
