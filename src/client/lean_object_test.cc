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

}  // namespace
}  // namespace plimsoll::client
