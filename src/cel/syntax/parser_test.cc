#include "cel/syntax/parser.h"

#include <gtest/gtest.h>

#include <string>

#include "cel/kubernetes.h"
#include "cel/syntax/descent.h"
#include "cel/syntax/issue_list.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

/// Prints the tree in one line: calls as `name(target; arguments)`.
class Printer {
 public:
  explicit Printer(const Ast& ast) : ast_(ast) {}

  std::string Text(NodeId id) const {
    const Node& node = ast_.nodes[id];
    switch (node.kind) {
      case NodeKind::Fault:
        return "<fault>";
      case NodeKind::Literal:
        return LiteralText(ast_.literal(node));
      case NodeKind::Ident:
        return std::string(node.name);
      case NodeKind::Select:
        return Text(node.operand) + (node.is_test ? ".?" : ".") + std::string(node.name);
      case NodeKind::Call:
        return std::string(node.name) + "(" +
               (node.operand == kNoNode ? "" : Text(node.operand) + ";") + Arguments(node) + ")";
      case NodeKind::List:
        return "[" + Arguments(node) + "]";
      case NodeKind::Map:
      case NodeKind::Struct:
        return std::string(node.name) + "{" + Entries(node) + "}";
      case NodeKind::Comprehension:
        return Loop(ast_.comprehension(node));
    }
    return {};
  }

 private:
  static std::string LiteralText(const Value& value) {
    switch (value.kind()) {
      case ValueKind::Bool:
        return value.as_bool() ? "true" : "false";
      case ValueKind::Int:
        return std::to_string(value.as_int());
      case ValueKind::Uint:
        return std::to_string(value.as_uint()) + "u";
      case ValueKind::Double:
        return std::to_string(value.as_double());
      case ValueKind::String:
        return "'" + std::string(value.text()) + "'";
      case ValueKind::Bytes:
        return "b'" + std::string(value.text()) + "'";
      default:
        return "null";
    }
  }
  std::string Optional(NodeId id) const {
    return (ast_.nodes[id].is_optional ? "?" : "") + Text(id);
  }
  std::string Arguments(const Node& node) const {
    std::string out;
    for (const NodeId one : ast_.arguments(node)) out += (out.empty() ? "" : ",") + Optional(one);
    return out;
  }
  std::string Entries(const Node& node) const {
    std::string out;
    for (const Entry& entry : ast_.entries_of(node)) {
      out += (out.empty() ? "" : ",") +
             (entry.key == kNoNode ? std::string(entry.field) : Text(entry.key)) + ":" +
             Optional(entry.value);
    }
    return out;
  }
  std::string Loop(const Comprehension& fold) const {
    return "fold(" + std::string(fold.iter) +
           (fold.iter2.empty() ? "" : "," + std::string(fold.iter2)) + " in " + Text(fold.range) +
           "; " + std::string(fold.accu) + " = " + Text(fold.init) + "; " + Text(fold.condition) +
           "; " + Text(fold.step) + "; " + Text(fold.result) + ")";
  }

  const Ast& ast_;
};

/// Returns the tree, or the first issue.
std::string Parsed(std::string_view text) {
  Ast ast;
  ast.source = std::make_shared<const std::string>(text);
  IssueList issues;
  Parse(*DeviceEnvironment(DeviceMode::Stored), ast, issues);
  if (issues.empty()) return Printer(ast).Text(ast.root);
  const Issues taken = issues.Finish(Issues::Stage::Parse, ast.source);
  const Location at = taken.LocationOf(taken.list[0]);
  return std::to_string(at.line) + ":" + std::to_string(at.column + 1) + " " +
         taken.list[0].message;
}

struct ParseCase {
  std::string_view text;
  std::string want;
};

TEST(ParserTest, OperatorsBindAsInTheGrammar) {
  for (const ParseCase& test : {
           ParseCase{"1 + 2 * 3 - 4", "_-_(_+_(1,_*_(2,3)),4)"},
           ParseCase{"a < b == c", "_==_(_<_(a,b),c)"},
           ParseCase{"a in b && !c", "_&&_(@in(a,b),!_(c))"},
           ParseCase{"a ? b : c ? d : e", "_?_:_(a,b,_?_:_(c,d,e))"},
           ParseCase{"a || b && c", "_||_(a,_&&_(b,c))"},
           ParseCase{"a && b && c && d", "_&&_(_&&_(a,b),_&&_(c,d))"},
           ParseCase{"!!a", "a"},
           ParseCase{"!!!a", "!_(a)"},
           ParseCase{"--a", "a"},
           ParseCase{"-1", "-1"},
           ParseCase{"--1", "1"},
           ParseCase{"---1", "-_(1)"},
           ParseCase{"1 -1", "_-_(1,1)"},
           ParseCase{"-1.size()", "size(-1;)"},
       }) {
    EXPECT_EQ(Parsed(test.text), test.want) << test.text;
  }
}

TEST(ParserTest, MembersAndLiterals) {
  for (const ParseCase& test : {
           ParseCase{"a.b.c(1)[2]", "_[_](c(a.b;1),2)"},
           ParseCase{"a.?b[?1]", "_[?_](_?._(a,'b'),1)"},
           ParseCase{".a.`b-c`", ".a.b-c"},
           ParseCase{".f(1)", ".f(1)"},
           ParseCase{"[1, ?b,]", "[1,?b]"},
           ParseCase{"[,]", "[]"},
           ParseCase{"{'a': 1, ?'b': c,}", "{'a':1,'b':?c}"},
           ParseCase{"{,}", "{}"},
           ParseCase{"a.B{c: 1, ?`d-e`: f}", "a.B{c:1,d-e:?f}"},
           ParseCase{"x.if", "x.if"},
           ParseCase{"null == b'x'", "_==_(null,b'x')"},
           ParseCase{"1u + 0xAu", "_+_(1u,10u)"},
       }) {
    EXPECT_EQ(Parsed(test.text), test.want) << test.text;
  }
}

TEST(ParserTest, MacrosBecomeLoops) {
  for (const ParseCase& test : {
           ParseCase{"has(a.b)", "a.?b"},
           ParseCase{"a.all(x, p)",
                     "fold(x in a; @result = true; @not_strictly_false(@result); "
                     "_&&_(@result,p); @result)"},
           ParseCase{"a.exists(x, p)",
                     "fold(x in a; @result = false; @not_strictly_false(!_(@result)); "
                     "_||_(@result,p); @result)"},
           ParseCase{"a.exists_one(x, p)",
                     "fold(x in a; @result = 0; true; _?_:_(p,_+_(@result,1),@result); "
                     "_==_(@result,1))"},
           ParseCase{"a.map(x, p, t)",
                     "fold(x in a; @result = []; true; _?_:_(p,_+_(@result,[t]),@result); "
                     "@result)"},
           ParseCase{"a.filter(x, p)",
                     "fold(x in a; @result = []; true; _?_:_(p,_+_(@result,[x]),@result); "
                     "@result)"},
           ParseCase{"a.transformMap(k, v, t)",
                     "fold(k,v in a; @result = {}; true; cel.@mapInsert(@result,k,t); @result)"},
           ParseCase{"a.transformMapEntry(k, v, p, t)",
                     "fold(k,v in a; @result = {}; true; "
                     "_?_:_(p,cel.@mapInsert(@result,t),@result); @result)"},
           ParseCase{"cel.bind(x, a, b)", "fold(#unused in []; x = a; false; x; b)"},
           ParseCase{"a.optMap(x, b)",
                     "_?_:_(hasValue(a;),optional.of(fold(#unused in []; x = value(a;); false; x; "
                     "b)),optional.none())"},
           ParseCase{"a.all(x)", "all(a;x)"},
           ParseCase{"b.bind(x, a, b)", "bind(b;x,a,b)"},
           ParseCase{".has(a.b)", ".has(a.b)"},
       }) {
    EXPECT_EQ(Parsed(test.text), test.want) << test.text;
  }
}

/// Returns upstream's error for a missing operand.
std::string Operand(std::string_view found) {
  return "mismatched input '" + std::string(found) +
         "' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, "
         "NUM_UINT, STRING, BYTES, IDENTIFIER}";
}

TEST(ParserTest, FaultsPointAtTheFirstTokenThatCannotBe) {
  for (const ParseCase& test : {
           ParseCase{"1 +", "1:4 Syntax error: " + Operand("<EOF>")},
           ParseCase{"a b c", "1:3 Syntax error: mismatched input 'b' expecting <EOF>"},
           ParseCase{"a )", "1:3 Syntax error: extraneous input ')' expecting <EOF>"},
           ParseCase{"a ? b ? c : d : e", "1:7 Syntax error: mismatched input '?' expecting ':'"},
           ParseCase{"", "1:0 Syntax error: " + Operand("<EOF>")},
           ParseCase{"f(1,)", "1:5 Syntax error: " + Operand(")")},
           ParseCase{"[1,,]", "1:4 Syntax error: unexpected ','"},
           ParseCase{"a..b", "1:3 Syntax error: unexpected '.'"},
           ParseCase{"!-x", "1:3 Syntax error: unexpected 'x'"},
           ParseCase{"x.in", "1:3 Syntax error: unexpected 'in'"},
           ParseCase{"x.?f()", "1:5 Syntax error: mismatched input '(' expecting <EOF>"},
           ParseCase{"has(a) && b c", "1:5 invalid argument to has() macro"},
           ParseCase{"has(..a)", "1:0 invalid argument to has() macro"},
           ParseCase{"a.all(1, p)", "1:7 argument must be a simple name"},
           ParseCase{"a.map(f(), p)", "1:8 argument is not an identifier"},
           ParseCase{"a.map(__result__, p)",
                     "1:7 iteration variable overwrites accumulator variable"},
           ParseCase{"a.all(x, x, p)", "1:10 duplicate variable name: x"},
           ParseCase{"{}.sortBy(k, k)",
                     "1:1 sortBy can only be applied to a list, identifier, comprehension, call or "
                     "select expression"},
           ParseCase{"\n while", "2:2 reserved identifier: while"},
           ParseCase{"99999999999999999999", "1:1 invalid int literal"},
       }) {
    EXPECT_EQ(Parsed(test.text), test.want) << test.text;
  }
}

/// Returns all issues with their columns.
std::string AllFaults(std::string_view text) {
  Ast ast;
  ast.source = std::make_shared<const std::string>(text);
  IssueList issues;
  Parse(*DeviceEnvironment(DeviceMode::Stored), ast, issues);
  const Issues taken = issues.Finish(Issues::Stage::Parse, ast.source);
  std::string all;
  for (const Issue& issue : taken.list) {
    if (!all.empty()) all += "; ";
    all += std::to_string(taken.LocationOf(issue).column + 1) + " " + issue.message;
  }
  return all;
}

TEST(ParserTest, AReservedWordIsNoNameForAMacro) {
  EXPECT_EQ(AllFaults("[1].map(if, 1)"),
            "9 reserved identifier: if; 9 argument is not an identifier");
  EXPECT_EQ(AllFaults("[1].all(if, true)"),
            "9 reserved identifier: if; 9 argument must be a simple name");
  EXPECT_EQ(AllFaults("has(if)"), "5 reserved identifier: if; 5 invalid argument to has() macro");
  EXPECT_EQ(AllFaults("if(has(1))"), "1 reserved identifier: if");
  EXPECT_EQ(AllFaults(".while"), "1 reserved identifier: while");
}

TEST(ParserTest, OneTokenTooManyBeforeAnOperandIsLeftOut) {
  const auto extraneous = [](std::string_view token) {
    return "Syntax error: extraneous" +
           Operand(token).substr(std::string_view("mismatched").size());
  };
  EXPECT_EQ(AllFaults("?!"), "1 " + extraneous("?") + "; 3 " + extraneous("<EOF>"));
  EXPECT_EQ(AllFaults("+size(a))"),
            "1 " + extraneous("+") + "; 9 Syntax error: extraneous input ')' expecting <EOF>");
  EXPECT_EQ(AllFaults("1 ?: 2"),
            "4 " + extraneous(":") + "; 7 Syntax error: mismatched input '<EOF>' expecting ':'");
  EXPECT_EQ(AllFaults("x -> x"), "4 " + extraneous(">"));
  EXPECT_EQ(AllFaults("true-"), "6 Syntax error: " + Operand("<EOF>"));
}

std::string Repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(ParserTest, RecoversWithinUpstreamsLimit) {
  const auto faults = [](int terms) { return AllFaults("a ? b c" + Repeat(" + c", terms)); };
  const std::string_view limit = "error recovery token lookahead limit exceeded: 256";
  EXPECT_FALSE(faults(100).contains(limit));
  EXPECT_TRUE(faults(200).contains(limit));
}

TEST(ParserTest, NestingHasUpstreamsLimits) {
  const std::string too_deep = "-1:0 expression recursion limit exceeded: 250";
  const std::string too_high = "-1:0 max recursion depth exceeded";
  EXPECT_EQ(Parsed(Repeat("(", 249) + "1" + Repeat(")", 249)), "1");
  EXPECT_EQ(Parsed(Repeat("(", 250) + "1" + Repeat(")", 250)), too_deep);
  EXPECT_EQ(Parsed("a" + Repeat(".a", 250)).substr(0, 3), "a.a");
  EXPECT_EQ(Parsed("a" + Repeat(".a", 251)), too_high);
  EXPECT_EQ(Parsed(Repeat("1+(", 124) + "1" + Repeat(")", 124)).substr(0, 3), "_+_");
  EXPECT_EQ(Parsed(Repeat("1+(", 125) + "1" + Repeat(")", 125)), too_deep);
  EXPECT_EQ(Parsed("a" + Repeat("&&a", 1000)).substr(0, 4), "_&&_");
  EXPECT_EQ(Parsed(Repeat("!", 10001) + "a"), "!_(a)");
  EXPECT_EQ(Parsed(std::string(100001, ' ')),
            "-1:0 expression code point size exceeds limit: size: 100001, limit 100000");
}

TEST(ParserTest, CopiesOfCopiesAreBounded) {
  EXPECT_EQ(Parsed("a" + Repeat(".optMap(x, x)", 3)).substr(0, 5), "_?_:_");
  EXPECT_EQ(Parsed("a" + Repeat(".optMap(x, x)", 100)),
            "1:13 expression is too complex: macros repeat it too often");
}

}  // namespace
}  // namespace plimsoll::cel
