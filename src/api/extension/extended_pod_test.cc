#include "api/extension/extended_pod.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "api/decode/decode_json_for_test.h"
#include "api/expression/toleration_expression.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

/// Returns a pod with this spec and these annotations, both as JSON.
std::shared_ptr<const Object> APod(const std::string& spec, const std::string& annotations) {
  return DecodeJson(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":)" +
                    annotations + R"(},"spec":)" + spec + "}");
}

/// `{"plimsoll.io/tolerations": …}`
std::string Annotated(std::string_view name, std::string_view value) {
  codec::Document document;
  codec::Value root = document.NewObject();
  document.Set(root, document.CopyText(name), document.NewString(value));
  return codec::WriteJson(root);
}

class ExtendPodTest : public testing::Test {
 protected:
  std::shared_ptr<const Object> Extend(const std::shared_ptr<const Object>& pod,
                                       std::string_view gates = {}) {
    ValidationContext context{.gates = {}, .expressions = &expressions_};
    EXPECT_TRUE(context.gates.Apply(gates));
    return ExtendPod(pod, context);
  }

  const TolerationExpressions expressions_;
};

TEST_F(ExtendPodTest, APodWithoutThemIsTheSame) {
  const auto bare = DecodeJson(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})");
  EXPECT_EQ(Extend(bare), bare);
  const auto other = APod("{}", R"({"example.com/note":"["})");
  EXPECT_EQ(Extend(other), other);
  EXPECT_EQ(FaultOf(*other), "");
}

TEST_F(ExtendPodTest, TolerationsComeAfterThoseOfTheSpec) {
  const auto pod = Extend(APod(
      R"({"tolerations":[{"key":"a","operator":"Exists"}]})",
      Annotated(kTolerationsAnnotation,
                R"([{"key":"kernel","operator":"SemverGt","value":"6.1.0","effect":"NoSchedule"},)"
                R"({"expression":"int(taint.value) < 5"}])")));
  EXPECT_EQ(FaultOf(*pod), "");
  const auto& tolerations = pod->As<Pod>()->spec.tolerations;
  ASSERT_EQ(tolerations.size(), 3U);
  EXPECT_EQ(tolerations[0].key, "a");
  EXPECT_EQ(tolerations[1].op, "SemverGt");
  EXPECT_EQ(tolerations[1].value, "6.1.0");
  EXPECT_EQ(tolerations[2].expression, "int(taint.value) < 5");
  EXPECT_EQ(pod->metadata().name, "p");
}

struct AffinityCase {
  std::string name;
  std::string spec;
  std::string annotation;
  std::string want;  // spec.affinity
};

class ExtendedAffinityTest : public ExtendPodTest,
                             public testing::WithParamInterface<AffinityCase> {};

TEST_P(ExtendedAffinityTest, HoldsBesideThatOfTheSpec) {
  const AffinityCase& test = GetParam();
  const auto pod = Extend(APod(test.spec, Annotated(kNodeAffinityAnnotation, test.annotation)));
  ASSERT_EQ(FaultOf(*pod), "");
  EXPECT_EQ(codec::WriteJson(*pod->tree().Find("spec")->Find("affinity")), test.want);
}

constexpr const char* kRequiredB =
    R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"b","operator":"SemverGt","values":["1.2.3"]}]}]}})";

INSTANTIATE_TEST_SUITE_P(
    All, ExtendedAffinityTest,
    testing::ValuesIn<AffinityCase>({
        {"Alone", "{}", kRequiredB,
         R"({"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[],"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"b","operator":"SemverGt","values":["1.2.3"]}]}]}}})"},
        {"EachTermWithEach",
         R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]},{"matchExpressions":[{"key":"a","operator":"Exists"}]}]}}}})",
         kRequiredB,
         R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"b","operator":"SemverGt","values":["1.2.3"]}],"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]},{"matchExpressions":[{"key":"a","operator":"Exists"},{"key":"b","operator":"SemverGt","values":["1.2.3"]}]}]},"preferredDuringSchedulingIgnoredDuringExecution":[]}})"},
        // A term without requirements matches nothing, and still does after the merge.
        {"NothingStaysNothing",
         R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{}]}}}})",
         kRequiredB,
         R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[]},"preferredDuringSchedulingIgnoredDuringExecution":[]}})"},
        {"PreferencesAdd",
         R"({"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"preference":{"matchExpressions":[{"key":"a","operator":"Exists"}]}}]}}})",
         R"({"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":2,"preference":{"matchExpressions":[{"key":"b","operator":"SemverLt","values":["2.0.0"]}]}}]})",
         R"({"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"preference":{"matchExpressions":[{"key":"a","operator":"Exists"}]}},{"weight":2,"preference":{"matchExpressions":[{"key":"b","operator":"SemverLt","values":["2.0.0"]}]}}]}})"},
    }),
    [](const auto& test) { return test.param.name; });

struct FaultCase {
  std::string name;
  std::string annotations;
  std::string want;  // substring of the fault
  std::string gates = {};
};

class AnnotationFaultTest : public ExtendPodTest, public testing::WithParamInterface<FaultCase> {};

TEST_P(AnnotationFaultTest, SaysWhatAndWhereAndLeavesTheFields) {
  const auto before =
      APod(R"({"tolerations":[{"key":"a","operator":"Exists"}]})", GetParam().annotations);
  const auto pod = Extend(before, GetParam().gates);
  EXPECT_THAT(std::string(FaultOf(*pod)), testing::HasSubstr(GetParam().want));
  EXPECT_EQ(pod->As<Pod>()->spec.tolerations.size(), 1U);
  EXPECT_EQ(codec::WriteJson(*pod->tree().Find("spec")),
            codec::WriteJson(*before->tree().Find("spec")));
}

std::string Tolerations(std::string_view json) { return Annotated(kTolerationsAnnotation, json); }

INSTANTIATE_TEST_SUITE_P(
    All, AnnotationFaultTest,
    testing::ValuesIn<FaultCase>({
        {"NoJson", Tolerations("[{"), "metadata.annotations[plimsoll.io/tolerations]: "},
        {"Empty", Tolerations(""), "metadata.annotations[plimsoll.io/tolerations]: "},
        {"NoList", Tolerations("{}"),
         "metadata.annotations[plimsoll.io/tolerations]: must be a list of tolerations"},
        {"NoObject", Tolerations("[null]"),
         "metadata.annotations[plimsoll.io/tolerations][0]: must be an object"},
        // Without the misspelt field it would tolerate everything.
        {"UnknownField", Tolerations(R"([{"operator":"Exists","expresion":"true"}])"),
         R"(metadata.annotations[plimsoll.io/tolerations][0]: strict decoding error: unknown field "expresion")"},
        {"TwiceTheField", Tolerations(R"([{"key":"a","key":"b","operator":"Exists"}])"),
         R"(duplicate field "key")"},
        {"WrongKindOfValue", Tolerations(R"([{"key":"a","tolerationSeconds":"x"}])"),
         "metadata.annotations[plimsoll.io/tolerations][0]: json: cannot unmarshal string into Go "
         "struct field Toleration.tolerationSeconds of type int64"},
        {"UnknownOperator",
         Tolerations(R"([{"key":"a","operator":"Exists"},{"key":"a","operator":"Near"}])"),
         "metadata.annotations[plimsoll.io/tolerations][1].operator: Unsupported value: \"Near\": "
         "supported values: \"Equal\", \"Exists\", \"Lt\", \"Gt\", \"SemverLt\", "
         "\"SemverGt\", \"SemverEq\""},
        {"EmptyToleration", Tolerations("[{}]"),
         "metadata.annotations[plimsoll.io/tolerations][0].operator: Invalid value: \"\": operator "
         "must be Exists when `key` is empty"},
        {"NoVersion", Tolerations(R"([{"key":"a","operator":"SemverGt","value":"six"}])"),
         "metadata.annotations[plimsoll.io/tolerations][0].value: Invalid value"},
        {"NoExpression", Tolerations(R"([{"expression":"taint."}])"),
         "metadata.annotations[plimsoll.io/tolerations][0].expression: Invalid value"},
        {"GateIsOff", Tolerations(R"([{"expression":"true"}])"),
         "metadata.annotations[plimsoll.io/tolerations][0].expression: Forbidden",
         "TaintTolerationCEL=false"},
        {"NoAffinity", Annotated(kNodeAffinityAnnotation, "[]"),
         "metadata.annotations[plimsoll.io/node-affinity]: must be an object"},
        {"WrongAffinity",
         Annotated(
             kNodeAffinityAnnotation,
             R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[]}})"),
         "metadata.annotations[plimsoll.io/"
         "node-affinity].requiredDuringSchedulingIgnoredDuringExecution"
         ".nodeSelectorTerms: Required value"},
    }),
    [](const auto& test) { return test.param.name; });

TEST_F(ExtendPodTest, TellsAllFaultsAtOnce) {
  const auto pod =
      Extend(APod("{}", R"({"plimsoll.io/tolerations":"{}","plimsoll.io/node-affinity":"[]"})"));
  EXPECT_EQ(FaultOf(*pod),
            "[metadata.annotations[plimsoll.io/tolerations]: must be a list of tolerations, "
            "metadata.annotations[plimsoll.io/node-affinity]: must be an object]");
}

TEST_F(ExtendPodTest, TermsAreBounded) {
  std::string terms;
  for (int i = 0; i < 40; ++i) {
    terms += R"(,{"matchExpressions":[{"key":"a","operator":"Exists"}]})";
  }
  const std::string affinity =
      R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)" +
      terms.substr(1) + "]}}";
  const auto pod = Extend(APod(R"({"affinity":{"nodeAffinity":)" + affinity + "}}",
                               Annotated(kNodeAffinityAnnotation, affinity)));
  EXPECT_THAT(std::string(FaultOf(*pod)), testing::HasSubstr("has more than 1000 terms"));
}

}  // namespace
}  // namespace plimsoll::api
