#include "api/apply/zero_object.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

TEST(ZeroObjectTest, HoldsWhatGoNeverLeavesOut) {
  codec::Document out;
  EXPECT_EQ(codec::WriteJson(ZeroObject(out, *FindKind("", "v1", "Pod")->type)),
            R"({"metadata":{},"spec":{"containers":null},"status":{}})");
  EXPECT_EQ(
      codec::WriteJson(ZeroObject(out, *FindKind("apps", "v1", "Deployment")->type)),
      R"({"metadata":{},"spec":{"selector":null,"strategy":{},"template":{"metadata":{},"spec":{"containers":null}}},"status":{}})");
}

TEST(ZeroObjectTest, EndsForEveryKind) {
  for (const KindDesc& kind : AllKinds()) {
    codec::Document out;
    EXPECT_TRUE(ZeroObject(out, *kind.type).is_object()) << kind.kind;
  }
}

}  // namespace
}  // namespace plimsoll::api
