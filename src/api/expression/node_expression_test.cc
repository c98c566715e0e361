#include "api/expression/node_expression.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

using Gives = NodeExpression::Gives;

constexpr std::string_view kNode =
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","labels":{"pool":"spot"},)"
    R"("annotations":{"score":"17"},"managedFields":[{}]},"spec":{"unschedulable":true,)"
    R"("taints":[{"key":"k","value":"80","effect":"NoExecute"}]},"status":{"capacity":{"cpu":"4"},)"
    R"("images":[{}],"conditions":[{"type":"Ready","status":"True"},{"type":"Odd","status":"False"}]}})";

/// Returns the result in text form, or the fault of the compilation or the evaluation.
std::string AnswerOf(std::string_view text, Gives gives) {
  const auto expression = NodeExpression::Compile(text, gives);
  if (!expression) {
    return expression.error().kind == ExpressionFault::Kind::TooCostly
               ? "too costly"
               : "fault: " + expression.error().message.substr(0, 60);
  }
  const auto document = codec::ParseJson(std::string(kNode));
  const NodeInput node((*document)->root());
  std::uint64_t cost = 0;
  if (gives == Gives::Bool) {
    const Result<bool> answer = expression->Matches(node, cost);
    return answer ? (*answer ? "true" : "false") : "error: " + answer.error().message;
  }
  const auto answer = expression->TextOf(node, cost);
  if (!answer) return "error: " + answer.error().message;
  return answer->value_or("none");
}

struct ExpressionCase {
  std::string name;
  std::string text;
  Gives gives = Gives::Text;
  std::string want;
};

class NodeExpressionTest : public testing::TestWithParam<ExpressionCase> {};

TEST_P(NodeExpressionTest, Answers) {
  EXPECT_EQ(AnswerOf(GetParam().text, GetParam().gives), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, NodeExpressionTest,
    testing::ValuesIn(std::vector<ExpressionCase>{
        {"Label", R"(node.metadata.labels["pool"] == "spot")", Gives::Bool, "true"},
        {"Unschedulable", "node.spec.unschedulable", Gives::Bool, "true"},
        {"Ready", R"(node.status.conditions.exists(c, c.type == "Ready" && c.status == "False"))",
         Gives::Bool, "false"},
        {"Filter", R"(node.status.conditions.filter(c, c.type == "Ready")[0].status)", Gives::Text,
         "True"},
        {"Taint", R"(node.spec.taints.filter(t, t.key == "k").map(t, t.value)[0])", Gives::Text,
         "80"},
        {"NoTaint", R"(node.metadata.?labels["absent"])", Gives::Text, "none"},
        {"NullIsNone", R"(has(node.metadata.labels.absent) ? "x" : null)", Gives::Text,
         "fault: compilation failed: ERROR: <input>:1:34: found no matching o"},
        {"Int", R"(int(node.metadata.annotations["score"]) * 2)", Gives::Text, "34"},
        {"Quantity", R"(quantity(node.status.capacity["cpu"]).asInteger())", Gives::Text, "4"},
        {"Double", "4.5", Gives::Text, "5"},
        {"HugeDouble", "1e30", Gives::Text, "error: expected int, string or none, got 1e+30"},
        {"NoSuchKey", R"(node.metadata.labels["absent"] == "x")", Gives::Bool,
         "error: no such key: absent"},
        {"ManagedFieldsAreLeftOut", "has(node.metadata.managedFields)", Gives::Bool, "false"},
        {"ImagesAreLeftOut", "has(node.status.images)", Gives::Bool, "false"},
        {"NotBool", "1", Gives::Bool, "fault: must evaluate to bool, not int"},
        {"NotText", "[1]", Gives::Text,
         "fault: must evaluate to int, string or none, not list(int)"},
        {"OtherVariable", "pod", Gives::Text,
         "fault: compilation failed: ERROR: <input>:1:1: undeclared reference"},
        {"DynThatIsAList", "node.status.conditions", Gives::Text,
         R"(error: expected int, string or none, got [{"type": "Ready", "status": "True"}, {"type": "Odd", "status": "False"}])"},
        {"TooCostly",
         "node.status.conditions.all(a, node.status.conditions.all(b, "
         "node.status.conditions.all(c, node.status.conditions.all(d, true))))",
         Gives::Bool, "too costly"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
