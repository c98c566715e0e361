#include "codec/document.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(DocumentTest, BuildsATree) {
  Document document;
  Value root = document.NewObject();
  Value list = document.NewArray();
  for (int item = 0; item < 100; ++item) document.Append(list, Value::Int(item));
  document.Set(root, "list", list);
  document.Set(root, "name", document.NewString("first"));
  document.Set(root, "name", document.NewString("second"), 7);
  document.root() = root;

  ASSERT_EQ(root.members().size(), 2u);
  EXPECT_EQ(root.members()[1].field, 7);
  EXPECT_EQ(root.Find("name")->text(), "second");
  ASSERT_EQ(root.Find("list")->items().size(), 100u);
  EXPECT_EQ(root.Find("list")->items()[99].AsInt(), 99);
}

TEST(DocumentTest, RemovesAMember) {
  Document document;
  Value root = document.NewObject(3);
  for (const std::string_view key : {"a", "b", "c"}) document.Set(root, key, Value::Bool(true));
  EXPECT_TRUE(document.Remove(root, "b"));
  EXPECT_FALSE(document.Remove(root, "b"));
  EXPECT_EQ(WriteJson(root), R"({"a":true,"c":true})");
  EXPECT_TRUE(document.Remove(root, "c"));
  EXPECT_TRUE(document.Remove(root, "a"));
  EXPECT_EQ(WriteJson(root), "{}");
}

TEST(DocumentTest, AClonedTreeStandsAlone) {
  Document copy;
  {
    auto source = ParseJson(R"({"a":[1,2.5,"text",null],
"b":{"key":"value"}})");
    ASSERT_TRUE(source.has_value());
    Value& root = (*source)->root();
    root.members()[0].field = 5;
    copy.root() = copy.Clone(root);
    root.Find("a")->items()[0] = Value::Int(9);
  }
  EXPECT_EQ(WriteJson(copy.root()), R"({"a":[1,2.5,"text",null],"b":{"key":"value"}})");
  EXPECT_EQ(copy.root().members()[0].field, 5);
  EXPECT_EQ(copy.root().Find("b")->line(), 2u);
}

TEST(DocumentTest, AdoptedTextsStayWhereTheyAre) {
  Document document;
  const std::string_view first = document.Adopt("short");
  for (int count = 0; count < 50; ++count) document.Adopt("more");
  EXPECT_EQ(first, "short");
  EXPECT_EQ(*(first.data() + first.size()), '\0');
}

TEST(DocumentTest, CountsItsBytes) {
  Document document(5000);
  EXPECT_GE(document.bytes(), 5000u);
  const std::size_t before = document.bytes();
  EXPECT_EQ(document.CopyText("within the room that was made").size(), 29u);
  EXPECT_EQ(document.bytes(), before);
  EXPECT_EQ(document.CopyText(std::string(100000, 'x')).size(), 100000u);
  EXPECT_GE(document.bytes(), before + 100000);
}

TEST(DocumentTest, RemembersDuplicates) {
  Document document;
  document.AddDuplicate({"spec.x", 3});
  ASSERT_EQ(document.duplicates().size(), 1u);
  EXPECT_EQ(document.duplicates()[0].path, "spec.x");
}

}  // namespace
}  // namespace plimsoll::codec
