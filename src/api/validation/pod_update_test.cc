#include "api/validation/pod_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"
#include "api/validation/pod.h"
#include "api/validation/semantic_diff.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Update(const std::string& before, const std::string& now) {
  const auto old_pod = PodWith(before);
  const auto new_pod = PodWith(now);
  return Texts(ValidatePodUpdate(*new_pod->As<Pod>(), *old_pod->As<Pod>(), {}));
}

TEST(PodUpdateTest, SaysWhatChanged) {
  EXPECT_THAT(Update(R"("nodeName":"a")", R"("nodeName":"b","priority":0)"),
              ElementsAre(HasSubstr("was previously negative)\nspec.nodeName: \"a\" -> \"b\"\n"
                                    "spec.priority: (none) -> 0\n")));
}

TEST(PodUpdateTest, TheSameMeaningIsNoChange) {
  EXPECT_THAT(Update(R"("overhead":{"cpu":"1"},"hostNetwork":false,"nodeSelector":{})",
                     R"("overhead":{"cpu":"1000m"})"),
              IsEmpty());
  EXPECT_FALSE(Update(R"("affinity":{})", R"("nodeName":"")").empty());
}

TEST(PodUpdateTest, TheMarkOfAMirrorPodStays) {
  const auto pod = [](std::string_view annotations) {
    return ObjectFrom(
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","namespace":"default",)"
        R"("resourceVersion":"1","annotations":{)" +
        std::string(annotations) +
        R"(}},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}})");
  };
  const auto mirror = pod(R"("kubernetes.io/config.mirror":"x")");
  const auto plain = pod("");
  const auto faults = [](const auto& now, const auto& before) {
    return Texts(ValidatePodUpdate(*now->template As<Pod>(), *before->template As<Pod>(), {}));
  };
  EXPECT_THAT(faults(plain, mirror),
              testing::Contains(
                  "metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove "
                  "or update mirror pod annotation"));
  EXPECT_THAT(faults(mirror, plain),
              testing::Contains("metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may "
                                "not add mirror pod annotation"));
}

TEST(PodUpdateTest, ExpressionsMayBeRemovedWithTheirGateOnOrOff) {
  const std::string kBefore =
      R"("tolerations":[{"key":"a","operator":"Exists"},{"expression":"taint.key == 'b'"},)"
      R"({"expression":"taint.key == 'c'","tolerationSeconds":5}])";
  const std::string kRefused =
      "spec.tolerations: Forbidden: existing toleration can not be modified except its "
      "tolerationSeconds";
  for (const ValidationContext& context :
       {ValidationContext{}, ContextWithout({Feature::TaintTolerationCEL})}) {
    const auto update = [&](const std::string& tolerations) {
      const auto old_pod = PodWith(kBefore);
      const auto new_pod = PodWith(R"("tolerations":[)" + tolerations + "]");
      return Texts(ValidatePodUpdate(*new_pod->As<Pod>(), *old_pod->As<Pod>(), context));
    };
    EXPECT_THAT(update(R"({"key":"a","operator":"Exists"},{"expression":"taint.key == 'c'"})"),
                IsEmpty());
    EXPECT_THAT(update(R"({"key":"a","operator":"Exists"})"), IsEmpty());
    EXPECT_THAT(update(R"({"key":"a","operator":"Exists"},{"key":"d","operator":"Exists"})"),
                IsEmpty());
    EXPECT_THAT(update(R"({"expression":"taint.key == 'b'"},{"expression":"taint.key == 'c'"})"),
                ElementsAre(kRefused));
    EXPECT_THAT(update(R"({"key":"a","operator":"Exists"},{"expression":"taint.key == 'd'"})"),
                ElementsAre(kRefused));
  }
}

TEST(PodUpdateTest, AnOperandThatIsStoredStaysAllowed) {
  const auto pod = [](std::string_view version, std::string_view image) {
    return R"("containers":[{"name":"c","image":")" + std::string(image) +
           R"("}],"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)"
           R"({"weight":1,"preference":{"matchExpressions":[{"key":"k","operator":"SemverGt",)"
           R"("values":[")" +
           std::string(version) + R"("]}]}}]}})";
  };
  EXPECT_THAT(Update(pod("1.0.0+build.1", "old"), pod("1.0.0+build.1", "new")), IsEmpty());
}

TEST(PodUpdateTest, NegativeGraceMayBecomeOne) {
  EXPECT_THAT(
      Update(R"("terminationGracePeriodSeconds":-5)", R"("terminationGracePeriodSeconds":1)"),
      IsEmpty());
  EXPECT_FALSE(
      Update(R"("terminationGracePeriodSeconds":5)", R"("terminationGracePeriodSeconds":1)")
          .empty());
}

TEST(PodUpdateTest, SpreadKeysThatWereNeverMergedStayAllowed) {
  const auto spec = [](std::string_view expressions) {
    return R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"a","whenUnsatisfiable":)"
           R"("DoNotSchedule","matchLabelKeys":["k"],"labelSelector":{"matchExpressions":[)" +
           std::string(expressions) + "]}}]";
  };
  const std::string twice =
      R"({"key":"k","operator":"Exists"},{"key":"k","operator":"In","values":["v"]})";
  // A stored object that violates the new rule is validated by the old rule.
  EXPECT_THAT(Update(spec(twice), spec(twice)),
              ElementsAre("spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: "
                          "\"k\": exists in both matchLabelKeys and labelSelector"));
  const std::string once = R"({"key":"k","operator":"Exists"})";
  EXPECT_THAT(Update(spec(once), spec(once)), IsEmpty());
}

TEST(PodUpdateTest, ADeadlineOnlyComesNearer) {
  EXPECT_THAT(Update(R"("priority":1)", R"("priority":1,"activeDeadlineSeconds":5)"), IsEmpty());
  EXPECT_THAT(Update(R"("activeDeadlineSeconds":5)", R"("activeDeadlineSeconds":6)"),
              ElementsAre("spec.activeDeadlineSeconds: Invalid value: 6: must be less than or "
                          "equal to previous value"));
}

TEST(PodUpdateTest, AnObjectBeingDeletedGetsNoNewFinalizers) {
  const auto before = PodWith(R"("priority":1)", R"("deletionTimestamp":"2026-01-01T00:00:00Z")");
  const auto now =
      PodWith(R"("priority":1)",
              R"("deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["b.c/d","a.b/c"])");
  EXPECT_THAT(Texts(ValidatePodUpdate(*now->As<Pod>(), *before->As<Pod>(), {})),
              ElementsAre("metadata.finalizers: Forbidden: no new finalizers can be added if the "
                          "object is being deleted, found new finalizers []string{\"a.b/c\", "
                          "\"b.c/d\"}"));
}

TEST(PodUpdateTest, DistinctKeepsTheFirstOfEqualErrors) {
  FieldErrors errors;
  for (int i = 0; i < 2; ++i) errors.Invalid(FieldPath("a"), "x", "bad");
  errors.Invalid(FieldPath("a"), "y", "bad");
  EXPECT_EQ(Distinct(errors).size(), 2u);
}

TEST(SemanticDiffTest, ShowsTheFirstDifferencesOnly) {
  const auto document = codec::ParseJson(R"([0,1,2,3,4,5,6,7,8,9,10,11])");
  const auto other = codec::ParseJson(R"([1,2,3,4,5,6,7,8,9,10,11,12])");
  const auto differences = Differences(&(*document)->root(), &(*other)->root(), {});
  EXPECT_EQ(differences.size(), 12u);
  const std::string text = DescribeDifferences(differences, "list");
  EXPECT_THAT(text, testing::StartsWith("list.[0]: 0 -> 1\n"));
  EXPECT_THAT(text, testing::EndsWith("and 2 more\n"));
}

}  // namespace
}  // namespace plimsoll::api
