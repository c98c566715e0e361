#include "apiserver/write/writer.h"

#include <gtest/gtest.h>

#include "apiserver/write/metadata.h"
#include "apiserver/write/write_path.h"
#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

std::string ConfigMap(std::string_view name, std::string_view meta = "",
                      std::string_view rest = "") {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + std::string(name) +
         "\"" + std::string(meta) + "}" + std::string(rest) + "}";
}

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";

/// Admission that records its calls and rejects one name.
class Recorder final : public Admission {
 public:
  std::string_view Name() const override { return "Recorder"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override {
    seen += Text("admit", attributes);
    if (attributes.name == "forbidden") {
      return std::unexpected(api::Forbidden({"", "configmaps", "forbidden"}, "no"));
    }
    if (attributes.document != nullptr) {
      ObjectEditor(*attributes.document, *attributes.kind)
          .Child("metadata")
          .Child("labels")
          .SetText("admitted", "yes");
    }
    return {};
  }
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override {
    seen += Text("validate", attributes);
    return {};
  }
  std::string seen;

 private:
  static std::string Text(std::string_view what, const AdmissionAttributes& attributes) {
    constexpr std::string_view kNames[] = {"create", "update", "delete", "connect"};
    return std::string(what) + " " +
           std::string(kNames[static_cast<std::size_t>(attributes.operation)]) + " " +
           std::string(attributes.namespace_) + "/" + std::string(attributes.name) +
           (attributes.before != nullptr ? " before" : "") + (attributes.is_dry_run ? " dry" : "") +
           "; ";
  }
};

TEST(WriterTest, ACreatedObjectHasWhatTheServerSets) {
  WriterFixture server;
  const TestAnswer made =
      server.Post(kPods, PodJson("web", R"(,"uid":"mine","selfLink":"/x","generation":7)", "",
                                 R"(,"status":{"phase":"Running"})"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("metadata", "namespace"), "default");
  EXPECT_EQ(made.At("metadata", "creationTimestamp"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(made.At("metadata", "uid").size(), 36u);
  EXPECT_EQ(made.At("metadata", "selfLink"), "");
  EXPECT_EQ(made.At("metadata", "generation"), "1");
  EXPECT_EQ(made.At("metadata", "resourceVersion"), "1");
  EXPECT_EQ(made.At("spec", "restartPolicy"), "Always");
  EXPECT_EQ(made.At("status"), R"({"phase":"Pending","qosClass":"BestEffort"})");
  EXPECT_EQ(*server.Stored("pods", "web")->bytes(), made.body);
}

struct CreateCase {
  std::string name;
  std::string target;
  std::string body;
  int code = 0;
  std::string message;
};

class CreateRefusalTest : public testing::TestWithParam<CreateCase> {};

TEST_P(CreateRefusalTest, Says) {
  const CreateCase& test = GetParam();
  WriterFixture server;
  ASSERT_EQ(server.Post(kMaps, ConfigMap("taken")).code, 201);
  const TestAnswer got = server.Post(test.target, test.body);
  EXPECT_EQ(got.code, test.code);
  EXPECT_EQ(got.message(), test.message);
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, CreateRefusalTest,
    testing::ValuesIn<CreateCase>({
        {"Taken", std::string(kMaps), ConfigMap("taken"), 409,
         R"(configmaps "taken" already exists)"},
        {"OtherNamespace", std::string(kMaps), ConfigMap("a", R"(,"namespace":"other")"), 400,
         "the namespace of the provided object does not match the namespace sent on the request"},
        {"WithVersion", std::string(kMaps), ConfigMap("a", R"(,"resourceVersion":"5")"), 500,
         "resourceVersion should not be set on objects to be created"},
        {"WithoutName", std::string(kMaps), R"({"metadata":{}})", 422,
         R"(ConfigMap "" is invalid: metadata.name: Required value: name or generateName is )"
         "required"},
        {"BadName", std::string(kPods), PodJson("A_"), 422,
         "Pod \"A_\" is invalid: metadata.name: Invalid value: \"A_\": a lowercase RFC 1123 "
         "subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
         "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
         "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"},
        {"DryRunOfOther", std::string(kMaps) + "?dryRun=Some", ConfigMap("a"), 422,
         R"(CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: )"
         R"(supported values: "All")"},
        {"DryRunOfTaken", std::string(kMaps) + "?dryRun=All", ConfigMap("taken"), 409,
         R"(configmaps "taken" already exists)"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(WriterTest, NamesAreGenerated) {
  WriterFixture server;
  std::string body = ConfigMap("");
  body.replace(body.find("\"name\":\"\""), 9, "\"generateName\":\"map-\"");
  const TestAnswer one = server.Post(kMaps, body);
  const TestAnswer two = server.Post(kMaps, body);
  ASSERT_EQ(one.code, 201);
  ASSERT_EQ(two.code, 201);
  EXPECT_EQ(one.At("metadata", "name").size(), 9u);
  EXPECT_NE(one.At("metadata", "name"), two.At("metadata", "name"));
}

TEST(WriterTest, ADryRunStoresNothing) {
  WriterFixture server;
  const TestAnswer made = server.Post(std::string(kMaps) + "?dryRun=All", ConfigMap("a"));
  EXPECT_EQ(made.code, 201);
  EXPECT_EQ(made.At("metadata", "uid").size(), 36u);
  EXPECT_EQ(made.At("metadata", "resourceVersion"), "");
  EXPECT_EQ(server.Stored("configmaps", "a"), nullptr);

  ASSERT_EQ(server.Post(kMaps, ConfigMap("a")).code, 201);
  const TestAnswer changed =
      server.Put(std::string(kMap) + "?dryRun=All", ConfigMap("a", "", R"(,"data":{"k":"v"})"));
  EXPECT_EQ(changed.code, 200);
  EXPECT_EQ(changed.At("data", "k"), "v");
  EXPECT_EQ(changed.At("metadata", "resourceVersion"), "1");
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

TEST(WriterTest, AnObjectThatIsBeingDeletedIsSaidToBe) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kMaps, ConfigMap("a", R"(,"finalizers":["x/y"])")).code, 201);
  ASSERT_EQ(server.Delete(kMap).code, 200);
  EXPECT_EQ(server.Post(kMaps, ConfigMap("a")).message(),
            R"(object is being deleted: configmaps "a" already exists)");
}

TEST(WriterTest, AnUpdateKeepsWhatItMayNotChange) {
  WriterFixture server;
  const TestAnswer made = server.Post(kPods, PodJson("web"));
  const TestAnswer changed = server.Put(
      PodTarget("web"),
      PodJson("web",
              R"(,"labels":{"a":"b"},"creationTimestamp":"2020-01-01T00:00:00Z","generation":9)",
              "", R"(,"status":{"phase":"Running"})"));
  ASSERT_EQ(changed.code, 200) << changed.body;
  EXPECT_EQ(changed.At("metadata", "labels", "a"), "b");
  for (const std::string_view field : {"uid", "creationTimestamp", "generation"}) {
    EXPECT_EQ(changed.At("metadata", field), made.At("metadata", field)) << field;
  }
  EXPECT_EQ(changed.At("metadata", "resourceVersion"), "2");
  EXPECT_EQ(changed.At("status", "phase"), "Pending");
}

TEST(WriterTest, AnUpdateThatChangesNothingIsNotWritten) {
  WriterFixture server;
  const TestAnswer made = server.Post(kMaps, ConfigMap("a", R"(,"labels":{"x":"1","y":"2"})"));
  const TestAnswer same = server.Put(kMap, ConfigMap("a", R"(,"labels":{"y":"2","x":"1"})"));
  EXPECT_EQ(same.code, 200);
  EXPECT_EQ(same.body, made.body);
  EXPECT_EQ(store::Number(server.store().latest()), 1);
}

struct UpdateCase {
  std::string name;
  std::string target;
  std::string body;
  int code = 0;
  std::string message;
};

class UpdateRefusalTest : public testing::TestWithParam<UpdateCase> {};

TEST_P(UpdateRefusalTest, Says) {
  const UpdateCase& test = GetParam();
  WriterFixture server;
  ASSERT_EQ(server.Post(kMaps, ConfigMap("a")).code, 201);
  ASSERT_EQ(server
                .Post("/apis/coordination.k8s.io/v1/namespaces/default/leases",
                      R"({"metadata":{"name":"l"}})")
                .code,
            201);
  const TestAnswer got = server.Put(test.target, test.body);
  EXPECT_EQ(got.code, test.code);
  std::string message = got.message();
  const ObjectPtr map = server.Stored("configmaps", "a");
  if (const auto at = message.find(map->uid()); at != std::string::npos) {
    message.replace(at, map->uid().size(), "UID");
  }
  EXPECT_EQ(message, test.message);
}

INSTANTIATE_TEST_SUITE_P(
    All, UpdateRefusalTest,
    testing::ValuesIn<UpdateCase>({
        {"OldVersion", std::string(kMap), ConfigMap("a", R"(,"resourceVersion":"77")"), 409,
         R"(Operation cannot be fulfilled on configmaps "a": )" + std::string(kModified)},
        {"MalformedVersion", std::string(kMap), ConfigMap("a", R"(,"resourceVersion":"x")"), 409,
         R"(Operation cannot be fulfilled on configmaps "a": )" + std::string(kModified)},
        {"NegativeVersion", std::string(kMap), ConfigMap("a", R"(,"resourceVersion":"-1")"), 409,
         R"(Operation cannot be fulfilled on configmaps "a": )" + std::string(kModified)},
        {"ZeroVersion", std::string(kMap), ConfigMap("a", R"(,"resourceVersion":"0")"), 409,
         R"(Operation cannot be fulfilled on configmaps "a": )" + std::string(kModified)},
        {"OtherUid", std::string(kMap), ConfigMap("a", R"(,"uid":"u")"), 409,
         R"(Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: )"
         "4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: "
         "Precondition failed: UID in precondition: u, UID in object meta: UID"},
        {"OtherName", std::string(kMap), ConfigMap("b"), 400,
         "the name of the object (b) does not match the name on the URL (a)"},
        {"WithoutName", std::string(kMap), R"({"metadata":{}})", 400,
         "the name of the object (a based on URL) was undeterminable: name must be provided"},
        {"Missing", std::string(kMaps) + "/b", ConfigMap("b"), 404, R"(configmaps "b" not found)"},
        {"VersionRequired", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l",
         R"({"metadata":{"name":"l"}})", 422,
         R"(leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: )"
         "0: must be specified for an update"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(WriterTest, SomeKindsAreCreatedByAnUpdate) {
  WriterFixture server;
  const std::string lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l";
  server.authorizer().forbidden_verb = "create";
  EXPECT_EQ(server.Put(lease, R"({"metadata":{"name":"l"}})").message(),
            R"(leases.coordination.k8s.io "l" is forbidden: no)");
  server.authorizer().forbidden_verb.clear();
  const TestAnswer made = server.Put(lease, R"({"metadata":{"name":"l"}})");
  EXPECT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("kind"), "Lease");
  EXPECT_EQ(made.At("metadata", "uid").size(), 36u);
}

TEST(WriterTest, TheLastFinalizerTakesTheObjectWithIt) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kMaps, ConfigMap("a", R"(,"finalizers":["x/y"])")).code, 201);
  const TestAnswer marked = server.Delete(kMap);
  EXPECT_EQ(marked.At("metadata", "deletionTimestamp"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(marked.At("metadata", "deletionGracePeriodSeconds"), "0");
  EXPECT_EQ(server.Put(kMap, ConfigMap("a", R"(,"finalizers":["x/y","x/z"])")).message(),
            R"(ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be )"
            R"(added if the object is being deleted, found new finalizers []string{"x/z"})");
  const TestAnswer gone = server.Put(kMap, ConfigMap("a"));
  EXPECT_EQ(gone.code, 200) << gone.body;
  EXPECT_EQ(gone.At("metadata", "deletionTimestamp"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(server.Stored("configmaps", "a"), nullptr);
}

TEST(WriterTest, AStatusIsWrittenApart) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("web", R"(,"labels":{"a":"b"})")).code, 201);
  const TestAnswer got =
      server.Put(PodTarget("web") + "/status",
                 PodJson("web",
                         R"(,"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n",)"
                         R"("uid":"u"}])",
                         R"(,"nodeName":"n1")", R"(,"status":{"phase":"Running"})"));
  ASSERT_EQ(got.code, 200) << got.body;
  EXPECT_EQ(got.At("status"), R"({"phase":"Running","qosClass":"BestEffort"})");
  EXPECT_EQ(got.At("spec", "nodeName"), "");
  EXPECT_EQ(got.At("metadata", "ownerReferences"), "");
  EXPECT_EQ(got.At("metadata", "generation"), "1");
}

TEST(WriterTest, AdmissionSeesEveryWrite) {
  Recorder gate;
  WriterFixture server({&gate});
  const TestAnswer made = server.Post(kMaps, ConfigMap("a"));
  EXPECT_EQ(made.At("metadata", "labels", "admitted"), "yes");
  server.Put(kMap, ConfigMap("a", R"(,"labels":{"b":"c"})"));
  server.Delete(std::string(kMap) + "?dryRun=All");
  server.Post("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
  EXPECT_EQ(server.Post(kMaps, ConfigMap("forbidden")).code, 403);
  EXPECT_EQ(gate.seen,
            "admit create default/a; validate create default/a; "
            "admit update default/a before; validate update default/a before; "
            "admit delete default/a before dry; validate delete default/a before dry; "
            "admit create shop/shop; validate create shop/shop; "
            "admit create default/forbidden; ");
}

TEST(WriterTest, OwnersThatStandTwiceAreDroppedWithAWarning) {
  WriterFixture server;
  const std::string owner = R"({"apiVersion":"v1","kind":"Node","name":"n","uid":"u"})";
  const TestAnswer made =
      server.Post(kMaps, ConfigMap("a", ",\"ownerReferences\":[" + owner + "," + owner + "]"));
  EXPECT_EQ(made.At("metadata", "ownerReferences"), "[" + owner + "]");
  EXPECT_EQ(made.warnings,
            std::vector<std::string>{
                ".metadata.ownerReferences contains duplicate entries; API server dedups owner "
                "references in 1.20+, and may reject such requests as early as 1.24; please fix "
                "your requests; duplicate UID(s) observed: u"});
}

TEST(WriterTest, EmptyListsAndMapsOfTheMetadataAreLeftOut) {
  WriterFixture server;
  const auto made = server.Post(
      kMaps,
      ConfigMap("a", R"(,"labels":{},"annotations":{},"ownerReferences":[],"finalizers":[])"));
  for (const char* const field : {"labels", "annotations", "ownerReferences", "finalizers"}) {
    EXPECT_EQ(made.At("metadata", field), "") << field;
  }
}

TEST(WriterTest, AWriteOfUnknownFateIsNotTriedAgain) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kMaps, ConfigMap("a")).code, 201);
  WriteTarget target;
  target.resource = &server.Of("configmaps");
  target.namespace_ = "default";
  target.name = "a";
  target.received = server.clock().Now();
  int calls = 0;
  const auto written = server.writer().RetryOnConflict<Written>(
      target, [&](const ObjectPtr&) -> api::Answer<std::optional<Written>> {
        ++calls;
        // The write was done, but the response was lost.
        server.Put(kMap, ConfigMap("a", "", R"(,"data":{"mine":"1"})"));
        return std::unexpected(
            api::FromError({Reason::Timeout, {}, "it is unknown whether the write was done"}));
      });
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, 504);
  EXPECT_EQ(calls, 1);
}

TEST(WriterTest, ASecondLookFollowsALostRace) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kMaps, ConfigMap("a")).code, 201);
  WriteTarget target;
  std::vector<std::string> warnings;
  const User user{.name = "jane"};
  target.resource = &server.Of("configmaps");
  target.namespace_ = "default";
  target.name = "a";
  target.user = &user;
  target.warnings = &warnings;
  target.received = server.clock().Now();
  int calls = 0;
  const auto written = server.writer().Update(target, {}, [&](const api::Object* before) {
    // Another client writes once between our read and our write.
    if (++calls == 1) {
      server.Put(kMap, ConfigMap("a", "", R"(,"data":{"other":"1"})"));
    }
    auto draft = std::make_shared<codec::Document>();
    draft->root() = draft->Clone(before->tree());
    const ObjectEditor object(*draft, before->kind());
    object.Child("metadata").Remove("resourceVersion");
    object.Child("data").SetText("mine", "2");
    return api::Answer<Draft>(draft);
  });
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(calls, 2);
  EXPECT_NE(written->object->bytes()->find(R"("data":{"other":"1","mine":"2"})"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll::apiserver
