#include "api/object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;

std::shared_ptr<codec::Document> Parse(std::string json) {
  auto document = codec::ParseJson(std::move(json));
  EXPECT_TRUE(document.has_value()) << (document ? "" : document.error().message);
  return *std::move(document);
}

TEST(ObjectTest, APodCanBeReadByFieldAndAsTree) {
  const auto document = Parse(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","labels":{"app":"x"}},)"
      R"("spec":{"tolerations":[{"key":"k","operator":"Gt","value":"5"}],"hostIPC":true,)"
      R"("containers":[{"name":"c","image":"i","resources":{"requests":{"memory":"1Gi","cpu":2}}}]}})");
  const auto decoded = DecodeObject(
      document, {.field_validation = FieldValidation::Strict, .apply_defaults = false});
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  const Object& object = *decoded->object;
  EXPECT_EQ(object.kind().plural, "pods");
  EXPECT_EQ(object.metadata().name, "web");
  EXPECT_EQ(object.As<Node>(), nullptr);
  const Pod* pod = object.As<Pod>();
  ASSERT_NE(pod, nullptr);
  ASSERT_EQ(pod->spec.tolerations.size(), 1u);
  EXPECT_EQ(pod->spec.tolerations[0].op, "Gt");
  ASSERT_EQ(pod->spec.containers.size(), 1u);
  const ResourceList& requests = pod->spec.containers[0].resources.requests;
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].name, "cpu");
  EXPECT_EQ(requests[0].quantity.Value(), 2);
  EXPECT_EQ(requests[1].text, "1Gi");
  // Fields without a struct member are still in the tree.
  EXPECT_TRUE(object.tree().Find("spec")->Find("hostIPC")->AsBool());
}

TEST(ObjectTest, AKindWithoutAViewHasItsMetadata) {
  const auto decoded = DecodeObject(
      Parse(R"({"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"gpu"},)"
            R"("handler":"h"})"));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_EQ(decoded->object->metadata().name, "gpu");
  EXPECT_NE(decoded->object->As<UntypedObject>(), nullptr);
}

TEST(ObjectTest, OutlivesTheParserAndTheCaller) {
  std::shared_ptr<const Object> object;
  {
    const auto decoded =
        DecodeObject(Parse(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},)"
                           R"("spec":{"taints":[{"key":"k","effect":"NoExecute"}]}})"));
    ASSERT_TRUE(decoded.has_value());
    object = decoded->object;
  }
  EXPECT_EQ(object->metadata().name, "n1");
  EXPECT_EQ(object->As<Node>()->spec.taints[0].key, "k");
}

TEST(ObjectTest, WarningsNameWhatWasDropped) {
  const auto decoded = DecodeObject(
      Parse("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\n\"spec\":{\"a\":1},\n\"spec\":{\"b\":2}}"));
  ASSERT_TRUE(decoded.has_value());
  std::vector<std::string> texts;
  for (const StrictFinding& warning : decoded->warnings) texts.push_back(warning.Text());
  EXPECT_THAT(texts, ElementsAre(R"(unknown field "spec.b")", R"(duplicate field "spec")"));
}

struct FaultCase {
  std::string name;
  std::string json;
  std::string message;
};

class ObjectFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(ObjectFaultTest, IsToldInUpstreamsWords) {
  const auto decoded =
      DecodeObject(Parse(GetParam().json), {.field_validation = FieldValidation::Strict});
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().reason, Reason::BadRequest);
  EXPECT_EQ(decoded.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ObjectFaultTest,
    testing::ValuesIn<FaultCase>({
        {"NoKind", R"({"apiVersion":"v1"})",
         R"(Object 'Kind' is missing in '{"apiVersion":"v1"}')"},
        {"NullKind", R"({"apiVersion":"v1","kind":null})",
         R"(Object 'Kind' is missing in '{"apiVersion":"v1","kind":null}')"},
        {"NoVersion", R"({"kind":"Pod"})", R"(Object 'apiVersion' is missing in '{"kind":"Pod"}')"},
        {"UnknownKind", R"({"apiVersion":"bar/v1","kind":"Foo"})",
         R"(no kind "Foo" is registered for version "bar/v1")"},
        {"CaseCounts", R"({"apiVersion":"v1","kind":"pod"})",
         R"(no kind "pod" is registered for version "v1")"},
        {"OtherVersion", R"({"apiVersion":"apps/v1beta1","kind":"Deployment"})",
         R"(no kind "Deployment" is registered for version "apps/v1beta1")"},
        {"TooManySlashes", R"({"apiVersion":"a/b/c","kind":"Pod"})",
         "unexpected GroupVersion string: a/b/c"},
        {"KindIsNoText", R"({"apiVersion":"v1","kind":5})",
         "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go "
         "struct field .kind of type string"},
        {"NoObject", R"([])",
         "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value "
         "of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
         "\"json:\\\"kind,omitempty\\\"\" }"},
        {"WrongType", R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":"2"}})",
         R"(Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal )"
         "string into Go struct field DeploymentSpec.spec.replicas of type int32"},
        {"BadQuantity", R"({"apiVersion":"v1","kind":"Pod","spec":{"overhead":{"cpu":"1 core"}}})",
         R"(Pod in version "v1" cannot be handled as a Pod: quantities must match the regular )"
         R"(expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$')"},
        {"UnknownField", R"({"apiVersion":"v1","kind":"Pod","spec":{"foo":1}})",
         R"(Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field )"
         R"("spec.foo")"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(FindObjectsTest, AnObjectIsItsOwn) {
  const auto document = Parse(R"({"apiVersion":"v1","kind":"Pod"})");
  const auto sources = FindObjects(*document);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].tree, &document->root());
}

TEST(FindObjectsTest, ListsAreOpenedAndTheirItemsReadOnTheirOwn) {
  const auto document = Parse(
      "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n"
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"spec":{"x":1,"podCIDR":"a",)"
      "\"podCIDR\":\"b\"}},\n"
      R"({"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"b"}},{"spec":)"
      "\n\"x\"}]}]}");
  const auto sources = FindObjects(*document);
  ASSERT_EQ(sources.size(), 3u);
  EXPECT_EQ(sources[0].path, "items[0]");
  EXPECT_EQ(sources[2].path, "items[1].items[1]");

  const auto node = DecodeObject(document, sources[0]);
  ASSERT_TRUE(node.has_value()) << node.error().message;
  std::vector<std::string> texts;
  for (const StrictFinding& warning : node->warnings) texts.push_back(warning.Text());
  EXPECT_THAT(texts, ElementsAre(R"(unknown field "spec.x")", R"(duplicate field "spec.podCIDR")"));

  const auto pod = DecodeObject(document, sources[1]);
  ASSERT_TRUE(pod.has_value()) << pod.error().message;
  EXPECT_EQ(pod->object->metadata().name, "b");
  EXPECT_NE(pod->object->As<Pod>(), nullptr);

  const auto broken = DecodeObject(document, sources[2]);
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().field, "spec");
  EXPECT_EQ(FindPath(*sources[2].tree, broken.error().field)->line(), 4u);
}

}  // namespace
}  // namespace plimsoll::api
