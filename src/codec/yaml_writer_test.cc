#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "codec/json.h"
#include "codec/random_tree_for_test.h"
#include "codec/yaml.h"

namespace plimsoll::codec {
namespace {

struct Case {
  std::string name;
  std::string json;
  std::string want;
};

class WriteYamlTest : public testing::TestWithParam<Case> {};

TEST_P(WriteYamlTest, LooksLikeKubectl) {
  const auto parsed = ParseJson(GetParam().json);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().Text();
  EXPECT_EQ(WriteYaml((*parsed)->root()), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, WriteYamlTest,
    testing::ValuesIn<Case>({
        {"Scalars", R"([null,true,false,-5,1.50,"text"])",
         "- null\n- true\n- false\n- -5\n- 1.50\n- text\n"},
        {"MinusZero", "-0", "-0.0\n"},
        {"RootScalar", R"("x")", "x\n"},
        {"Empty", R"({"a":{},"b":[],"c":""})", "a: {}\nb: []\nc: \"\"\n"},
        {"EmptyRoot", "{}", "{}\n"},
        {"KeysThatWouldReadAsOthers", R"({"<<":1,"no":2,"":3})", "\"\": 3\n\"<<\": 1\n\"no\": 2\n"},
        {"SequencesStandBelowTheirKey",
         R"({"containers":[{"name":"c","args":["x"]},{"name":"d"}]})",
         "containers:\n- args:\n  - x\n  name: c\n- name: d\n"},
        {"NestedSequences", R"([[1,[2]],[]])", "- - 1\n  - - 2\n- []\n"},
        {"KeysInOrder", R"({"b":1,"a":2,"B":3,"a10":4,"a2":5,"1":6,"a.b":7,"ab":8})",
         "\"1\": 6\nB: 3\na: 2\na.b: 7\na2: 5\na10: 4\nab: 8\nb: 1\n"},
        {"TextsThatReadAsOthers",
         R"(["yes","n","null","~","12","0x1f","1.5","1e3",".inf","2024-01-02","12:30","<<"])",
         "- \"yes\"\n- \"n\"\n- \"null\"\n- \"~\"\n- \"12\"\n- \"0x1f\"\n- \"1.5\"\n- \"1e3\"\n"
         "- \".inf\"\n- \"2024-01-02\"\n- \"12:30\"\n- <<\n"},
        {"TextsThatDoNot", R"(["500m","1Gi","v1.2","12:99","1.2.3","yEs","2024-13-02"])",
         "- 500m\n- 1Gi\n- v1.2\n- 12:99\n- 1.2.3\n- yEs\n- 2024-13-02\n"},
        {"Timestamp", R"({"creationTimestamp":"2024-01-02T03:04:05Z"})",
         "creationTimestamp: \"2024-01-02T03:04:05Z\"\n"},
        {"Indicators", R"(["- a","a: b","a #b","#a","*a","a:b","{a","it's","'a'","a "," a","@a"])",
         "- '- a'\n- 'a: b'\n- 'a #b'\n- '#a'\n- '*a'\n- a:b\n- '{a'\n- it's\n- '''a'''\n"
         "- 'a '\n- ' a'\n- '@a'\n"},
        {"Escapes", R"(["a\tb","\u0001","\u00e9","a\"b","\ud83d\udea2"])",
         "- \"a\\tb\"\n- \"\\x01\"\n- \u00e9\n- a\"b\n- \"\\U0001F6A2\"\n"},
        {"Literals", R"({"a":"x\ny\n","b":"x\ny","c":"x\n\n","d":" x\ny","e":"x \ny"})",
         "a: |\n  x\n  y\nb: |-\n  x\n  y\nc: |+\n  x\n\nd: |2-\n   x\n  y\ne: \"x \\ny\"\n"},
        {"LiteralAtTheEnd", R"({"a":["x\n\n"]})", "a:\n- |+\n  x\n\n"},
        {"LongTextsFold",
         R"({"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb cc"})",
         "a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n  "
         "cc\n"},
        {"Base60", R"(["1:30","-1:5.5","1:","1:60","1:5:9","a:5","1_0:07."])",
         "- \"1:30\"\n- \"-1:5.5\"\n- '1:'\n- 1:60\n- \"1:5:9\"\n- a:5\n- \"1_0:07.\"\n"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(WriteYamlTest, KeysInACircleHaveOneOrder) {
  const auto one = ParseJson(R"({"1a":0,"2":0,"10":0})");
  const auto other = ParseJson(R"({"10":0,"2":0,"1a":0})");
  ASSERT_TRUE(one.has_value() && other.has_value());
  EXPECT_EQ(WriteYaml((*one)->root()), WriteYaml((*other)->root()));
}

TEST(WriteYamlTest, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(WriteYaml(Value::String("a\xff")), "a\ufffd\n");
}

TEST(WriteYamlTest, ReadsBackAsWritten) {
  EXPECT_TRUE(rc::check("ParseYaml(WriteYaml(tree)) is the tree", [] {
    Document document;
    document.root() = RandomTree(document, 4);
    const std::string text = WriteYaml(document.root());
    RC_LOG() << text;
    const auto parsed = ParseYaml(text);
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(parsed->size() == 1);
    RC_ASSERT(parsed->front()->root() == document.root());
    RC_ASSERT(WriteYaml(parsed->front()->root()) == text);
  }));
}

}  // namespace
}  // namespace plimsoll::codec
