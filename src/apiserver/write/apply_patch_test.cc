#include <gtest/gtest.h>

#include "apiserver/write/field_tracking.h"
#include "apiserver/write/patch.h"
#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";

std::string Map(std::string_view data) {
  return "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: " + std::string(data) + "\n";
}

TestAnswer Apply(WriterFixture& server, std::string_view target, std::string_view manager,
                 std::string body, std::string_view query = "") {
  return server.Patch(
      std::string(target) + "?fieldManager=" + std::string(manager) + std::string(query),
      std::move(body), "apply-patch+yaml");
}

TEST(ApplyTest, CreatesMergesAndForgets) {
  WriterFixture server;
  const TestAnswer made = Apply(server, kMap, "one", Map("{x: '1', w: '1'}"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("metadata", "namespace"), "default");
  EXPECT_EQ(made.document->root().Find("metadata")->Find("managedFields")->items().size(), 1u);
  const TestAnswer other = Apply(server, kMap, "two", Map("{z: '2'}"));
  ASSERT_EQ(other.code, 200) << other.body;
  EXPECT_EQ(other.At("data"), R"({"x":"1","w":"1","z":"2"})");
  const TestAnswer less = Apply(server, kMap, "one", Map("{x: '1'}"));
  EXPECT_EQ(less.At("data"), R"({"x":"1","z":"2"})");
  const TestAnswer again = Apply(server, kMap, "one", Map("{x: '1'}"));
  EXPECT_EQ(again.At("metadata", "resourceVersion"), less.At("metadata", "resourceVersion"));
}

struct OddConfigCase {
  std::string name;
  std::string config;
  int code_new = 0;   // if the object does not exist yet
  int code_live = 0;  // if it exists
};
class OddConfigTest : public testing::TestWithParam<OddConfigCase> {};

TEST_P(OddConfigTest, IsAnsweredAndTheServerGoesOn) {
  WriterFixture server;
  const std::string config = "kind: ConfigMap\napiVersion: v1\n" + GetParam().config;
  const TestAnswer made = Apply(server, kMap, "kubectl", config);
  EXPECT_EQ(made.code, GetParam().code_new) << made.body;
  const TestAnswer first = Apply(server, kMap, "one", Map("{x: '1'}"), "&force=true");
  ASSERT_LT(first.code, 300) << first.body;
  const TestAnswer live = Apply(server, kMap, "kubectl", config, "&force=true");
  EXPECT_EQ(live.code, GetParam().code_live) << live.body;
  EXPECT_EQ(Apply(server, kMap, "one", Map("{x: '2'}"), "&force=true").code, 200);
}

INSTANTIATE_TEST_SUITE_P(
    All, OddConfigTest,
    testing::ValuesIn<OddConfigCase>({
        {"NullMetadata", "metadata: null", 400, 200},
        {"NoMetadata", "data: {}", 400, 200},
        {"MetadataIsAList", "metadata: []", 500, 500},
        {"MetadataIsAText", "metadata: x", 500, 500},
        {"NullName", "metadata: {name: null}", 400, 400},
        {"NameIsANumber", "metadata: {name: 7}", 500, 500},
        {"NullLabels", "metadata: {name: a, labels: null}", 201, 200},
        {"LabelsAreAList", "metadata: {name: a, labels: []}", 500, 500},
        {"NullLabel", "metadata: {name: a, labels: {a: null}}", 201, 200},
        {"LabelIsANumber", "metadata: {name: a, labels: {a: 1}}", 500, 500},
        {"NullAnnotations", "metadata: {name: a, annotations: null}", 201, 200},
        {"OwnersAreAnObject", "metadata: {name: a, ownerReferences: {}}", 500, 500},
        {"NullOwner", "metadata: {name: a, ownerReferences: [null]}", 500, 500},
        {"NullFinalizer", "metadata: {name: a, finalizers: [null]}", 500, 500},
        {"NullManagedFields", "metadata: {name: a, managedFields: null}", 201, 200},
        {"ManagedFieldsAreAText", "metadata: {name: a, managedFields: x}", 400, 400},
        {"NullData", "metadata: {name: a}\ndata: null", 201, 200},
        {"DataIsAList", "metadata: {name: a}\ndata: [1]", 500, 500},
        {"NullDatum", "metadata: {name: a}\ndata: {a: null}", 201, 200},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ApplyTest, ConflictsAreRefusedUnlessForced) {
  WriterFixture server;
  ASSERT_EQ(Apply(server, kMap, "one", Map("{x: '1'}")).code, 201);
  const TestAnswer refused = Apply(server, kMap, "two", Map("{x: '2'}"));
  EXPECT_EQ(refused.code, 409);
  EXPECT_EQ(refused.message(), R"(Apply failed with 1 conflict: conflict with "one": .data.x)");
  EXPECT_EQ(refused.At("reason"), "Conflict");
  EXPECT_EQ(refused.At("details"),
            R"({"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"one\"",)"
            R"("field":".data.x"}]})");
  const TestAnswer forced = Apply(server, kMap, "two", Map("{x: '2'}"), "&force=true");
  EXPECT_EQ(forced.code, 200);
  EXPECT_EQ(forced.At("data", "x"), "2");
}

TEST(ApplyTest, OtherWritesOwnWhatTheySet) {
  WriterFixture server;
  ASSERT_EQ(server
                .Post("/api/v1/namespaces/default/configmaps?fieldManager=writer",
                      R"({"metadata":{"name":"a"},"data":{"x":"1"}})")
                .code,
            201);
  EXPECT_EQ(Apply(server, kMap, "one", Map("{x: '2'}")).message(),
            R"(Apply failed with 1 conflict: conflict with "writer" using v1: .data.x)");
}

TEST(ApplyTest, AStatusIsAppliedApart) {
  WriterFixture server;
  const std::string status = PodTarget("web") + "/status";
  const std::string body =
      "kind: Pod\napiVersion: v1\nmetadata: {name: web}\nstatus: {phase: Running}\n";
  EXPECT_EQ(Apply(server, status, "kubelet", body).message(), R"(pods "web" not found)");
  ASSERT_EQ(server.Post(kPods, PodJson("web")).code, 201);
  const TestAnswer got = Apply(server, status, "kubelet", body, "&force=true");
  ASSERT_EQ(got.code, 200) << got.body;
  EXPECT_EQ(got.At("status", "phase"), "Running");
}

struct RefusalCase {
  std::string name;
  std::string body;
  int code = 0;
  std::string message;
};

class ApplyRefusalTest : public testing::TestWithParam<RefusalCase> {};

TEST_P(ApplyRefusalTest, Says) {
  WriterFixture server;
  const TestAnswer got = Apply(server, kMap, "one", GetParam().body, "&fieldValidation=Strict");
  EXPECT_EQ(got.code, GetParam().code) << got.body;
  EXPECT_EQ(got.message(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ApplyRefusalTest,
    testing::ValuesIn<RefusalCase>({
        {"NoObject", "[1]", 400,
         "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot "
         "unmarshal "
         "array into Go value of type map[string]interface {}"},
        {"OtherName", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: b}\n", 400,
         "the name of the object (b) does not match the name on the URL (a)"},
        {"WithUid", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a, uid: u}\n", 409,
         R"(Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object )"
         "specified uid u, and no existing object was found"},
        {"Double", Map("{x: '1', x: '2'}"), 400,
         "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  "
         "line 4: key \"x\" already set in map"},
        {"Unknown", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\nfoo: 1\n", 500,
         "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .foo: field not "
         "declared in schema"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::apiserver
