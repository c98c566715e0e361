#include "cel/type.h"

#include <gtest/gtest.h>

#include <array>

namespace plimsoll::cel {
namespace {

TEST(TypeTest, EqualTypesAreTheSameObject) {
  auto shared = std::make_shared<TypePool>();
  const Type* const names = shared->List(types::kString);
  TypePool pool(shared);
  EXPECT_EQ(pool.List(types::kString), names);
  EXPECT_EQ(pool.Map(types::kInt, names), *pool.Parse("map(int, list(string))"));
  EXPECT_NE(pool.List(types::kInt), names);
  EXPECT_NE(pool.Variable(0), pool.Variable(1));
  EXPECT_TRUE(pool.List(pool.Param("A"))->has_params());
}

TEST(TypeTest, ADeclaredObjectIsFoundByItsName) {
  TypePool pool;
  const Type* const object = pool.Object("kubernetes.Taint");
  EXPECT_EQ(*pool.Parse("kubernetes.Taint"), object);
  EXPECT_EQ((*pool.Parse("net.IP"))->kind(), TypeKind::Opaque);
}

struct TextCase {
  std::string_view declared;
  std::string_view message;
  std::string_view output;
};

TEST(TypeTest, TextsForMessagesAndForResultsDiffer) {
  TypePool pool;
  for (const TextCase& test : {
           TextCase{"int", "int", "int"},
           TextCase{"null", "null", "null_type"},
           TextCase{"timestamp", "timestamp", "google.protobuf.Timestamp"},
           TextCase{"list(duration)", "list(duration)", "list(google.protobuf.Duration)"},
           TextCase{"map(string,any)", "map(string, any)", "map(string, google.protobuf.Any)"},
           TextCase{"optional_type(type(int))", "optional_type(type(int))",
                    "optional_type(type(int))"},
           TextCase{"wrapper(int)", "wrapper(int)", "wrapper(int)"},
           TextCase{"list(A)", "list(A)", "list(<A>)"},
       }) {
    const auto type = pool.Parse(test.declared);
    ASSERT_TRUE(type.has_value()) << test.declared;
    EXPECT_EQ(MessageText(*type), test.message);
    EXPECT_EQ(OutputText(*type), test.output);
  }
}

TEST(TypeTest, BadTextsAreRefused) {
  TypePool pool;
  for (const std::string_view text : {"", "list(", "list(int", "list(int))", "map(int)", "list()",
                                      "list(int, int)", "f(a,b,c,d,e,f,g,h,i)"}) {
    EXPECT_FALSE(pool.Parse(text).has_value()) << text;
  }
}

TEST(TypeTest, SignaturesSetTheTargetApart) {
  const std::array arguments{types::kString, types::kInt};
  EXPECT_EQ(SignatureText(arguments, false), "(string, int)");
  EXPECT_EQ(SignatureText(arguments, true), "string.(int)");
  EXPECT_EQ(SignatureText({}, false), "()");
}

}  // namespace
}  // namespace plimsoll::cel
