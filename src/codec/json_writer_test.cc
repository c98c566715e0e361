#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "codec/json.h"
#include "codec/random_tree_for_test.h"
#include "codec/yaml.h"

namespace plimsoll::codec {
namespace {

TEST(WriteJsonTest, IsCompactAndKeepsOrder) {
  const std::string text = R"({"b":[1,-2,1.50,1E5,true,false,null,"x",[],{}],"a":{"c":""}})";
  const auto parsed = ParseJson(text);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(WriteJson((*parsed)->root()), text);
  std::string out = "data: ";
  AppendJson((*parsed)->root(), out);
  EXPECT_EQ(out, "data: " + text);
}

TEST(WriteJsonTest, EscapesAsGoDoes) {
  EXPECT_EQ(WriteJson(Value::String("a\"\\\b\f\n\r\t\x01/\x7f")),
            "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001/\x7f\"");
  EXPECT_EQ(WriteJson(Value::String("<a>&\u2028\u2029\u00e9\xff")),
            "\"\\u003ca\\u003e\\u0026\\u2028\\u2029\u00e9\\ufffd\"");
}

TEST(WriteJsonTest, WritesTheEndsOfTheIntegers) {
  EXPECT_EQ(WriteJson(Value::Int(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(WriteJson(Value::Int(INT64_MAX)), "9223372036854775807");
}

TEST(WriteJsonPrettyTest, IndentsAsKubectlDoes) {
  const auto parsed = ParseJson(R"({"a":[1,{"b":2}],"c":{},"d":[],"e":"x"})");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(WriteJsonPretty((*parsed)->root()),
            "{\n"
            "    \"a\": [\n"
            "        1,\n"
            "        {\n"
            "            \"b\": 2\n"
            "        }\n"
            "    ],\n"
            "    \"c\": {},\n"
            "    \"d\": [],\n"
            "    \"e\": \"x\"\n"
            "}");
}

TEST(WriteJsonTest, ReadsBackAsWritten) {
  EXPECT_TRUE(rc::check("ParseJson of either form is the tree", [] {
    Document document;
    document.root() = RandomTree(document, 4);
    for (const std::string& text : {WriteJson(document.root()), WriteJsonPretty(document.root())}) {
      RC_LOG() << text;
      const auto parsed = ParseJson(text);
      RC_ASSERT(parsed.has_value());
      RC_ASSERT((*parsed)->root() == document.root());
      RC_ASSERT((*parsed)->duplicates().empty());
    }
  }));
}

TEST(WriteJsonTest, ReadsAsTheSameYaml) {
  EXPECT_TRUE(rc::check("ParseYaml(WriteJson(tree)) is the tree", [] {
    Document document;
    document.root() = RandomTree(document, 4);
    const std::string text = WriteJsonPretty(document.root());
    RC_LOG() << text;
    // Valid in JSON, but YAML does not allow these characters in its source.
    RC_PRE(!text.contains('\x7f') && !text.contains("\u0085") && !text.contains("\ufeff"));
    const auto parsed = ParseYaml(text);
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(parsed->size() == 1);
    RC_ASSERT(parsed->front()->root() == document.root());
  }));
}

}  // namespace
}  // namespace plimsoll::codec
