#include "api/schema/conform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "api/schema/fields.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;

struct Outcome {
  Status status;
  std::vector<std::string> findings;
  std::string json;
  std::uint32_t line = 0;  // line of the error's field
};

Outcome ConformPod(std::string json, FieldValidation mode) {
  auto document = codec::ParseJson(std::move(json));
  EXPECT_TRUE(document.has_value()) << (document ? "" : document.error().message);
  std::vector<StrictFinding> findings;
  Outcome out;
  codec::Value& root = (*document)->root();
  out.status = Conform(**document, root, Describe(fields::core_v1::Pod::kTypeId), mode, findings);
  for (const StrictFinding& finding : findings) out.findings.push_back(finding.Text());
  out.json = codec::WriteJson(root);
  if (!out.status) out.line = FindPath(root, out.status.error().field)->line();
  return out;
}

TEST(ConformTest, NumbersTheFieldsAndKeepsTheRest) {
  const std::string text =
      R"({"kind":"Pod","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"hostIPC":true,)"
      R"("containers":[{"name":"c","resources":{"limits":{"cpu":"1","memory":"2.5Gi"}}}]}})";
  auto document = codec::ParseJson(text);
  ASSERT_TRUE(document.has_value());
  codec::Value& root = (*document)->root();
  std::vector<StrictFinding> findings;
  ASSERT_TRUE(Conform(**document, root, Describe(fields::core_v1::Pod::kTypeId),
                      FieldValidation::Strict, findings));
  EXPECT_EQ(codec::WriteJson(root), text);
  EXPECT_EQ(root.members()[1].field, fields::core_v1::Pod::kMetadata);
  const codec::Value& spec = root.members()[2].value;
  EXPECT_EQ(spec.members()[0].field, fields::core_v1::PodSpec::kHostIPC);
  EXPECT_EQ(spec.members()[1].field, fields::core_v1::PodSpec::kContainers);
}

TEST(ConformTest, NullsAndUnknownFieldsLeaveTheTree) {
  const Outcome out = ConformPod(
      R"({"metadata":{"creationTimestamp":null,"foo":{"a":1}},"spec":{"nodeName":"n","bar":null},)"
      R"("status":null})",
      FieldValidation::Warn);
  EXPECT_TRUE(out.status.has_value());
  EXPECT_EQ(out.json, R"({"metadata":{},"spec":{"nodeName":"n"}})");
  EXPECT_THAT(out.findings,
              ElementsAre(R"(unknown field "metadata.foo")", R"(unknown field "spec.bar")"));
}

TEST(ConformTest, NullsInListsAndMapsBecomeZero) {
  const Outcome out = ConformPod(
      R"({"metadata":{"labels":{"a":null}},"spec":{"tolerations":[null],"overhead":{"cpu":null},)"
      R"("containers":[{"args":[null]}]}})",
      FieldValidation::Strict);
  EXPECT_TRUE(out.status.has_value());
  EXPECT_EQ(out.json, R"({"metadata":{"labels":{"a":""}},"spec":{"tolerations":[{}],)"
                      R"("overhead":{"cpu":"0"},"containers":[{"args":[""]}]}})");
}

TEST(ConformTest, IgnoreSaysNothing) {
  const Outcome out = ConformPod(R"({"foo":1,"kind":"Pod","kind":"Pod"})", FieldValidation::Ignore);
  EXPECT_TRUE(out.status.has_value());
  EXPECT_THAT(out.findings, ElementsAre());
  EXPECT_EQ(out.json, R"({"kind":"Pod"})");
}

TEST(ConformTest, StrictNamesAllFindingsInOneError) {
  const Outcome out = ConformPod(
      "{\"spec\":{\n\"containers\":[{},{\"nam\":\"x\"}],\n\"nodeName\":\"a\",\n\"nodeName\":\"b\"},"
      "\n\"extra\":{\"a\":1,\n\"a\":2}}",
      FieldValidation::Strict);
  ASSERT_FALSE(out.status.has_value());
  EXPECT_EQ(out.status.error().reason, Reason::BadRequest);
  EXPECT_EQ(out.status.error().message,
            R"(strict decoding error: unknown field "spec.containers[1].nam", )"
            R"(duplicate field "spec.nodeName", unknown field "extra")");
  EXPECT_EQ(out.status.error().field, "spec.containers[1].nam");
  EXPECT_EQ(out.line, 2u);
}

TEST(ConformTest, AQuantityMayBeANumber) {
  const Outcome out =
      ConformPod(R"({"spec":{"overhead":{"cpu":2,"memory":1.5}}})", FieldValidation::Strict);
  EXPECT_TRUE(out.status.has_value());
  EXPECT_EQ(out.json, R"({"spec":{"overhead":{"cpu":"2","memory":"1.5"}}})");
}

struct FaultCase {
  std::string name;
  std::string json;
  std::string field;
  std::string message;
};

class ConformFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(ConformFaultTest, IsToldAsGoTellsIt) {
  const FaultCase& test = GetParam();
  const Outcome out = ConformPod(test.json, FieldValidation::Ignore);
  ASSERT_FALSE(out.status.has_value());
  EXPECT_EQ(out.status.error().reason, Reason::BadRequest);
  EXPECT_EQ(out.status.error().field, test.field);
  EXPECT_EQ(out.status.error().message, test.message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ConformFaultTest,
    testing::ValuesIn<FaultCase>({
        {"StringForInt", R"({"spec":{"priority":"1"}})", "spec.priority",
         "json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32"},
        {"IntTooLarge", R"({"spec":{"priority":2147483648}})", "spec.priority",
         "json: cannot unmarshal number 2147483648 into Go struct field PodSpec.spec.priority of "
         "type int32"},
        {"FractionForInt", R"({"spec":{"priority":1.5}})", "spec.priority",
         "json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type "
         "int32"},
        {"NumberForText", R"({"metadata":{"labels":{"a":5}}})", "metadata.labels[a]",
         "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type "
         "string"},
        {"NamedTextType", R"({"spec":{"tolerations":[{},{"operator":true}]}})",
         "spec.tolerations[1].operator",
         "json: cannot unmarshal bool into Go struct field Toleration.spec.tolerations.operator of "
         "type v1.TolerationOperator"},
        {"ObjectForList", R"({"spec":{"containers":[{"ports":{}}]}})", "spec.containers[0].ports",
         "json: cannot unmarshal object into Go struct field Container.spec.containers.ports of "
         "type []v1.ContainerPort"},
        {"ListForStruct", R"({"spec":[]})", "spec",
         "json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec"},
        {"TextForMap", R"({"spec":{"overhead":"x"}})", "spec.overhead",
         "json: cannot unmarshal string into Go struct field PodSpec.spec.overhead of type "
         "v1.ResourceList"},
        {"TextForBool", R"({"spec":{"hostNetwork":"yes"}})", "spec.hostNetwork",
         "json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type "
         "bool"},
        {"BadTime", R"({"metadata":{"creationTimestamp":"yesterday"}})",
         "metadata.creationTimestamp",
         R"(parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as )"
         R"("2006")"},
        {"NumberForTime", R"({"metadata":{"creationTimestamp":5}})", "metadata.creationTimestamp",
         "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp "
         "of type string"},
        {"BoolForIntOrString",
         R"({"spec":{"containers":[{"livenessProbe":{"tcpSocket":{"port":true}}}]}})",
         "spec.containers[0].livenessProbe.tcpSocket.port",
         "json: cannot unmarshal bool into Go struct field "
         "TCPSocketAction.spec.containers.livenessProbe.tcpSocket.port of type int32"},
        {"RootIsAList", R"([])", "", "json: cannot unmarshal array into Go value of type v1.Pod"},
        {"ATimeEndsTheSearchAtOnce",
         R"({"spec":{"priority":"1"},"metadata":{"creationTimestamp":"x"}})",
         "metadata.creationTimestamp",
         R"(parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006")"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
