// Parser of operands: names, calls, and literals of all kinds.

#include "cel/syntax/descent.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cel/syntax/literal.h"

namespace plimsoll::cel {
namespace {

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

}  // namespace

bool Parser::BeginsOperand(TokenKind kind) {
  switch (kind) {
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace:
    case TokenKind::LeftParen:
    case TokenKind::Dot:
    case TokenKind::Minus:
    case TokenKind::Not:
    case TokenKind::True:
    case TokenKind::False:
    case TokenKind::Null:
    case TokenKind::Double:
    case TokenKind::Int:
    case TokenKind::Uint:
    case TokenKind::String:
    case TokenKind::Bytes:
    case TokenKind::Identifier:
      return true;
    default:
      return false;
  }
}

bool Parser::EndsOperand(std::size_t place) const {
  if (place == 0) return false;
  switch (tokens_[place - 1].kind) {
    case TokenKind::RightBracket:
    case TokenKind::RightBrace:
    case TokenKind::RightParen:
    case TokenKind::EscapedIdentifier:
      return true;
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace:
    case TokenKind::LeftParen:
    case TokenKind::Dot:
    case TokenKind::Minus:
    case TokenKind::Not:
      return false;
    default:
      return BeginsOperand(tokens_[place - 1].kind);
  }
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

/// Returns true if `.a.b.c{` follows.
bool Parser::IsMessageAhead() const {
  std::size_t ahead = Peek() == TokenKind::Dot ? 1 : 0;
  while (Peek(ahead) == TokenKind::Identifier && Peek(ahead + 1) == TokenKind::Dot) ahead += 2;
  return Peek(ahead) == TokenKind::Identifier && Peek(ahead + 1) == TokenKind::LeftBrace;
}

Parsed Parser::ParseName() {
  const std::uint32_t start = Current().offset;
  const bool is_absolute = ConsumeIf(TokenKind::Dot);
  const Token& word = Consume();
  std::string_view name = word.text;
  if (IsReserved(name)) return ParseReserved(start, name);
  if (is_absolute) name = builder_.ast().arena.Copy("." + std::string(name));
  if (Peek() != TokenKind::LeftParen) {
    builder_.At(word.offset);
    return {builder_.Ident(name), 0};
  }
  const Token open = Consume();
  return FinishCall(open, name, kNoNode, ParseArguments());
}

/// Parses a reserved word, which is never valid as a name. For a call with such a name, only syntax
/// errors in the arguments are reported.
Parsed Parser::ParseReserved(std::uint32_t start, std::string_view word) {
  builder_.At(start);
  const NodeId place = builder_.Ident(word);
  const NodeId fault = builder_.Fault(place, "reserved identifier: " + std::string(word));
  const std::size_t reported = issues_.count();
  if (ConsumeIf(TokenKind::LeftParen)) ParseArguments();
  if (!failed_) issues_.Truncate(reported);
  return {fault, 0};
}

Parser::Arguments Parser::ParseArguments() {
  Arguments arguments;
  if (ConsumeIf(TokenKind::RightParen)) return arguments;
  do {
    const Parsed one = ParseExpr();
    arguments.nodes.push_back(one.node);
    arguments.height = std::max(arguments.height, one.height);
  } while (!failed_ && ConsumeIf(TokenKind::Comma));
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
  const std::uint32_t offset = Consume().offset;
  std::vector<NodeId> elements;
  int height = 0;
  while (!failed_ && Peek() != TokenKind::RightBracket && Peek() != TokenKind::Comma) {
    const bool is_optional = ConsumeIf(TokenKind::Question);
    const Parsed one = ParseExpr();
    builder_.node(one.node).is_optional |= is_optional;
    elements.push_back(one.node);
    height = std::max(height, one.height);
    if (failed_ || Peek() != TokenKind::Comma || Peek(1) == TokenKind::RightBracket) break;
    ++at_;
    if (Peek() == TokenKind::Comma) Unexpected();
  }
  ConsumeIf(TokenKind::Comma);
  Expect(TokenKind::RightBracket);
  builder_.At(offset);
  return {builder_.List(elements), height};
}

Parsed Parser::ParseMap() {
  const std::uint32_t offset = Consume().offset;
  std::vector<Entry> entries;
  int height = 0;
  while (!failed_ && Peek() != TokenKind::RightBrace && Peek() != TokenKind::Comma) {
    const bool is_optional = ConsumeIf(TokenKind::Question);
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
  ConsumeIf(TokenKind::Comma);
  Expect(TokenKind::RightBrace);
  builder_.At(offset);
  return {builder_.Map(entries), height};
}

Parsed Parser::ParseMessage() {
  std::string name;
  while (Peek() != TokenKind::LeftBrace) name += Consume().text;
  const std::uint32_t offset = Consume().offset;
  std::vector<Entry> fields;
  int height = 0;
  while (!failed_ && Peek() != TokenKind::RightBrace && Peek() != TokenKind::Comma) {
    const bool is_optional = ConsumeIf(TokenKind::Question);
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
  ConsumeIf(TokenKind::Comma);
  Expect(TokenKind::RightBrace);
  builder_.At(offset);
  return {builder_.Struct(builder_.ast().arena.Copy(name), fields), height};
}

Parsed Parser::ParseLiteral() {
  const std::uint32_t offset = Current().offset;
  const bool is_negative = ConsumeIf(TokenKind::Minus);
  const TokenKind kind = Peek();
  std::optional<Value> value;
  const char* fault = nullptr;
  if (kind == TokenKind::Int) {
    value = ParseIntLiteral(Consume().text, is_negative);
    fault = "invalid int literal";
  } else if (kind == TokenKind::Double) {
    value = ParseDoubleLiteral(Consume().text, is_negative);
    fault = "invalid double literal";
  } else if (is_negative) {
    return Fault();
  } else if (kind == TokenKind::Uint) {
    value = ParseUintLiteral(Consume().text);
    fault = "invalid uint literal";
  } else if (kind == TokenKind::String || kind == TokenKind::Bytes) {
    return ParseText();
  } else if (kind == TokenKind::True || kind == TokenKind::False) {
    value = Value::Bool(Consume().kind == TokenKind::True);
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
  const Token& token = Consume();
  const bool is_bytes = token.kind == TokenKind::Bytes;
  const auto text = Unquote(token.text, is_bytes);
  if (!text) issues_.Report(token.offset, text.error());
  const std::string_view kept = builder_.ast().arena.Copy(text.value_or(std::string()));
  builder_.At(token.offset);
  return {builder_.Literal(is_bytes ? Value::Bytes(kept) : Value::String(kept)), 0};
}

}  // namespace plimsoll::cel
