// Recursive descent over the grammar of the language:
//
//   expr        = or ["?" or ":" expr]
//   or          = and {"||" and}
//   and         = relation {"&&" relation}
//   relation    = calc {("<" | "<=" | ">" | ">=" | "==" | "!=" | "in") calc}
//   calc        = unary {("*" | "/" | "%" | "+" | "-") unary}, the first three binding closer
//   unary       = {"!"} member | {"-"} member
//   member      = primary {"." ["?"] field | "." name "(" [exprs] ")" | "[" ["?"] expr "]"}
//   primary     = ["."] name ["(" [exprs] ")"] | "(" expr ")" | literal | list | map | message
//
// The first syntax error ends the parse. Upstream reports the first unexpected token, which can be
// found without error recovery. The exception is a superfluous token where an operand begins: it is
// reported and skipped. Macros of complete calls are still expanded, because their errors may
// precede that token.

#include "cel/syntax/parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "cel/limits.h"
#include "cel/syntax/descent.h"

namespace plimsoll::cel {
namespace {

std::string_view RelationOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::Less:
      return "_<_";
    case TokenKind::LessEqual:
      return "_<=_";
    case TokenKind::Greater:
      return "_>_";
    case TokenKind::GreaterEqual:
      return "_>=_";
    case TokenKind::EqualEqual:
      return "_==_";
    case TokenKind::NotEqual:
      return "_!=_";
    case TokenKind::In:
      return "@in";
    default:
      return {};
  }
}

struct Arithmetic {
  std::string_view function;
  int strength = 0;
};

Arithmetic ArithmeticOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::Star:
      return {"_*_", 2};
    case TokenKind::Slash:
      return {"_/_", 2};
    case TokenKind::Percent:
      return {"_%_", 2};
    case TokenKind::Plus:
      return {"_+_", 1};
    case TokenKind::Minus:
      return {"_-_", 1};
    default:
      return {};
  }
}

}  // namespace

Parsed Parser::ParseExpr() {
  if (!Enter(expr_depth_)) return Fault();
  Parsed parsed = ParseOr();
  if (!failed_ && Peek() == TokenKind::Question) parsed = ParseConditional(parsed);
  --expr_depth_;
  return parsed;
}

Parsed Parser::ParseConditional(Parsed condition) {
  const std::uint32_t offset = Consume().offset;
  const Parsed yes = ParseOr();
  if (!failed_ && Peek() != TokenKind::Colon) {
    // Upstream skips to the end of the enclosing expression, and gives up if that is too far.
    if (tokens_.size() - at_ > kRecoveryTokensMax + 1 && expr_depth_ == 1) {
      issues_.Report(kNoOffset, "error recovery token lookahead limit exceeded: " +
                                    std::to_string(kRecoveryTokensMax));
    }
    Unexpected("':'");
  }
  if (failed_) return condition;
  ++at_;
  const Parsed no = ParseExpr();
  return {CallAt(offset, "_?_:_", {condition.node, yes.node, no.node}),
          1 + std::max({condition.height, yes.height, no.height})};
}

NodeId Parser::Balance(std::string_view function, const std::vector<NodeId>& terms,
                       const std::vector<std::uint32_t>& offsets, std::size_t low,
                       std::size_t high) {
  const std::size_t middle = (low + high + 1) / 2;
  const NodeId left =
      middle == low ? terms[middle] : Balance(function, terms, offsets, low, middle - 1);
  const NodeId right =
      middle == high ? terms[middle + 1] : Balance(function, terms, offsets, middle + 1, high);
  return CallAt(offsets[middle], function, {left, right});
}

template <class ParseTerm>
Parsed Parser::ParseChain(TokenKind kind, std::string_view function, ParseTerm parse_term) {
  Parsed first = parse_term();
  if (failed_ || Peek() != kind) return first;
  std::vector<NodeId> terms{first.node};
  std::vector<std::uint32_t> offsets;
  int height = first.height;
  while (!failed_ && Peek() == kind) {
    offsets.push_back(Consume().offset);
    const Parsed next = parse_term();
    terms.push_back(next.node);
    height = std::max(height, next.height);
  }
  return {Balance(function, terms, offsets, 0, offsets.size() - 1), height};
}

Parsed Parser::ParseOr() {
  return ParseChain(TokenKind::OrOr, "_||_", [this] { return ParseAnd(); });
}

Parsed Parser::ParseAnd() {
  return ParseChain(TokenKind::AndAnd, "_&&_", [this] { return ParseRelation(1); });
}

// Nesting depths follow upstream's parser generator: a chain of operators leaves its rule more
// often than it entered it, once per operator. So later operands may nest deeper.
Parsed Parser::ParseRelation(int strength) {
  if (!Enter(relation_depth_)) return Fault();
  Parsed left = ParseCalc(1);
  int operators = 0;
  while (!failed_ && strength <= 1) {
    const std::string_view function = RelationOf(Peek());
    if (function.empty()) break;
    const std::uint32_t offset = Consume().offset;
    const Parsed right = ParseRelation(2);
    left = {CallAt(offset, function, {left.node, right.node}),
            1 + std::max(left.height, right.height)};
    ++operators;
  }
  relation_depth_ -= 1 + operators;
  return left;
}

Parsed Parser::ParseCalc(int strength) {
  if (!Enter(calc_depth_)) return Fault();
  Parsed left = ParseUnary();
  int operators = 0;
  while (!failed_) {
    const Arithmetic found = ArithmeticOf(Peek());
    if (found.strength < strength) break;
    const std::uint32_t offset = Consume().offset;
    const Parsed right = ParseCalc(found.strength + 1);
    left = {CallAt(offset, found.function, {left.node, right.node}),
            1 + std::max(left.height, right.height)};
    ++operators;
  }
  calc_depth_ -= 1 + operators;
  return left;
}

Parsed Parser::ParseUnary() {
  const TokenKind kind = Peek();
  const bool is_number =
      kind == TokenKind::Minus && (Peek(1) == TokenKind::Int || Peek(1) == TokenKind::Double);
  if ((kind != TokenKind::Not && kind != TokenKind::Minus) || is_number) return ParseMember();
  const std::uint32_t offset = Current().offset;
  std::size_t count = 0;
  while (ConsumeIf(kind)) ++count;
  const Parsed operand = ParseMember();
  if (count % 2 == 0) return operand;
  return {CallAt(offset, kind == TokenKind::Not ? "!_" : "-_", {operand.node}), operand.height};
}

Parsed Parser::ParseMember() {
  Parsed parsed = ParsePrimary();
  while (!failed_) {
    if (Peek() == TokenKind::Dot) {
      parsed = ParseSelection(parsed);
    } else if (Peek() == TokenKind::LeftBracket) {
      parsed = ParseIndex(parsed);
    } else {
      break;
    }
  }
  return parsed;
}

/// Parses a name after a dot and removes its back quotes. Reports a missing name and returns empty.
std::string_view Parser::ParseField() {
  if (Peek() == TokenKind::Identifier) return Consume().text;
  if (Peek() == TokenKind::EscapedIdentifier) {
    const std::string_view text = Consume().text;
    return text.substr(1, text.size() - 2);
  }
  Unexpected();
  return {};
}

Parsed Parser::ParseSelection(Parsed operand) {
  const std::uint32_t dot = Consume().offset;
  if (Peek() == TokenKind::Identifier && Peek(1) == TokenKind::LeftParen) {
    const std::string_view function = Consume().text;
    const Token open = Consume();
    Arguments arguments = ParseArguments();
    arguments.height = std::max(arguments.height, operand.height) + 1;
    return FinishCall(open, function, operand.node, std::move(arguments));
  }
  const bool is_optional = ConsumeIf(TokenKind::Question);
  const std::uint32_t place = Current().offset;
  const std::string_view field = ParseField();
  if (failed_) return operand;
  if (!is_optional) {
    builder_.At(dot);
    return {builder_.Select(operand.node, field), operand.height + 1};
  }
  builder_.At(place);
  const NodeId name = builder_.Literal(Value::String(field));
  return {CallAt(dot, "_?._", {operand.node, name}), operand.height + 1};
}

Parsed Parser::ParseIndex(Parsed operand) {
  const std::uint32_t offset = Consume().offset;
  const bool is_optional = ConsumeIf(TokenKind::Question);
  const Parsed index = ParseExpr();
  Expect(TokenKind::RightBracket);
  return {CallAt(offset, is_optional ? "_[?_]" : "_[_]", {operand.node, index.node}),
          1 + std::max(operand.height, index.height)};
}

void Parse(const Environment& environment, Ast& ast, IssueList& issues) {
  const std::size_t size = CountRunes(*ast.source);
  if (size > kSourceCodePointsMax) {
    issues.Report(kNoOffset,
                  "expression code point size exceeds limit: size: " + std::to_string(size) +
                      ", limit " + std::to_string(kSourceCodePointsMax));
    return;
  }
  ast.nodes.reserve(ast.source->size() / 3 + 8);
  ast.root = Parser(environment, ast, issues).Run();
}

}  // namespace plimsoll::cel
