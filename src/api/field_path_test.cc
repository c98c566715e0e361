#include "api/field_path.h"

#include "gtest/gtest.h"

namespace plimsoll::api {
namespace {

TEST(FieldPathTest, ReadsAsInMessages) {
  const FieldPath spec("spec");
  EXPECT_EQ(spec.Text(), "spec");
  const FieldPath tolerations = spec / "tolerations";
  const FieldPath third = tolerations[2];
  EXPECT_EQ((third / "value").Text(), "spec.tolerations[2].value");
  const FieldPath requests = spec / "requests";
  EXPECT_EQ(requests.Key("example.com/gpu").Text(), "spec.requests[example.com/gpu]");
}

TEST(FieldPathTest, AnEmptyRootIsTheObjectItself) {
  const FieldPath root("");
  EXPECT_EQ(root.Text(), "");
  EXPECT_EQ((root / "spec").Text(), "spec");
  EXPECT_EQ(root[0].Text(), "[0]");
}

}  // namespace
}  // namespace plimsoll::api
