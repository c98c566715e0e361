#include "cel/syntax/lexer.h"

#include <array>
#include <cstddef>
#include <string>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "cel/syntax/issue_list.h"

namespace plimsoll::cel {
namespace {

constexpr bool IsWordStart(char letter) { return IsLetter(letter) || letter == '_'; }
constexpr bool IsWordLetter(char letter) { return IsWordStart(letter) || IsDigit(letter); }
constexpr bool IsEscapedLetter(char letter) {
  return IsWordLetter(letter) || letter == '.' || letter == '-' || letter == '/' || letter == ' ';
}

struct Operator {
  std::string_view text;
  TokenKind kind;
};

// Longer operators first.
constexpr std::array kOperators{
    Operator{"==", TokenKind::EqualEqual}, Operator{"!=", TokenKind::NotEqual},
    Operator{"<=", TokenKind::LessEqual},  Operator{">=", TokenKind::GreaterEqual},
    Operator{"&&", TokenKind::AndAnd},     Operator{"||", TokenKind::OrOr},
    Operator{".", TokenKind::Dot},         Operator{"(", TokenKind::LeftParen},
    Operator{")", TokenKind::RightParen},  Operator{",", TokenKind::Comma},
    Operator{"[", TokenKind::LeftBracket}, Operator{"]", TokenKind::RightBracket},
    Operator{"{", TokenKind::LeftBrace},   Operator{"}", TokenKind::RightBrace},
    Operator{"<", TokenKind::Less},        Operator{">", TokenKind::Greater},
    Operator{"-", TokenKind::Minus},       Operator{"!", TokenKind::Not},
    Operator{"?", TokenKind::Question},    Operator{":", TokenKind::Colon},
    Operator{"+", TokenKind::Plus},        Operator{"*", TokenKind::Star},
    Operator{"/", TokenKind::Slash},       Operator{"%", TokenKind::Percent},
};

/// Result of matching a text. `end` is 0 on failure; `reached` is the position of the failure.
struct Match {
  std::size_t end = 0;
  std::size_t reached = 0;
};

class Lexer {
 public:
  Lexer(std::string_view source, IssueList& issues) : source_(source), issues_(issues) {}

  std::vector<Token> Run() {
    tokens_.reserve(source_.size() / 3 + 2);
    while (at_ < source_.size()) Next();
    tokens_.push_back({TokenKind::End, point_, source_.substr(source_.size())});
    return std::move(tokens_);
  }

 private:
  char Peek(std::size_t at) const { return at < source_.size() ? source_[at] : '\0'; }

  /// Moves to `end`, counting code points.
  void MoveTo(std::size_t end) {
    for (; at_ < end; ++at_) {
      point_ += !IsUtf8Tail(source_[at_]);
    }
  }

  void Emit(TokenKind kind, std::size_t end) {
    tokens_.push_back({kind, point_, source_.substr(at_, end - at_)});
    MoveTo(end);
  }

  void Next() {
    const char letter = source_[at_];
    if (IsWordStart(letter)) return ReadWord();
    if (IsDigit(letter) || (letter == '.' && IsDigit(Peek(at_ + 1)))) return ReadNumber();
    switch (letter) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
      case '\f':
        return MoveTo(at_ + 1);
      case '"':
      case '\'':
        return ReadQuoted();
      case '`':
        return ReadEscapedWord();
      case '/':
        if (Peek(at_ + 1) == '/') return SkipComment();
        break;
      default:
        break;
    }
    ReadOperator();
  }

  void SkipComment() {
    const std::size_t end = source_.find('\n', at_);
    MoveTo(end == std::string_view::npos ? source_.size() : end);
  }

  /// Reads a text with the prefix `b`, `r` or `br`, or a plain word.
  void ReadWord() {
    const char first = source_[at_];
    const char second = Peek(at_ + 1);
    const bool is_bytes = first == 'b' || first == 'B';
    const bool is_raw =
        first == 'r' || first == 'R' || (is_bytes && (second == 'r' || second == 'R'));
    if (is_bytes || is_raw) {
      const std::size_t quote = at_ + (is_bytes ? 1 : 0) + (is_raw ? 1 : 0);
      if (Peek(quote) == '"' || Peek(quote) == '\'') {
        const Match match = MatchQuoted(quote, is_raw);
        if (match.end != 0) {
          return Emit(is_bytes ? TokenKind::Bytes : TokenKind::String, match.end);
        }
      }
    }
    std::size_t end = at_ + 1;
    while (IsWordLetter(Peek(end))) ++end;
    Emit(KindOfWord(source_.substr(at_, end - at_)), end);
  }

  static TokenKind KindOfWord(std::string_view word) {
    if (word == "in") return TokenKind::In;
    if (word == "true") return TokenKind::True;
    if (word == "false") return TokenKind::False;
    if (word == "null") return TokenKind::Null;
    return TokenKind::Identifier;
  }

  void ReadEscapedWord() {
    std::size_t end = at_ + 1;
    while (IsEscapedLetter(Peek(end))) ++end;
    if (Peek(end) != '`' || end == at_ + 1) return Fail(end);
    Emit(TokenKind::EscapedIdentifier, end + 1);
  }

  void ReadNumber() {
    std::size_t end = at_;
    if (source_[at_] == '0' && Peek(at_ + 1) == 'x' && IsHexDigit(Peek(at_ + 2))) {
      end = at_ + 2;
      while (IsHexDigit(Peek(end))) ++end;
      return EmitInteger(end);
    }
    const auto skip_digits = [&] {
      while (IsDigit(Peek(end))) ++end;
    };
    skip_digits();
    bool is_double = false;
    if (Peek(end) == '.' && IsDigit(Peek(end + 1))) {
      is_double = true;
      ++end;
      skip_digits();
    }
    if (Peek(end) == 'e' || Peek(end) == 'E') {
      const bool has_sign = Peek(end + 1) == '+' || Peek(end + 1) == '-';
      const std::size_t exponent = end + (has_sign ? 2 : 1);
      if (IsDigit(Peek(exponent))) {
        is_double = true;
        end = exponent;
        skip_digits();
      }
    }
    if (is_double) return Emit(TokenKind::Double, end);
    EmitInteger(end);
  }

  void EmitInteger(std::size_t end) {
    if (Peek(end) == 'u' || Peek(end) == 'U') return Emit(TokenKind::Uint, end + 1);
    Emit(TokenKind::Int, end);
  }

  void ReadQuoted() {
    const Match match = MatchQuoted(at_, false);
    if (match.end == 0) return Fail(match.reached);
    Emit(TokenKind::String, match.end);
  }

  /// Reads the quoted text that starts at `begin`.
  Match MatchQuoted(std::size_t begin, bool is_raw) const {
    const char quote = source_[begin];
    if (Peek(begin + 1) == quote && Peek(begin + 2) == quote) {
      const Match match = MatchInside(begin + 3, std::string_view(&source_[begin], 3), is_raw);
      // If the text is not terminated, its first two quotes are an empty text.
      return match.end != 0 ? match : Match{begin + 2, match.reached};
    }
    return MatchInside(begin + 1, std::string_view(&source_[begin], 1), is_raw);
  }

  /// Reads up to and including the closing quotes.
  Match MatchInside(std::size_t at, std::string_view quotes, bool is_raw) const {
    const bool is_line = quotes.size() == 1;
    while (at < source_.size()) {
      const char letter = source_[at];
      if (letter == quotes[0] && source_.substr(at, quotes.size()) == quotes) {
        return {at + quotes.size(), at};
      }
      if (is_line && (letter == '\n' || letter == '\r')) return {0, at};
      if (letter != '\\' || is_raw) {
        ++at;
        continue;
      }
      const Match escape = MatchEscape(at);
      if (escape.end == 0) return escape;
      at = escape.end;
    }
    return {0, at};
  }

  /// Reads the escape sequence at `at`.
  Match MatchEscape(std::size_t at) const {
    const char letter = Peek(at + 1);
    if (letter >= '0' && letter <= '3') {
      for (const std::size_t i : {at + 2, at + 3}) {
        if (Peek(i) < '0' || Peek(i) > '7') return {0, i};
      }
      return {at + 4, at};
    }
    const std::size_t digits = letter == 'x' || letter == 'X' ? 2
                               : letter == 'u'                ? 4
                               : letter == 'U'                ? 8
                                                              : 0;
    if (digits == 0) {
      const bool is_known = std::string_view("abfnrtv\"'\\?`").contains(letter);
      return is_known ? Match{at + 2, at} : Match{0, at + 1};
    }
    for (std::size_t i = at + 2; i < at + 2 + digits; ++i) {
      if (!IsHexDigit(Peek(i))) return {0, i};
    }
    return {at + 2 + digits, at};
  }

  void ReadOperator() {
    const std::string_view rest = source_.substr(at_, 2);
    for (const Operator& one : kOperators) {
      if (rest.starts_with(one.text)) return Emit(one.kind, at_ + one.text.size());
    }
    // Half an operator is reported together with the next character.
    const bool is_half = source_[at_] == '&' || source_[at_] == '|' || source_[at_] == '=';
    Fail(is_half ? at_ + 1 : at_);
  }

  /// Reports and skips an invalid token, up to and including the character at `reached`.
  void Fail(std::size_t reached) {
    const std::size_t end =
        reached < source_.size()
            ? reached + DecodeRune(std::string_view(source_).substr(reached)).bytes
            : source_.size();
    issues_.Report(point_, "Syntax error: token recognition error at: '" +
                               std::string(source_.substr(at_, end - at_)) + "'");
    MoveTo(end);
  }

  std::string_view source_;
  IssueList& issues_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t point_ = 0;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view source, IssueList& issues) {
  return Lexer(source, issues).Run();
}

}  // namespace plimsoll::cel
