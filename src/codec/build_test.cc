#include "codec/build.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(BuildTest, TreesLookAsTheyAreWritten) {
  Document document;
  const Value tree = ObjectOf(
      document,
      {{"kind", Value::String("Pod")},
       {"spec", ObjectOf(document, {{"ports", ArrayOf(document, {Value::Int(80), Value::Null()})},
                                    {"empty", ArrayOf(document, {})}})}});
  EXPECT_EQ(WriteJson(tree), R"({"kind":"Pod","spec":{"ports":[80,null],"empty":[]}})");
}

}  // namespace
}  // namespace plimsoll::codec
