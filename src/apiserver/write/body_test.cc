#include "apiserver/write/body.h"

#include <gtest/gtest.h>

#include "api/protobuf/encode_for_test.h"
#include "apiserver/limits.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

const api::KindDesc& PodKind() { return *api::FindKind("", "v1", "Pod"); }

ApiRequest RequestOf(std::string body, std::string type = "application/json") {
  ApiRequest request;
  if (!type.empty()) request.http.headers.Add("Content-Type", std::move(type));
  request.http.body = std::move(body);
  return request;
}

struct BodyCase {
  std::string name;
  std::string body;
  std::string type;
  int code = 0;
  std::string message;
};

class BodyRefusalTest : public testing::TestWithParam<BodyCase> {};

TEST_P(BodyRefusalTest, Says) {
  const BodyCase& test = GetParam();
  std::vector<std::string> warnings;
  const auto got = DecodeBody(RequestOf(test.body, test.type), PodKind(),
                              api::FieldValidation::Strict, warnings);
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().code, test.code);
  EXPECT_EQ(got.error().message, test.message);
}

constexpr std::string_view kUnrecognized =
    "the object provided is unrecognized (must be of type Pod): ";
constexpr std::string_view kAccepted =
    "the body of the request was in an unknown format - accepted media types include: "
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";

INSTANTIATE_TEST_SUITE_P(
    All, BodyRefusalTest,
    testing::ValuesIn<BodyCase>({
        {"Empty", "", "", 400,
         std::string(kUnrecognized) +
             "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"},
        {"NoJson", "{\"kind\":\"Pod\",\"metadata\":{\"name\"}}", "", 400,
         std::string(kUnrecognized) +
             "couldn't get version/kind; json parse error: invalid character '}' after object key "
             "({\"kind\":\"Pod\",\"metadata\":{\"nam ...)"},
        {"AList", "[1]", "", 400,
         std::string(kUnrecognized) +
             "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go "
             "value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind "
             "string \"json:\\\"kind,omitempty\\\"\" } (5b315d)"},
        {"NumberAsKind", R"({"kind":5})", "", 400,
         std::string(kUnrecognized) +
             "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go "
             "struct field .kind of type string ({\"kind\":5})"},
        {"NoProtobuf", "{}", "application/vnd.kubernetes.protobuf", 400,
         std::string(kUnrecognized) +
             "provided data does not appear to be a protobuf message, expected prefix "
             "[107 56 115 0] ({})"},
        {"CutProtobuf", api::EncodeEnvelope("v1", "Pod", "\x0A"),
         "application/vnd.kubernetes.protobuf", 400,
         R"(Pod in version "v1" cannot be handled as a Pod: unexpected EOF)"},
        {"OtherKindAsProtobuf", api::EncodeEnvelope("apps/v1", "Deployment", "\x0A"),
         "application/vnd.kubernetes.protobuf", 400,
         R"(Deployment in version "v1" cannot be handled as a Pod: converting (v1.Deployment) to )"
         "(core.Pod): unknown conversion"},
        {"Cbor", "x", "application/cbor", 415, std::string(kAccepted)},
        {"UnknownKind", R"({"kind":"Foo","apiVersion":"v1"})", "", 400,
         R"(Foo in version "v1" cannot be handled as a Pod: no kind "Foo" is registered for )"
         R"(version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30")"},
        {"OtherKind", R"({"kind":"Deployment","apiVersion":"apps/v1"})", "", 400,
         R"(Deployment in version "v1" cannot be handled as a Pod: converting (v1.Deployment) to )"
         "(core.Pod): unknown conversion"},
        {"OtherVersion", R"({"kind":"Pod","apiVersion":"v2"})", "", 400,
         "the API version in the data (v2) does not match the expected API version (v1)"},
        {"WrongType", R"({"spec":{"priority":"high"}})", "", 400,
         R"(Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into )"
         "Go struct field PodSpec.spec.priority of type int32"},
        {"UnknownField", R"({"spec":{"foo":1}})", "", 400,
         R"(Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field )"
         "\"spec.foo\""},
        {"TooLarge", std::string(kBodyBytesMax + 1, ' '), "", 413,
         "Request entity too large: limit is 3145728"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(BodyTest, WhatTheEndpointTakesNeedNotBeSaid) {
  std::vector<std::string> warnings;
  const auto got = DecodeBody(RequestOf(R"({"metadata":{"name":"a"}})", ""), PodKind(),
                              api::FieldValidation::Warn, warnings);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(codec::WriteJson(*(*got)->root().Find("kind")), "\"Pod\"");
  EXPECT_EQ(codec::WriteJson(*(*got)->root().Find("apiVersion")), "\"v1\"");
}

TEST(BodyTest, YamlIsReadAndUnknownFieldsAreTold) {
  std::vector<std::string> warnings;
  const auto got =
      DecodeBody(RequestOf("metadata:\n  name: a\nspec:\n  foo: 1\n", "application/yaml"),
                 PodKind(), api::FieldValidation::Warn, warnings);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(warnings, std::vector<std::string>{"unknown field \"spec.foo\""});
  EXPECT_EQ((*got)->root().Find("spec")->Find("foo"), nullptr);
}

TEST(BodyTest, ProtobufIsReadAndGetsItsDefaults) {
  const auto pod = codec::ParseJson(
      R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i:1"}]}})");
  const std::string message = api::EncodeMessage(*PodKind().type, (*pod)->root());
  std::vector<std::string> warnings;
  const auto got = DecodeBody(
      RequestOf(api::EncodeEnvelope("v1", "Pod", message), "application/vnd.kubernetes.protobuf"),
      PodKind(), api::FieldValidation::Strict, warnings);
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(codec::WriteJson(*(*got)->root().Find("metadata")), R"({"name":"a"})");
  EXPECT_EQ(codec::WriteJson(*(*got)->root().Find("spec")->Find("restartPolicy")), "\"Always\"");
}

}  // namespace
}  // namespace plimsoll::apiserver
