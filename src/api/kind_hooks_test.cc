#include "api/kind_hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object.h"
#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Check(const Object& now, const Object* before) {
  return Texts(before == nullptr ? ValidateCreate(now, {}) : ValidateUpdate(now, *before, {}));
}

TEST(KindHooksTest, AKindWithoutARowHasMetadata) {
  const auto account = ObjectFrom(R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{}})");
  EXPECT_THAT(Check(*account, nullptr),
              ElementsAre("metadata.name: Required value: name or generateName is required",
                          "metadata.namespace: Required value"));
}

TEST(KindHooksTest, ANameIsImmutable) {
  const auto named = [](const std::string& name) {
    return ObjectFrom(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"resourceVersion":"1",)"
                      R"("name":")" +
                      name + "\"}}");
  };
  EXPECT_THAT(Check(*named("a"), named("a").get()), IsEmpty());
  EXPECT_THAT(Check(*named("a"), named("b").get()),
              ElementsAre("metadata.name: Invalid value: \"a\": field is immutable"));
}

TEST(KindHooksTest, AReviewNeedsNoName) {
  const auto review = ObjectFrom(R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview",)"
                                 R"("spec":{"token":"t"}})");
  EXPECT_THAT(Check(*review, nullptr), IsEmpty());
}

}  // namespace
}  // namespace plimsoll::api
