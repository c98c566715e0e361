#include "apiserver/bootstrap/flow_control.h"

#include <gtest/gtest.h>

#include "api/create.h"
#include "api/object.h"
#include "api/validation/object.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using Step = Reconciled::Step;

/// Returns the object as the server would return it.
std::string LevelObject(std::string_view annotations, std::string_view shares, int generation) {
  return std::string(R"({"kind":"PriorityLevelConfiguration","apiVersion":)") +
         R"("flowcontrol.apiserver.k8s.io/v1","metadata":{"name":"system","generation":)" +
         std::to_string(generation) + R"(,"annotations":{)" + std::string(annotations) +
         R"(}},"spec":{"type":"Limited","limited":{"nominalConcurrencyShares":)" +
         std::string(shares) + R"(}}})";
}

constexpr std::string_view kOn = R"("apf.kubernetes.io/autoupdate-spec":"true")";
constexpr std::string_view kOff = R"("apf.kubernetes.io/autoupdate-spec":"false")";
constexpr std::string_view kOdd = R"("apf.kubernetes.io/autoupdate-spec":"maybe")";

struct ReconcileCase {
  std::string name;
  std::string existing;
  bool is_mandatory;
  std::string want;  // empty: no change
};

class ReconcileFlowControlTest : public testing::TestWithParam<ReconcileCase> {};

TEST_P(ReconcileFlowControlTest, Writes) {
  const ReconcileCase& test = GetParam();
  const std::string wanted = LevelObject(kOn, "30", 1);
  const Reconciled change = test.is_mandatory
                                ? ReconcileMandatoryFlowControl(test.existing, wanted)
                                : ReconcileSuggestedFlowControl(test.existing, wanted);
  EXPECT_EQ(change.step == Step::Nothing, test.want.empty());
  EXPECT_EQ(change.json, test.want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReconcileFlowControlTest,
    testing::ValuesIn<ReconcileCase>({
        {"AsWanted", LevelObject(kOn, "30", 1), false, ""},
        {"Changed", LevelObject(kOn, "31", 2), false, LevelObject(kOn, "30", 2)},
        {"ChangedForGood", LevelObject(kOff, "31", 2), false, ""},
        {"WithoutAnnotationUnchanged", LevelObject("", "31", 1), false, LevelObject(kOn, "30", 1)},
        {"WithoutAnnotationChanged", LevelObject("", "31", 2), false, LevelObject(kOff, "31", 2)},
        {"BrokenAnnotation", LevelObject(kOdd, "31", 2), false, LevelObject(kOff, "31", 2)},
        {"MandatoryIgnoresTheAnnotation", LevelObject(kOff, "31", 2), true,
         LevelObject(kOn, "30", 2)},
        {"Broken", "{", true, ""},
    }),
    [](const auto& each) { return each.param.name; });

TEST(FlowControlObjectsTest, SpecExemptBelongsToAdministrators) {
  const std::string existing =
      R"({"kind":"PriorityLevelConfiguration","metadata":{"name":"exempt","annotations":{)" +
      std::string(kOn) +
      R"(}},"spec":{"type":"Exempt","exempt":{"nominalConcurrencyShares":7,"lendablePercent":3}}})";
  EXPECT_EQ(ReconcileMandatoryFlowControl(existing, MandatoryFlowControl()[0].json).step,
            Step::Nothing);
}

TEST(FlowControlObjectsTest, AllAreValidAndCompleteSoThatNothingIsRewritten) {
  for (const auto& objects : {MandatoryFlowControl(), SuggestedFlowControl()}) {
    for (const DefaultObject& object : objects) {
      std::shared_ptr<codec::Document> document = *codec::ParseJson(object.json);
      api::PrepareForCreate(*document, {.tree = &document->root()}, "", {});
      const auto decoded =
          api::DecodeObject(document, {.field_validation = api::FieldValidation::Strict});
      ASSERT_TRUE(decoded.has_value()) << object.name;
      const api::FieldErrors errors = api::ValidateCreate(*decoded->object, {});
      EXPECT_TRUE(errors.empty()) << object.name << ": " << errors.Text();
      EXPECT_EQ(
          ReconcileSuggestedFlowControl(codec::WriteJson(decoded->object->tree()), object.json)
              .step,
          Step::Nothing)
          << object.name;
    }
  }
}

TEST(DanglingConditionTest, ChangesOnlyWithTheFact) {
  const std::string schema =
      R"({"kind":"FlowSchema","metadata":{"name":"x"},"spec":{"priorityLevelConfiguration":)"
      R"({"name":"l"}},"status":{"conditions":[{"type":"Other","status":"True"}]}})";
  const auto missing = WithDanglingCondition(schema, true, Instant{});
  ASSERT_TRUE(missing.has_value());
  EXPECT_EQ(*missing,
            R"({"kind":"FlowSchema","metadata":{"name":"x"},"spec":{"priorityLevelConfiguration":)"
            R"({"name":"l"}},"status":{"conditions":[{"type":"Other","status":"True"},)"
            R"({"type":"Dangling","status":"True","lastTransitionTime":"1970-01-01T00:00:00Z",)"
            R"("reason":"NotFound","message":"This FlowSchema references the )"
            R"(PriorityLevelConfiguration object named \"l\" but there is no such object"}]}})");
  EXPECT_FALSE(WithDanglingCondition(*missing, true, Instant{}).has_value());
  const auto found = WithDanglingCondition(*missing, false, Instant{});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->contains(R"("status":"False")"));
  EXPECT_TRUE(found->contains("and it exists"));
  EXPECT_FALSE(WithDanglingCondition("[]", false, Instant{}).has_value());
}

}  // namespace
}  // namespace plimsoll::apiserver
