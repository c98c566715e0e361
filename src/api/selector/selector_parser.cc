// Parser of kubectl's form of label selectors. The grammar is small, but its error messages are
// part of the API, so the checks below are in upstream's order.

#include <algorithm>
#include <set>

#include "api/field_error.h"
#include "api/selector/selector.h"
#include "base/syntax.h"

namespace plimsoll::api {
namespace {

enum class Token : std::uint8_t {
  End,
  Identifier,
  In,
  NotIn,
  Equals,
  DoubleEquals,
  NotEquals,
  GreaterThan,
  LessThan,
  Bang,
  Comma,
  OpenParenthesis,
  ClosedParenthesis,
};

struct Item {
  Token token = Token::End;
  std::string_view literal;
};

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool IsSymbol(char c) { return std::string_view("=!(),><").contains(c); }

Token SymbolToken(std::string_view literal) {
  switch (literal.front()) {
    case '=':
      return literal.size() == 2 ? Token::DoubleEquals : Token::Equals;
    case '!':
      return literal.size() == 2 ? Token::NotEquals : Token::Bang;
    case '(':
      return Token::OpenParenthesis;
    case ')':
      return Token::ClosedParenthesis;
    case ',':
      return Token::Comma;
    case '>':
      return Token::GreaterThan;
    default:
      return Token::LessThan;
  }
}

/// Splits a text into tokens. A NUL byte ends a word; at the start of a token it ends the text.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  Item Next() {
    while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
    if (rest_.empty() || rest_.front() == '\0') return {};
    if (IsSymbol(rest_.front())) {
      const bool is_double = rest_.starts_with("==") || rest_.starts_with("!=");
      const std::string_view literal = Take(is_double ? 2 : 1);
      return {SymbolToken(literal), literal};
    }
    const std::string_view word =
        Take(static_cast<std::size_t>(std::ranges::find_if(rest_, EndsWord) - rest_.begin()));
    if (rest_.starts_with('\0')) rest_.remove_prefix(1);
    if (word == "in") return {Token::In, word};
    if (word == "notin") return {Token::NotIn, word};
    return {Token::Identifier, word};
  }

 private:
  static bool EndsWord(char c) { return IsSymbol(c) || IsBlank(c) || c == '\0'; }

  std::string_view Take(std::size_t bytes) {
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::string_view rest_;
};

std::unexpected<Error> Found(const Item& item, std::string_view expected) {
  return Fail(Reason::BadRequest,
              "found '" + std::string(item.literal) + "'" + std::string(expected));
}

/// Parser with one token of look-ahead. `in` and `notin` are plain words where a key or a value may
/// be; only `ConsumeOperator` treats them as operators.
class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), next_(lexer_.Next()) {}

  Result<Selector> Parse() {
    std::vector<Requirement> requirements;
    while (Peek().token != Token::End) {
      const Item first = Peek();
      if (first.token != Token::Identifier && first.token != Token::Bang) {
        return Found(first, ", expected: !, identifier, or 'end of string'");
      }
      Result<Requirement> requirement = ParseRequirement();
      if (!requirement) {
        return Fail(Reason::BadRequest,
                    "unable to parse requirement: " + requirement.error().message);
      }
      requirements.push_back(*std::move(requirement));
      const Item separator = Consume();
      if (separator.token == Token::End) break;
      if (separator.token != Token::Comma) {
        return Found(separator, ", expected: ',' or 'end of string'");
      }
      const Item after = Peek();
      if (after.token != Token::Identifier && after.token != Token::Bang) {
        return Found(after, ", expected: identifier after ','");
      }
    }
    return Selector::Of(std::move(requirements));
  }

 private:
  using Values = std::set<std::string_view>;

  static Item AsWord(Item item) {
    if (item.token == Token::In || item.token == Token::NotIn) item.token = Token::Identifier;
    return item;
  }
  Item Peek() const { return AsWord(next_); }
  Item ConsumeOperator() {
    const Item taken = next_;
    next_ = lexer_.Next();
    return taken;
  }
  Item Consume() { return AsWord(ConsumeOperator()); }

  Result<Requirement> ParseRequirement() {
    Item key = Consume();
    const bool is_negated = key.token == Token::Bang;
    if (is_negated) key = Consume();
    if (key.token != Token::Identifier) return Found(key, ", expected: identifier");
    if (const Faults faults = CheckQualifiedName(key.literal); !faults.empty()) {
      return KeyFault(key.literal, faults);
    }
    if (is_negated) return Requirement::Make(key.literal, SelectorOperator::DoesNotExist, {});
    if (Peek().token == Token::End || Peek().token == Token::Comma) {
      return Requirement::Make(key.literal, SelectorOperator::Exists, {});
    }
    const SelectorOperator op = PL_TRY(ParseOperator());
    const bool is_set = op == SelectorOperator::In || op == SelectorOperator::NotIn;
    const Values values = PL_TRY(is_set ? ParseValues() : ParseExactValue());
    return Requirement::Make(key.literal, op, std::vector(values.begin(), values.end()));
  }

  /// Upstream has no field path here and prints Go's nil.
  static std::unexpected<Error> KeyFault(std::string_view key, const Faults& faults) {
    std::string detail;
    for (const std::string& fault : faults) detail += (detail.empty() ? "" : "; ") + fault;
    FieldErrors errors;
    errors.Invalid(FieldPath("<nil>"), key, detail);
    return Fail(Reason::BadRequest, errors.Text());
  }

  Result<SelectorOperator> ParseOperator() {
    const Item item = ConsumeOperator();
    switch (item.token) {
      case Token::In:
        return SelectorOperator::In;
      case Token::NotIn:
        return SelectorOperator::NotIn;
      case Token::Equals:
        return SelectorOperator::Equals;
      case Token::DoubleEquals:
        return SelectorOperator::DoubleEquals;
      case Token::NotEquals:
        return SelectorOperator::NotEquals;
      case Token::GreaterThan:
        return SelectorOperator::GreaterThan;
      case Token::LessThan:
        return SelectorOperator::LessThan;
      default:
        return Found(item, ", expected: in, notin, =, ==, !=, gt, lt");
    }
  }

  Result<Values> ParseValues() {
    if (const Item open = Consume(); open.token != Token::OpenParenthesis) {
      return Found(open, " expected: '('");
    }
    const Item first = Peek();
    if (first.token == Token::ClosedParenthesis) {
      Consume();
      return Values{""};
    }
    if (first.token != Token::Identifier && first.token != Token::Comma) {
      return Found(first, ", expected: ',', ')' or identifier");
    }
    return ParseList();
  }

  /// Parses up to and including the closing parenthesis. An omitted value is empty.
  Result<Values> ParseList() {
    Values values;
    while (true) {
      const Item item = Consume();
      if (item.token == Token::Identifier) {
        values.insert(item.literal);
        const Item after = Peek();
        if (after.token == Token::ClosedParenthesis) break;
        if (after.token != Token::Comma) return Found(after, ", expected: ',' or ')'");
      } else if (item.token == Token::Comma) {
        if (values.empty()) values.insert("");
        const Token after = Peek().token;
        if (after == Token::ClosedParenthesis || after == Token::Comma) values.insert("");
        if (after == Token::ClosedParenthesis) break;
        if (after == Token::Comma) Consume();
      } else {
        return Found(item, ", expected: ',', or identifier");
      }
    }
    Consume();
    return values;
  }

  Result<Values> ParseExactValue() {
    if (Peek().token == Token::End || Peek().token == Token::Comma) return Values{""};
    const Item item = Consume();
    if (item.token != Token::Identifier) return Found(item, ", expected: identifier");
    return Values{item.literal};
  }

  Lexer lexer_;
  Item next_;
};

}  // namespace

Result<Selector> Selector::Parse(std::string_view text) { return Parser(text).Parse(); }

}  // namespace plimsoll::api
