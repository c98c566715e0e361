#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cel/builder.h"
#include "cel/environment.h"
#include "cel/syntax/issue_list.h"
#include "cel/syntax/lexer.h"
#include "cel/syntax/parser.h"

namespace plimsoll::cel {

/// A node and its nesting depth as upstream counts it: selections, indices, member calls,
/// arithmetic, relations and conditionals.
struct Parsed {
  NodeId node = kNoNode;
  int height = 0;
};

/// One parse. parser.cc has the grammar and the operators,
/// descent.cc the operands between them.
class Parser {
 public:
  Parser(const Environment& environment, Ast& ast, IssueList& issues)
      : environment_(environment),
        issues_(issues),
        builder_(ast, issues),
        tokens_(Tokenize(*ast.source, issues)) {}

  NodeId Run() {
    const Parsed parsed = ParseExpr();
    if (!failed_ && Peek() != TokenKind::End) {
      // Upstream checks whether the input would be valid without this token.
      Unexpected("<EOF>", Peek(1) == TokenKind::End ? "extraneous" : "mismatched");
    }
    if (parsed.height > kNestingMax) issues_.Report(kNoOffset, "max recursion depth exceeded");
    return parsed.node;
  }

 private:
  TokenKind Peek(std::size_t ahead = 0) const {
    const std::size_t at = at_ + ahead;
    return at < tokens_.size() ? tokens_[at].kind : TokenKind::End;
  }
  const Token& Current() const { return tokens_[at_]; }
  const Token& Consume() { return tokens_[at_++]; }
  bool ConsumeIf(TokenKind kind) {
    if (Peek() != kind) return false;
    ++at_;
    return true;
  }

  /// Reports an unexpected token. `wanted` is given where upstream's parser names what it expects.
  void Unexpected(std::string_view wanted = {}, std::string_view how = "mismatched") {
    if (failed_) return;
    failed_ = true;
    const std::string text(Peek() == TokenKind::End ? std::string_view("<EOF>") : Current().text);
    // An empty source has no position.
    const bool is_nowhere = Peek() == TokenKind::End && Current().offset == 0;
    issues_.Report(is_nowhere ? kMissingOffset : Current().offset,
                   wanted.empty() ? "Syntax error: unexpected '" + text + "'"
                                  : "Syntax error: " + std::string(how) + " input '" + text +
                                        "' expecting " + std::string(wanted));
  }
  /// Reports any other token and returns false.
  bool Expect(TokenKind kind) {
    if (failed_) return false;
    if (ConsumeIf(kind)) return true;
    Unexpected();
    return false;
  }
  /// Reports a token that cannot begin an operand.
  Parsed Fault() {
    static constexpr std::string_view kOperand =
        "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, "
        "STRING, BYTES, IDENTIFIER}";
    const TokenKind before = at_ > 0 ? tokens_[at_ - 1].kind : TokenKind::End;
    if (before == TokenKind::Not) {
      Unexpected(kOperand, "extraneous");
    } else if ((before == TokenKind::Minus && !EndsOperand(at_ - 1)) || before == TokenKind::Dot) {
      Unexpected();
    } else if (!failed_ && BeginsOperand(Peek(1))) {
      // Upstream skips one superfluous token and continues.
      Unexpected(kOperand, "extraneous");
      failed_ = false;
      ++at_;
      return ParseUnary();
    } else {
      Unexpected(kOperand);
    }
    builder_.At(kMissingOffset);
    return {builder_.Ident("<fault>"), 0};
  }
  static bool BeginsOperand(TokenKind kind);
  /// Returns true if the token before `place` ends an operand; then an operator there is binary.
  bool EndsOperand(std::size_t place) const;

  /// Counts one nesting level. Reports and returns false if it is too deep.
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
  Parsed ParseReserved(std::uint32_t start, std::string_view word);
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

}  // namespace plimsoll::cel
