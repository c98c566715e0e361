#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll::cel {

class IssueList;

enum class TokenKind : std::uint8_t {
  End,
  Identifier,
  EscapedIdentifier,  // `a-b`, including the back quotes
  Int,
  Uint,
  Double,
  String,
  Bytes,
  True,
  False,
  Null,
  In,
  EqualEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  AndAnd,
  OrOr,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  LeftParen,
  RightParen,
  Dot,
  Comma,
  Minus,
  Not,
  Question,
  Colon,
  Plus,
  Star,
  Slash,
  Percent,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t offset = 0;  // in code points
  std::string_view text;
};

/// Splits valid UTF-8 into tokens, ending with End. Skips blanks and comments.
/// Reports and skips invalid tokens.
std::vector<Token> Tokenize(std::string_view source, IssueList& issues);

}  // namespace plimsoll::cel
