#include "apiserver/strategy/annotation_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AnnotationWarningsTest, NameTheCurrentPrefixWhenADeprecatedOneIsAdded) {
  WriterFixture server;
  const TestAnswer made = server.Post(
      kPods, PodJson("web", R"(,"annotations":{"plimsoll.dev/ready":"false","a/b":"c"})"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_THAT(made.warnings, ElementsAre("metadata.annotations[plimsoll.dev/ready]: deprecated; "
                                         "use \"plimsoll.io/ready\" instead"));
  const auto annotate = [&](std::string_view annotations) {
    return server
        .Patch(PodTarget("web"), R"({"metadata":{"annotations":)" + std::string(annotations) + "}}")
        .warnings;
  };
  EXPECT_THAT(annotate(R"({"plimsoll.io/crash":"1"})"), IsEmpty()) << "ready was there before";
  EXPECT_THAT(annotate(R"({"plimsoll.dev/crash":"2"})"),
              ElementsAre("metadata.annotations[plimsoll.dev/crash]: deprecated; use "
                          "\"plimsoll.io/crash\" instead"));
}

}  // namespace
}  // namespace plimsoll::apiserver
