#include "api/core/taint.h"

#include "gtest/gtest.h"

namespace plimsoll::api {
namespace {

TEST(TaintTest, EffectsReadBackAsWritten) {
  for (const TaintEffect effect :
       {TaintEffect::NoSchedule, TaintEffect::PreferNoSchedule, TaintEffect::NoExecute}) {
    EXPECT_EQ(ParseTaintEffect(ToText(effect)), effect);
  }
  EXPECT_EQ(ParseTaintEffect(""), std::nullopt);
  EXPECT_EQ(ParseTaintEffect("noSchedule"), std::nullopt);
}

TEST(TaintTest, ReadsAsKubectlPrintsIt) {
  EXPECT_EQ(ToText(Taint{.key = "k"}), "k");
  EXPECT_EQ(ToText(Taint{.key = "k", .value = "v"}), "k=v:");
  EXPECT_EQ(ToText(Taint{.key = "k", .effect = "NoExecute"}), "k:NoExecute");
  EXPECT_EQ(ToText(Taint{.key = "k", .value = "v", .effect = "NoExecute"}), "k=v:NoExecute");
}

}  // namespace
}  // namespace plimsoll::api
