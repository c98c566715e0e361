#include "apiserver/write/patch.h"

#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kJson = "json-patch+json";
constexpr std::string_view kMerge = "merge-patch+json";
constexpr std::string_view kStrategic = "strategic-merge-patch+json";

struct PatchCase {
  std::string name;
  std::string_view type;
  std::string patch;
  std::string labels;
};

class PatchTest : public testing::TestWithParam<PatchCase> {};

TEST_P(PatchTest, Changes) {
  const PatchCase& test = GetParam();
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web", R"(,"labels":{"a":"1"})")).code, 201);
  const TestAnswer got = server.Patch(PodTarget("web"), test.patch, test.type);
  EXPECT_EQ(got.code, 200) << got.body;
  EXPECT_EQ(got.At("metadata", "labels"), test.labels);
  EXPECT_EQ(got.At("metadata", "resourceVersion"), "2");
  EXPECT_EQ(*server.Stored("pods", "web")->bytes(), got.body);
}

INSTANTIATE_TEST_SUITE_P(
    All, PatchTest,
    testing::ValuesIn<PatchCase>({
        {"Json", kJson, R"([{"op":"add","path":"/metadata/labels/b","value":"2"}])",
         R"({"a":"1","b":"2"})"},
        {"Merge", kMerge, R"({"metadata":{"labels":{"a":null,"b":"2"}}})", R"({"b":"2"})"},
        {"Strategic", kStrategic, R"({"metadata":{"labels":{"b":"2"}}})", R"({"a":"1","b":"2"})"},
        {"StrategicReplaces", kStrategic, R"({"metadata":{"labels":{"$patch":"replace","b":"2"}}})",
         R"({"b":"2"})"},
    }),
    [](const auto& test) { return test.param.name; });

struct RefusalCase {
  std::string name;
  std::string_view type;
  std::string patch;
  int code = 0;
  std::string message;
  std::string query;
};

class PatchRefusalTest : public testing::TestWithParam<RefusalCase> {};

TEST_P(PatchRefusalTest, Says) {
  const RefusalCase& test = GetParam();
  WriterFixture server;
  ASSERT_EQ(server
                .Post("/api/v1/namespaces/default/configmaps",
                      R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}})")
                .code,
            201);
  const TestAnswer got =
      server.Patch("/api/v1/namespaces/default/configmaps/a" + test.query, test.patch, test.type);
  EXPECT_EQ(got.code, test.code) << got.body;
  std::string message = got.message();
  // The message shows the whole patched object, with its uid.
  if (const auto at = message.find("Invalid value: \"{"); at != std::string::npos) {
    message.replace(at, message.find("\": ", at) - at, "Invalid value: \"…");
  }
  EXPECT_EQ(message, test.message);
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, PatchRefusalTest,
    testing::ValuesIn<RefusalCase>({
        {"OtherType", "json", "{}", 415, "415: Unsupported Media Type"},
        {"FailedTest", kJson, R"([{"op":"test","path":"/kind","value":"x"}])", 422,
         "the server rejected our request due to an error in our request"},
        {"NoJson", kJson, "[", 400, "error decoding patch: unexpected end of JSON input"},
        {"NoList", kJson, "{}", 400,
         "error decoding patch: json: cannot unmarshal object into Go value of type "
         "[]handlers.jsonPatchOp"},
        {"NoObject", kMerge, "[]", 400,
         "error decoding patch: json: cannot unmarshal array into Go value of type "
         "map[string]interface {}"},
        {"StrategicNoJson", kStrategic, "x", 400,
         "invalid character 'x' looking for beginning of value"},
        {"OtherName", kMerge, R"({"metadata":{"name":"b"}})", 400,
         "the name of the object (b) does not match the name on the URL (a)"},
        {"OtherNamespace", kMerge, R"({"metadata":{"namespace":"b"}})", 400,
         "the namespace of the provided object does not match the namespace sent on the request"},
        {"OldVersion", kMerge, R"({"metadata":{"resourceVersion":"9"}})", 409,
         "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please "
         "apply your changes to the latest version and try again"},
        {"OtherUid", kMerge, R"({"metadata":{"uid":"x"}})", 422,
         R"(ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable)"},
        {"WrongType", kMerge, R"({"data":{"k":5}})", 422,
         R"( "" is invalid: patch: Invalid value: "…": json: cannot unmarshal number into Go )"
         "struct field ConfigMap.data of type string"},
        {"StrategicWrongType", kStrategic, R"({"data":{"k":5}})", 422,
         R"( "" is invalid: patch: Invalid value: "map[data:map[k:5]]": json: cannot unmarshal )"
         "number into Go struct field ConfigMap.data of type string"},
        {"Strict", kMerge, R"({"foo":1})", 422,
         R"( "" is invalid: patch: Invalid value: "…": strict decoding error: unknown field "foo")",
         "?fieldValidation=Strict"},
        {"StrictDouble", kStrategic, R"({"data":{"a":"1","a":"2"}})", 422,
         R"( "" is invalid: patch: Invalid value: "map[data:map[a:2]]": strict decoding error: )"
         R"(duplicate field "data.a")",
         "?fieldValidation=Strict"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ServePatchTest, WhatIsNotThereCannotBePatched) {
  WriterFixture server;
  EXPECT_EQ(server.Patch(PodTarget("web"), "{}").message(), R"(pods "web" not found)");
  // Also for kinds that an update may create.
  EXPECT_EQ(
      server.Patch("/apis/coordination.k8s.io/v1/namespaces/default/leases/l", "{}").message(),
      R"(leases.coordination.k8s.io "l" not found)");
}

TEST(ServePatchTest, UnknownFieldsAreToldOnce) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web")).code, 201);
  const TestAnswer got = server.Patch(PodTarget("web"), R"({"spec":{"foo":1}})");
  EXPECT_EQ(got.code, 200) << got.body;
  EXPECT_EQ(got.warnings, std::vector<std::string>{"unknown field \"spec.foo\""});
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

TEST(ServePatchTest, AStatusIsPatchedApart) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web")).code, 201);
  const TestAnswer got = server.Patch(PodTarget("web") + "/status",
                                      R"({"spec":{"nodeName":"n"},"status":{"phase":"Running"}})");
  EXPECT_EQ(got.At("status", "phase"), "Running");
  EXPECT_EQ(got.At("spec", "nodeName"), "");
}

TEST(ServePatchTest, ADryRunStoresNothing) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web")).code, 201);
  const TestAnswer got =
      server.Patch(PodTarget("web") + "?dryRun=All", R"({"metadata":{"labels":{"a":"b"}}})");
  EXPECT_EQ(got.At("metadata", "labels", "a"), "b");
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

struct NamelessCase {
  std::string type;
  std::string patch;
};

TEST(PatchKindTest, WhatIsStoredAlwaysSaysWhatItIs) {
  for (const NamelessCase& test : std::vector<NamelessCase>{
           {"merge-patch+json", R"({"kind":null})"},
           {"merge-patch+json", R"({"kind":""})"},
           {"merge-patch+json", R"({"apiVersion":null})"},
           {"strategic-merge-patch+json", R"({"kind":null})"},
           {"json-patch+json", R"([{"op":"remove","path":"/kind"}])"},
       }) {
    WriterFixture server;
    server.Post(kPods, PodJson("web"));
    const TestAnswer patched = server.Patch(PodTarget("web"), test.patch, test.type);
    EXPECT_EQ(patched.code, 200) << test.patch << patched.body;
    EXPECT_EQ(patched.At("kind"), "Pod") << test.patch;
    EXPECT_EQ(patched.At("apiVersion"), "v1") << test.patch;
    EXPECT_EQ(server.Delete(PodTarget("web")).code, 200) << test.patch;
  }
}

struct SecretCase {
  std::string_view type;
  std::string_view patch;
};

TEST(SecretPatchTest, ARefusalShowsNothingOfTheSecret) {
  constexpr std::string_view kStored = "c3RvcmVkLXNlY3JldA==";  // stored value
  constexpr std::string_view kSent = "sent-secret";
  WriterFixture server;
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  ASSERT_EQ(server
                .Post(secrets, R"({"metadata":{"name":"s"},"data":{"k":")" + std::string(kStored) +
                                   R"("},"immutable":true})")
                .code,
            201);
  const SecretCase cases[] = {
      {"json-patch+json", R"([{"op":"add","path":"/type","value":5}])"},
      {"json-patch+json", R"([{"op":"add","path":"/data/l","value":"sent-secret"}])"},
      {"json-patch+json", R"([{"op":"test","path":"/data/k","value":"sent-secret"}])"},
      {"json-patch+json", R"([{"op":"replace","path":"/kind","value":5}])"},
      {"json-patch+json", R"([{"op":"replace","path":"/kind","value":"sent-secret-kin)"},
      {"merge-patch+json", R"({"data":{"k":["sent-secret"]}})"},
      {"merge-patch+json", R"({"data":{"k":"sent-secret"}})"},
      {"merge-patch+json", R"({"apiVersion":["sent-secret"]})"},
      {"strategic-merge-patch+json", R"({"data":{"k":["sent-secret"]}})"},
      {"strategic-merge-patch+json", R"({"stringData":{"k":"sent-secret"}})"},
      {"strategic-merge-patch+json?fieldValidation=Strict", R"({"foo":"sent-secret"})"},
      {"apply-patch+yaml",
       "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: [sent-secret]}}"},
      {"apply-patch+yaml",
       "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: sent-secret}"},
      {"apply-patch+yaml",
       "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: c2VudC1zZWNyZXQ=}}"},
  };
  for (const SecretCase& test : cases) {
    const std::size_t query = test.type.find('?');
    const std::string options = query == std::string_view::npos
                                    ? "?fieldManager=m"
                                    : std::string(test.type.substr(query)) + "&fieldManager=m";
    const TestAnswer got =
        server.Patch(secrets + "/s" + options, std::string(test.patch), test.type.substr(0, query));
    EXPECT_GE(got.code, 400) << test.patch << got.body;
    EXPECT_FALSE(got.body.contains(kStored)) << test.patch << " -> " << got.body;
    EXPECT_FALSE(got.body.contains(kSent)) << test.patch << " -> " << got.body;
  }
}

TEST(SecretPatchTest, ARefusedBodyIsNotShown) {
  WriterFixture server;
  for (const std::string_view body :
       {R"({"data":{"k":"sent-secret"},)", R"({"kind":5,"data":{}})"}) {
    const TestAnswer got = server.Post("/api/v1/namespaces/default/secrets", std::string(body));
    EXPECT_EQ(got.code, 400);
    EXPECT_TRUE(got.message().ends_with("(<value omitted>)")) << got.message();
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
