// Checks `'…%d…'.format([a, b])` if the format is a constant and the arguments a literal list.
// Reports malformed clauses, arguments of the wrong type, and a wrong number of arguments.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/go_text.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "cel/check/validators.h"
#include "cel/validation.h"

namespace plimsoll::cel {
namespace {

struct Fault {
  NodeId at;
  std::string message;
};

bool IsOneOf(const Type* type, std::initializer_list<TypeKind> kinds) {
  return type->is(TypeKind::Dyn) || std::ranges::find(kinds, type->kind()) != kinds.end();
}

class FormatCheck {
 public:
  FormatCheck(const Ast& ast, NodeId call) : ast_(ast), call_(call) {
    const Node& node = ast.nodes[call];
    format_ = ast.literal(ast.nodes[node.operand]).text();
    arguments_ = ast.arguments(ast.nodes[ast.arguments(node)[0]]);
  }

  std::optional<Fault> Run() {
    while (at_ < format_.size()) {
      if (format_[at_] != '%') {
        ++at_;
      } else if (format_.substr(at_ + 1, 1) == "%") {
        at_ += 2;
      } else if (auto fault = CheckClause()) {
        return fault;
      }
    }
    if (arguments_.size() <= used_) return std::nullopt;
    return Fault{call_, "too many arguments supplied to string.format (expected " +
                            std::to_string(used_) + ", got " + std::to_string(arguments_.size()) +
                            ")"};
  }

 private:
  std::optional<Fault> CheckClause() {
    ++at_;
    if (at_ == format_.size()) return Fault{call_, "unexpected end of string"};
    if (used_ >= arguments_.size()) {
      return Fault{call_, "index " + std::to_string(used_) + " out of range"};
    }
    if (auto fault = SkipPrecision()) {
      return Fault{call_,
                   "could not parse formatting clause: error while parsing precision: " + *fault};
    }
    const char clause = format_[at_++];
    return CheckArgument(clause, arguments_[used_++]);
  }

  std::optional<std::string> SkipPrecision() {
    if (format_[at_] != '.') return std::nullopt;
    const std::size_t begin = ++at_;
    while (at_ < format_.size() && IsDigit(format_[at_])) ++at_;
    if (at_ == format_.size()) return "could not find end of precision specifier";
    const std::string digits(format_.substr(begin, at_ - begin));
    if (GoParseInt(digits)) return std::nullopt;
    return "error while converting precision to integer: strconv.Atoi: parsing \"" + digits +
           "\": " + (digits.empty() ? "invalid syntax" : "value out of range");
  }

  std::optional<Fault> CheckArgument(char clause, NodeId argument) {
    using enum TypeKind;
    switch (clause) {
      case 's':
        return CheckText(argument);
      case 'd':
        return Check(argument, {Int, Uint}, "decimal clause can only be used on integers");
      case 'f':  // a text may be NaN or Infinity
        return Check(argument, {Double, String}, "fixed-point clause can only be used on doubles");
      case 'e':
        return Check(argument, {Double, String}, "scientific clause can only be used on doubles");
      case 'b':
        return Check(argument, {Int, Uint, Bool},
                     "only integers and bools can be formatted as binary");
      case 'x':
      case 'X':
        return Check(argument, {String, Bytes, Int, Uint},
                     "only integers, byte buffers, and strings can be formatted as hex");
      case 'o':
        return Check(argument, {Int, Uint}, "octal clause can only be used on integers");
      default:
        break;
    }
    // Upstream interprets the byte as a code point.
    std::string letter;
    AppendUtf8(static_cast<unsigned char>(clause), letter);
    return Fault{call_, "could not parse formatting clause: unrecognized formatting clause \"" +
                            letter + "\""};
  }

  std::optional<Fault> Check(NodeId argument, std::initializer_list<TypeKind> kinds,
                             std::string_view rule) const {
    const Type* const type = ast_.types[argument];
    if (IsOneOf(type, kinds)) return std::nullopt;
    return Fault{argument, "error during formatting: " + std::string(rule) + ", was given " +
                               std::string(type->name())};
  }

  /// Also checks the elements of literal lists and maps.
  std::optional<Fault> CheckText(NodeId argument) const {
    using enum TypeKind;
    auto fault =
        Check(argument,
              {List, Map, Int, Uint, Double, Bool, String, Timestamp, Bytes, Duration, Type, Null},
              "string clause can only be used on strings, bools, bytes, ints, doubles, "
              "maps, lists, types, durations, and timestamps");
    if (fault) return fault;
    const NodeKind kind = ast_.nodes[argument].kind;
    if (kind != NodeKind::List && kind != NodeKind::Map) return std::nullopt;
    ForEachChild(ast_, argument, [&](NodeId child) {
      if (!fault) fault = CheckText(child);
    });
    return fault;
  }

  const Ast& ast_;
  NodeId call_;
  std::string_view format_;
  std::span<const NodeId> arguments_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
};

bool IsConstantFormat(const Ast& ast, const Node& node) {
  if (node.kind != NodeKind::Call || node.name != "format" || node.operand == kNoNode ||
      node.count != 1) {
    return false;
  }
  const Node& target = ast.nodes[node.operand];
  return target.kind == NodeKind::Literal && ast.literal(target).is(ValueKind::String) &&
         ast.nodes[ast.arguments(node)[0]].kind == NodeKind::List;
}

}  // namespace

void ValidateFormats(ValidationContext& context) {
  const Ast& ast = context.ast();
  for (const NodeId id : context.nodes()) {
    if (!IsConstantFormat(ast, ast.nodes[id])) continue;
    if (auto fault = FormatCheck(ast, id).Run()) context.Report(fault->at, fault->message);
  }
}

}  // namespace plimsoll::cel
