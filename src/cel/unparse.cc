#include "cel/unparse.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "cel/render.h"

namespace plimsoll::cel {
namespace {

/// Precedence, from loosest to tightest. An operand looser than required gets parentheses.
enum Tightness : int {
  kTernary,
  kOr,
  kAnd,
  kRelation,
  kSum,
  kProduct,
  kUnary,
  kPrimary,
};

struct Binary {
  std::string_view name;
  std::string_view sign;
  Tightness tightness;
};

constexpr auto kBinaries = std::to_array<Binary>({
    {"_||_", "||", kOr},
    {"_&&_", "&&", kAnd},
    {"_==_", "==", kRelation},
    {"_!=_", "!=", kRelation},
    {"_<_", "<", kRelation},
    {"_<=_", "<=", kRelation},
    {"_>_", ">", kRelation},
    {"_>=_", ">=", kRelation},
    {"@in", "in", kRelation},
    {"_+_", "+", kSum},
    {"_-_", "-", kSum},
    {"_*_", "*", kProduct},
    {"_/_", "/", kProduct},
    {"_%_", "%", kProduct},
});

const Binary* FindBinary(std::string_view name) {
  for (const Binary& binary : kBinaries) {
    if (binary.name == name) return &binary;
  }
  return nullptr;
}

class Unparser {
 public:
  explicit Unparser(const Ast& ast) : ast_(ast) {}

  std::string Text(NodeId id, Tightness wanted) const {
    const Node& node = ast_.node(id);
    const Tightness tightness = TightnessOf(node);
    const std::string text = Bare(node);
    return tightness < wanted ? "(" + text + ")" : text;
  }

 private:
  Tightness TightnessOf(const Node& node) const {
    if (node.kind == NodeKind::Literal) {
      const Value& literal = ast_.literal(node);
      const bool is_negative = (literal.is(ValueKind::Int) && literal.as_int() < 0) ||
                               (literal.is(ValueKind::Double) && literal.as_double() < 0);
      return is_negative ? kUnary : kPrimary;
    }
    if (node.kind != NodeKind::Call) return kPrimary;
    if (node.name == "_?_:_") return kTernary;
    if (node.name == "!_" || node.name == "-_") return kUnary;
    const Binary* binary = FindBinary(node.name);
    return binary != nullptr ? binary->tightness : kPrimary;
  }

  std::string Bare(const Node& node) const {
    switch (node.kind) {
      case NodeKind::Literal:
        return Render(ast_.literal(node));
      case NodeKind::Ident:
        return std::string(node.name);
      case NodeKind::Select: {
        const std::string text = Text(node.operand, kPrimary) + "." + std::string(node.name);
        return node.is_test ? "has(" + text + ")" : text;
      }
      case NodeKind::Call:
        return CallText(node);
      case NodeKind::List:
        return "[" + Joined(ast_.arguments(node)) + "]";
      case NodeKind::Map:
      case NodeKind::Struct:
        return std::string(node.name) + "{" + Entries(node) + "}";
      case NodeKind::Comprehension:
        return Macro(ast_.comprehension(node));
      case NodeKind::Fault:
        return "…";
    }
    return {};
  }

  std::string Joined(std::span<const NodeId> nodes) const {
    std::string out;
    for (const NodeId id : nodes) {
      if (!out.empty()) out += ", ";
      if (ast_.node(id).is_optional) out += "?";
      out += Text(id, kTernary);
    }
    return out;
  }

  std::string Entries(const Node& node) const {
    std::string out;
    for (const Entry& entry : ast_.entries_of(node)) {
      if (!out.empty()) out += ", ";
      if (ast_.node(entry.value).is_optional) out += "?";
      out += entry.key == kNoNode ? std::string(entry.field) : Text(entry.key, kTernary);
      out += ": " + Text(entry.value, kTernary);
    }
    return out;
  }

  std::string CallText(const Node& node) const {
    const auto arguments = ast_.arguments(node);
    if (const auto text = OperatorText(node, arguments)) return *text;
    const std::string call = std::string(node.name) + "(" + Joined(arguments) + ")";
    return node.operand == kNoNode ? call : Text(node.operand, kPrimary) + "." + call;
  }

  std::optional<std::string> OperatorText(const Node& node,
                                          std::span<const NodeId> arguments) const {
    if (const Binary* binary = FindBinary(node.name)) {
      // Operators are left-associative, so only the right operand must bind tighter.
      const auto right = static_cast<Tightness>(binary->tightness + 1);
      return Text(arguments[0], binary->tightness) + " " + std::string(binary->sign) + " " +
             Text(arguments[1], right);
    }
    if (node.name == "_?_:_") {
      return Text(arguments[0], kOr) + " ? " + Text(arguments[1], kOr) + " : " +
             Text(arguments[2], kTernary);
    }
    if (node.name == "!_") return "!" + Text(arguments[0], kUnary);
    if (node.name == "-_") return "-" + Text(arguments[0], kPrimary);
    if (node.name == "_[_]") {
      return Text(arguments[0], kPrimary) + "[" + Text(arguments[1], kTernary) + "]";
    }
    if (node.name == "_[?_]") {
      return Text(arguments[0], kPrimary) + "[?" + Text(arguments[1], kTernary) + "]";
    }
    if (node.name == "_?._") {
      return Text(arguments[0], kPrimary) + ".?" +
             std::string(ast_.literal(ast_.node(arguments[1])).text());
    }
    return std::nullopt;
  }

  /// For all and exists, the predicate is the operand joined with the accumulator. For other
  /// macros the body is abbreviated.
  std::string Macro(const Comprehension& fold) const {
    std::string variables(fold.iter);
    if (!fold.iter2.empty()) variables += ", " + std::string(fold.iter2);
    const std::string range = Text(fold.range, kPrimary);
    const Node& step = ast_.node(fold.step);
    const bool is_all = step.kind == NodeKind::Call && step.name == "_&&_";
    const bool is_exists = step.kind == NodeKind::Call && step.name == "_||_";
    if (!is_all && !is_exists) return range + ".map(" + variables + ", …)";
    return range + (is_all ? ".all(" : ".exists(") + variables + ", " +
           Text(ast_.arguments(step)[1], kTernary) + ")";
  }

  const Ast& ast_;
};

}  // namespace

std::string Unparse(const Ast& ast, NodeId node) { return Unparser(ast).Text(node, kTernary); }

}  // namespace plimsoll::cel
