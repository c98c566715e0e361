#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateConfigTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateConfigTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateConfigTest,
    testing::ValuesIn<KindCase>({
        {"Right", R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b","c":""}})", "", {}},
        {"Keys",
         R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a/b":"","..":"","..x":"","k":""},"binaryData":{"k":"YQ=="}})",
         "",
         {R"(data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+'))",
          R"(data[..]: Invalid value: "..": must not be '..')",
          R"(data[..x]: Invalid value: "..x": must not start with '..')",
          R"(data[k]: Invalid value: "k": duplicate of key present in binaryData)"}},
        {"StaysImmutable",
         R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"c"}})",
         R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"},"immutable":true})",
         {R"(immutable: Forbidden: field is immutable when `immutable` is set)",
          R"(data: Forbidden: field is immutable when `immutable` is set)"}},
        {"MutableChanges",
         R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"c"}})",
         R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"}})",
         {}},
        {"SecretTypeStays",
         R"({"apiVersion":"v1","kind":"Secret","type":"a","data":{}})",
         R"({"apiVersion":"v1","kind":"Secret","type":"b","data":{}})",
         {R"(type: Invalid value: "a": field is immutable)"}},
        {"ImmutableSecret",
         R"({"apiVersion":"v1","kind":"Secret","type":"a","data":{"k":"YQ=="},"immutable":true})",
         R"({"apiVersion":"v1","kind":"Secret","type":"a","data":{"k":"YWI="},"immutable":true})",
         {R"(data: Forbidden: field is immutable when `immutable` is set)"}},
        {"Token",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/service-account-token","data":{}})",
         "",
         {R"(metadata.annotations[kubernetes.io/service-account.name]: Required value)"}},
        {"BasicAuth",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/basic-auth","data":{}})",
         "",
         {R"(data[username]: Required value)", R"(data[password]: Required value)"}},
        {"BasicAuthOfOne",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/basic-auth","stringData":{"username":"u"}})",
         "",
         {}},
        {"Ssh",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/ssh-auth","data":{}})",
         "",
         {R"(data[ssh-privatekey]: Required value)"}},
        {"Tls",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/tls","stringData":{"tls.crt":"c"}})",
         "",
         {R"(data[tls.key]: Required value)"}},
        {"DockerMissing",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/dockerconfigjson","data":{}})",
         "",
         {R"(data[.dockerconfigjson]: Required value)"}},
        {"DockerNoObject",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/dockercfg","stringData":{".dockercfg":"[]"}})",
         "",
         {R"(data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {})"}},
        {"Docker",
         R"({"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/dockerconfigjson","stringData":{".dockerconfigjson":"{}"}})",
         "",
         {}},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ValidateConfigSizeTest, AMebibyteIsTheMost) {
  const auto map = [](std::size_t bytes) {
    return R"({"apiVersion":"v1","kind":"ConfigMap","data":{"k":")" + std::string(bytes, 'x') +
           "\"}}";
  };
  EXPECT_THAT(FaultsOf({"", map(1 << 20), "", {}}), testing::IsEmpty());
  EXPECT_THAT(FaultsOf({"", map((1 << 20) + 1), "", {}}),
              testing::ElementsAre(": Too long: may not be more than 1048576 bytes"));
  const auto secret = [](std::size_t bytes) {
    return R"({"apiVersion":"v1","kind":"Secret","stringData":{"k":")" + std::string(bytes, 'x') +
           "\"}}";
  };
  EXPECT_THAT(FaultsOf({"", secret(1 << 20), "", {}}), testing::IsEmpty());
  EXPECT_THAT(FaultsOf({"", secret((1 << 20) + 1), "", {}}),
              testing::ElementsAre("data: Too long: may not be more than 1048576 bytes"));
}

}  // namespace
}  // namespace plimsoll::api
