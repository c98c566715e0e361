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
// The first syntax error ends the parse: where upstream points at is the first token that nothing
// can begin with, and that is found without recovery. Calls that are already whole are still
// expanded, as their faults may stand before that token.

#include "cel/syntax/parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cel/builder.h"
#include "cel/environment.h"
#include "cel/syntax/issue_list.h"
#include "cel/syntax/lexer.h"
#include "cel/syntax/literal.h"
#include "cel/syntax/text.h"

namespace plimsoll::cel {
namespace {

constexpr std::size_t kRecoveryTokensMax = 256;

constexpr std::array<std::string_view, 21> kReserved{
    "as",        "break", "const",  "continue", "else", "false", "for",
    "function",  "if",    "import", "in",       "let",  "loop",  "package",
    "namespace", "null",  "return", "true",     "var",  "void",  "while"};

bool IsReserved(std::string_view word) {
  for (const std::string_view one : kReserved) {
    if (one == word) return true;
  }
  return false;
}

/// A node, and how deep the syntax below it is nested as upstream counts it: selections, indices,
/// member calls, arithmetic, relations and conditionals.
struct Parsed {
  NodeId node = kNoNode;
  int height = 0;
};

class Parser {
 public:
  Parser(const Environment& environment, Ast& ast, IssueList& issues)
      : environment_(environment),
        issues_(issues),
        builder_(ast, issues),
        tokens_(Tokenize(*ast.source, issues)) {}

  NodeId Run() {
    const Parsed parsed = ParseExpr();
    if (!failed_ && Peek() != TokenKind::End) Unexpected();
    if (parsed.height > kNestingMax) issues_.Report(kNoOffset, "max recursion depth exceeded");
    return parsed.node;
  }

 private:
  TokenKind Peek(std::size_t ahead = 0) const {
    const std::size_t at = at_ + ahead;
    return at < tokens_.size() ? tokens_[at].kind : TokenKind::End;
  }
  const Token& Current() const { return tokens_[at_]; }
  const Token& Take() { return tokens_[at_++]; }
  bool TakeIf(TokenKind kind) {
    if (Peek() != kind) return false;
    ++at_;
    return true;
  }

  void Unexpected() {
    if (failed_) return;
    failed_ = true;
    const std::string_view text =
        Peek() == TokenKind::End ? std::string_view("<EOF>") : Current().text;
    issues_.Report(Current().offset, "Syntax error: unexpected '" + std::string(text) + "'");
  }
  /// False, and the fault is reported, when the token is another one.
  bool Expect(TokenKind kind) {
    if (failed_) return false;
    if (TakeIf(kind)) return true;
    Unexpected();
    return false;
  }
  Parsed Fault() {
    Unexpected();
    builder_.At(kMissingOffset);
    return {builder_.Ident("<fault>"), 0};
  }

  /// Counts a level of nesting of one kind. False: too deep, and reported.
  bool Enter(int& depth) {
    if (failed_) return false;
    if (++depth <= kNestingMax) return true;
    failed_ = true;
    issues_.Report(kNoOffset,
                   "expression recursion limit exceeded: " + std::to_string(kNestingMax));
    return false;
  }

  NodeId CallAt(std::uint32_t offset, std::string_view function,
                std::initializer_list<NodeId> arguments) {
    builder_.At(offset);
    return builder_.Call(function, std::span(arguments.begin(), arguments.size()));
  }

  Parsed ParseExpr();
  Parsed ParseConditional(Parsed condition);
  Parsed ParseOr();
  Parsed ParseAnd();
  Parsed ParseRelation(int strength);
  Parsed ParseCalc(int strength);
  Parsed ParseUnary();
  Parsed ParseMember();
  Parsed ParseSelection(Parsed operand);
  Parsed ParseIndex(Parsed operand);
  Parsed ParsePrimary();
  Parsed ParseName();
  Parsed ParseNested();
  Parsed ParseList();
  Parsed ParseMap();
  Parsed ParseMessage();
  Parsed ParseLiteral();
  Parsed ParseText();
  std::string_view ParseField();
  bool IsMessageAhead() const;

  struct Arguments {
    std::vector<NodeId> nodes;
    int height = 0;
  };
  Arguments ParseArguments();
  Parsed FinishCall(const Token& open, std::string_view function, NodeId target, Arguments args);
  NodeId Balance(std::string_view function, const std::vector<NodeId>& terms,
                 const std::vector<std::uint32_t>& offsets, std::size_t low, std::size_t high);
  template <class ParseTerm>
  Parsed ParseChain(TokenKind kind, std::string_view function, ParseTerm parse_term);

  const Environment& environment_;
  IssueList& issues_;
  AstBuilder builder_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool failed_ = false;
  int expr_depth_ = 0;
  int relation_depth_ = 0;
  int calc_depth_ = 0;
};

Parsed Parser::ParseExpr() {
  if (!Enter(expr_depth_)) return Fault();
  Parsed parsed = ParseOr();
  if (!failed_ && Peek() == TokenKind::Question) parsed = ParseConditional(parsed);
  --expr_depth_;
  return parsed;
}

Parsed Parser::ParseConditional(Parsed condition) {
  const std::uint32_t offset = Take().offset;
  const Parsed yes = ParseOr();
  if (!failed_ && Peek() != TokenKind::Colon) {
    // Upstream skips ahead to the end of the enclosing expression, and gives up when that is far.
    if (tokens_.size() - at_ > kRecoveryTokensMax + 1 && expr_depth_ == 1) {
      issues_.Report(kNoOffset, "error recovery token lookahead limit exceeded: " +
                                    std::to_string(kRecoveryTokensMax));
    }
    Unexpected();
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
    offsets.push_back(Take().offset);
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

// The counts of nesting follow upstream's parser generator: a chain of operators leaves its rule
// once per operator more often than it entered it, so that later operands may nest deeper.
Parsed Parser::ParseRelation(int strength) {
  if (!Enter(relation_depth_)) return Fault();
  Parsed left = ParseCalc(1);
  int operators = 0;
  while (!failed_ && strength <= 1) {
    const std::string_view function = RelationOf(Peek());
    if (function.empty()) break;
    const std::uint32_t offset = Take().offset;
    const Parsed right = ParseRelation(2);
    left = {CallAt(offset, function, {left.node, right.node}),
            1 + std::max(left.height, right.height)};
    ++operators;
  }
  relation_depth_ -= 1 + operators;
  return left;
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

Parsed Parser::ParseCalc(int strength) {
  if (!Enter(calc_depth_)) return Fault();
  Parsed left = ParseUnary();
  int operators = 0;
  while (!failed_) {
    const Arithmetic found = ArithmeticOf(Peek());
    if (found.strength < strength) break;
    const std::uint32_t offset = Take().offset;
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
  while (TakeIf(kind)) ++count;
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

/// A name after a dot, without its back quotes; empty, and reported, when there is none.
std::string_view Parser::ParseField() {
  if (Peek() == TokenKind::Identifier) return Take().text;
  if (Peek() == TokenKind::EscapedIdentifier) {
    const std::string_view text = Take().text;
    return text.substr(1, text.size() - 2);
  }
  Unexpected();
  return {};
}

Parsed Parser::ParseSelection(Parsed operand) {
  const std::uint32_t dot = Take().offset;
  if (Peek() == TokenKind::Identifier && Peek(1) == TokenKind::LeftParen) {
    const std::string_view function = Take().text;
    const Token open = Take();
    Arguments arguments = ParseArguments();
    arguments.height = std::max(arguments.height, operand.height) + 1;
    return FinishCall(open, function, operand.node, std::move(arguments));
  }
  const bool is_optional = TakeIf(TokenKind::Question);
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
  const std::uint32_t offset = Take().offset;
  const bool is_optional = TakeIf(TokenKind::Question);
  const Parsed index = ParseExpr();
  Expect(TokenKind::RightBracket);
  return {CallAt(offset, is_optional ? "_[?_]" : "_[_]", {operand.node, index.node}),
          1 + std::max(operand.height, index.height)};
}

Parsed Parser::ParsePrimary() {
  switch (Peek()) {
    case TokenKind::Dot:
      if (Peek(1) != TokenKind::Identifier) {
        ++at_;
        return Fault();
      }
      [[fallthrough]];
    case TokenKind::Identifier:
      return IsMessageAhead() ? ParseMessage() : ParseName();
    case TokenKind::LeftParen:
      return ParseNested();
    case TokenKind::LeftBracket:
      return ParseList();
    case TokenKind::LeftBrace:
      return ParseMap();
    default:
      return ParseLiteral();
  }
}

Parsed Parser::ParseNested() {
  ++at_;
  const Parsed inside = ParseExpr();
  Expect(TokenKind::RightParen);
  return inside;
}

/// Whether `.a.b.c{` stands here.
bool Parser::IsMessageAhead() const {
  std::size_t ahead = Peek() == TokenKind::Dot ? 1 : 0;
  while (Peek(ahead) == TokenKind::Identifier && Peek(ahead + 1) == TokenKind::Dot) ahead += 2;
  return Peek(ahead) == TokenKind::Identifier && Peek(ahead + 1) == TokenKind::LeftBrace;
}

Parsed Parser::ParseName() {
  const std::uint32_t start = Current().offset;
  const bool is_absolute = TakeIf(TokenKind::Dot);
  const Token& word = Take();
  std::string_view name = word.text;
  if (IsReserved(name)) issues_.Report(start, "reserved identifier: " + std::string(name));
  if (is_absolute) name = builder_.ast().arena.Copy("." + std::string(name));
  if (Peek() != TokenKind::LeftParen) {
    builder_.At(word.offset);
    return {builder_.Ident(name), 0};
  }
  const Token open = Take();
  return FinishCall(open, name, kNoNode, ParseArguments());
}

Parser::Arguments Parser::ParseArguments() {
  Arguments arguments;
  if (TakeIf(TokenKind::RightParen)) return arguments;
  do {
    const Parsed one = ParseExpr();
    arguments.nodes.push_back(one.node);
    arguments.height = std::max(arguments.height, one.height);
  } while (!failed_ && TakeIf(TokenKind::Comma));
  Expect(TokenKind::RightParen);
  return arguments;
}

Parsed Parser::FinishCall(const Token& open, std::string_view function, NodeId target,
                          Arguments args) {
  builder_.At(open.offset);
  const bool is_member = target != kNoNode;
  const NodeId call = builder_.Member(function, target, args.nodes);
  const Macro* const macro = environment_.FindMacro(function, args.nodes.size(), is_member);
  if (macro == nullptr) return {call, args.height};
  const NodeId expanded =
      macro->expand(builder_, {.call = call, .target = target, .arguments = args.nodes});
  return {expanded == kNoNode ? call : expanded, args.height};
}

Parsed Parser::ParseList() {
  const std::uint32_t offset = Take().offset;
  std::vector<NodeId> elements;
  int height = 0;
  while (!failed_ && Peek() != TokenKind::RightBracket && Peek() != TokenKind::Comma) {
    const bool is_optional = TakeIf(TokenKind::Question);
    const Parsed one = ParseExpr();
    builder_.node(one.node).is_optional |= is_optional;
    elements.push_back(one.node);
    height = std::max(height, one.height);
    if (failed_ || Peek() != TokenKind::Comma || Peek(1) == TokenKind::RightBracket) break;
    ++at_;
    if (Peek() == TokenKind::Comma) Unexpected();
  }
  TakeIf(TokenKind::Comma);
  Expect(TokenKind::RightBracket);
  builder_.At(offset);
  return {builder_.List(elements), height};
}

Parsed Parser::ParseMap() {
  const std::uint32_t offset = Take().offset;
  std::vector<Entry> entries;
  int height = 0;
  while (!failed_ && Peek() != TokenKind::RightBrace && Peek() != TokenKind::Comma) {
    const bool is_optional = TakeIf(TokenKind::Question);
    const Parsed key = ParseExpr();
    const std::uint32_t colon = Current().offset;
    if (!Expect(TokenKind::Colon)) break;
    const Parsed value = ParseExpr();
    builder_.node(value.node).is_optional |= is_optional;
    entries.push_back({.key = key.node, .value = value.node, .offset = colon});
    height = std::max({height, key.height, value.height});
    if (failed_ || Peek() != TokenKind::Comma || Peek(1) == TokenKind::RightBrace) break;
    ++at_;
    if (Peek() == TokenKind::Comma) Unexpected();
  }
  TakeIf(TokenKind::Comma);
  Expect(TokenKind::RightBrace);
  builder_.At(offset);
  return {builder_.Map(entries), height};
}

Parsed Parser::ParseMessage() {
  std::string name;
  while (Peek() != TokenKind::LeftBrace) name += Take().text;
  const std::uint32_t offset = Take().offset;
  std::vector<Entry> fields;
  int height = 0;
  while (!failed_ && Peek() != TokenKind::RightBrace && Peek() != TokenKind::Comma) {
    const bool is_optional = TakeIf(TokenKind::Question);
    const std::string_view field = ParseField();
    const std::uint32_t colon = Current().offset;
    if (!Expect(TokenKind::Colon)) break;
    const Parsed value = ParseExpr();
    builder_.node(value.node).is_optional |= is_optional;
    fields.push_back({.value = value.node, .field = field, .offset = colon});
    height = std::max(height, value.height);
    if (failed_ || Peek() != TokenKind::Comma || Peek(1) == TokenKind::RightBrace) break;
    ++at_;
    if (Peek() == TokenKind::Comma) Unexpected();
  }
  TakeIf(TokenKind::Comma);
  Expect(TokenKind::RightBrace);
  builder_.At(offset);
  return {builder_.Struct(builder_.ast().arena.Copy(name), fields), height};
}

Parsed Parser::ParseLiteral() {
  const std::uint32_t offset = Current().offset;
  const bool is_negative = TakeIf(TokenKind::Minus);
  const TokenKind kind = Peek();
  std::optional<Value> value;
  const char* fault = nullptr;
  if (kind == TokenKind::Int) {
    value = ParseIntLiteral(Take().text, is_negative);
    fault = "invalid int literal";
  } else if (kind == TokenKind::Double) {
    value = ParseDoubleLiteral(Take().text, is_negative);
    fault = "invalid double literal";
  } else if (is_negative) {
    return Fault();
  } else if (kind == TokenKind::Uint) {
    value = ParseUintLiteral(Take().text);
    fault = "invalid uint literal";
  } else if (kind == TokenKind::String || kind == TokenKind::Bytes) {
    return ParseText();
  } else if (kind == TokenKind::True || kind == TokenKind::False) {
    value = Value::Bool(Take().kind == TokenKind::True);
  } else if (kind == TokenKind::Null) {
    ++at_;
    value = Value::Null();
  } else {
    return Fault();
  }
  if (!value) issues_.Report(offset, fault);
  builder_.At(offset);
  return {builder_.Literal(value.value_or(Value())), 0};
}

Parsed Parser::ParseText() {
  const Token& token = Take();
  const bool is_bytes = token.kind == TokenKind::Bytes;
  const auto text = Unquote(token.text, is_bytes);
  if (!text) issues_.Report(token.offset, text.error());
  const std::string_view kept = builder_.ast().arena.Copy(text.value_or(std::string()));
  builder_.At(token.offset);
  return {builder_.Literal(is_bytes ? Value::Bytes(kept) : Value::String(kept)), 0};
}

}  // namespace

void Parse(const Environment& environment, Ast& ast, IssueList& issues) {
  const std::size_t size = CountPoints(*ast.source);
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
