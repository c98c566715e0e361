#include "client/lean_object.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::client {
namespace {

TEST(LeanObjectTest, DropsManagedFieldsAndNothingElse) {
  const auto pod = ReadObject(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","managedFields":[{"manager":"m",)"
      R"("operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:x":{}}}],)"
      R"("labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  ASSERT_TRUE(pod.has_value());
  const ObjectPtr lean = LeanObject(*pod);
  EXPECT_EQ(codec::WriteJson(lean->tree()),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"b"}},)"
            R"("spec":{"containers":[{"name":"c","image":"i"}]}})");
  EXPECT_EQ(lean->As<api::Pod>()->spec.containers[0].image, "i");
  EXPECT_EQ(&lean->kind(), &(*pod)->kind());
}

TEST(LeanObjectTest, AnItemOfAListTakesNoSecondBlock) {
  const std::string pod =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})";
  const auto parsed = codec::ParseJson(pod);
  ASSERT_TRUE(parsed.has_value());
  const std::size_t bytes = LeanCopy((*parsed)->root())->bytes();
  const auto tree = LeanCopy((*parsed)->root());
  tree->Set(tree->root(), "kind", codec::Value::String("Pod"));
  tree->Set(tree->root(), "apiVersion", tree->NewString("apps.example.com/v1"));
  EXPECT_EQ(tree->bytes(), bytes);
}

}  // namespace
}  // namespace plimsoll::client
