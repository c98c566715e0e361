#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"
#include "base/text/base64.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kConstant = R"("value":{"constant":"5"})";

std::string Rule(std::string_view members = kConstant,
                 std::string_view taint = R"("key":"k","effect":"NoExecute")",
                 std::string_view name = "r") {
  return R"({"apiVersion":"plimsoll.io/v1alpha1","kind":"NodeTaintRule","metadata":{"name":")" +
         std::string(name) + R"("},"spec":{"taint":{)" + std::string(taint) + "}," +
         std::string(members) + "}}";
}
std::string WithSource(std::string_view source) {
  return Rule(R"("value":{)" + std::string(source) + "}");
}
std::string WithMember(std::string_view member) {
  return Rule(std::string(kConstant) + "," + std::string(member));
}
std::string WithPrometheus(std::string_view members) {
  return WithSource(R"("prometheus":{)" + std::string(members) + "}");
}
std::string WithBundle(std::string_view server, std::string_view pem) {
  return WithPrometheus(R"("query":"q","server":")" + std::string(server) + R"(","caBundle":")" +
                        EncodeBase64(pem) + "\"");
}
std::string ManyNames(int count) {
  std::string names;
  for (int i = 0; i < count; ++i) names += (i == 0 ? "\"n" : ",\"n") + std::to_string(i) + "\"";
  return WithMember(R"("nodes":{"names":[)" + names + "]}");
}

class NodeTaintRuleTest : public testing::TestWithParam<KindCase> {};

TEST_P(NodeTaintRuleTest, SaysWhatIsWrong) { EXPECT_EQ(FaultsOf(GetParam()), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    Spec, NodeTaintRuleTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Least", Rule(), "", {}},
        {"Everything",
         WithMember(R"("nodes":{"matchLabels":{"a":"b"},"cel":"true","names":["n"]},"step":5,)"
                    R"("hysteresis":2,"minInterval":"60s","maxChangesPerMinute":1,)"
                    R"("expires":"2026-01-01T00:00:00Z","description":"d",)"
                    R"("stale":{"after":"10m","then":"Value","value":"100"})"),
         "",
         {}},
        {"LongestName",
         Rule(kConstant, R"("key":"k","effect":"None")", std::string(63, 'a')),
         "",
         {}},
        {"NameTooLong",
         Rule(kConstant, R"("key":"k","effect":"None")", std::string(64, 'a')),
         "",
         {"metadata.name: Too long: may not be more than 63 bytes"}},
        {"NoKey",
         Rule(kConstant, R"("key":"","effect":"Later")"),
         "",
         {"spec.taint.key: Required value",
          R"(spec.taint.effect: Unsupported value: "Later": supported values: "NoExecute", "NoSchedule", "None", "PreferNoSchedule")"}},
        {"KeyIsImmutable",
         Rule(kConstant, R"("key":"a","effect":"NoExecute")"),
         Rule(kConstant, R"("key":"b","effect":"NoExecute")"),
         {R"(spec.taint.key: Invalid value: "a": field is immutable)"}},
        {"EffectMayChange", Rule(), Rule(kConstant, R"("key":"k","effect":"None")"), {}},
        {"MostNames", ManyNames(1000), "", {}},
        {"TooManyNames",
         ManyNames(1001),
         "",
         {"spec.nodes.names: Too many: 1001: must have at most 1000 items"}},
        {"Selection",
         WithMember(R"("nodes":{"cel":"pod","matchLabels":{"a b":"c"}})"),
         "",
         {R"(spec.nodes.matchLabels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'))",
          R"(spec.nodes.cel: Invalid value: "pod": compilation failed: ERROR: <input>:1:1: undeclared reference to 'pod' (in container ''))"
          "\n | pod\n | ^"}},
        {"Numbers",
         WithMember(R"("step":-1,"hysteresis":-1,"maxChangesPerMinute":0)"),
         "",
         {"spec.step: Invalid value: -1: must be between 1 and 1000000000000",
          "spec.hysteresis: Invalid value: -1: must be between 0 and 1000000000000",
          "spec.maxChangesPerMinute: Invalid value: 0: must be between 1 and 1000000000000"}},
        {"Interval",
         WithMember(R"("minInterval":"often")"),
         "",
         {R"(spec.minInterval: Invalid value: "often": must be a duration such as 30s or 1h30m)"}},
        {"NegativeInterval",
         WithMember(R"("minInterval":"-1s")"),
         "",
         {R"(spec.minInterval: Invalid value: "-1s": must be between 0s and 24h)"}},
        {"StaleWithoutValue",
         WithMember(R"("stale":{"then":"Value","after":"0s"})"),
         "",
         {R"(spec.stale.after: Invalid value: "0s": must be between 1s and 720h)",
          "spec.stale.value: Required value: must be set if `then` is Value"}},
        {"StaleWithUselessValue",
         WithMember(R"("stale":{"then":"Keep","value":"1"})"),
         "",
         {"spec.stale.value: Forbidden: may only be set if `then` is Value"}},
        {"Description",
         WithMember(R"("description":")" + std::string(1025, 'd') + "\""),
         "",
         {"spec.description: Too long: may not be more than 1024 bytes"}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Source, NodeTaintRuleTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"None",
         WithSource(""),
         "",
         {"spec.value: Required value: one of annotation, constant, expression, file and "
          "prometheus must be set"}},
        {"Two",
         WithSource(R"("constant":"","annotation":"a")"),
         "",
         {"spec.value: Forbidden: only one of annotation, constant, expression, file and "
          "prometheus may be set"}},
        {"EmptyConstant", WithSource(R"("constant":"")"), "", {}},
        {"Annotation", WithSource(R"("annotation":"a.b/c")"), "", {}},
        {"Expression", WithSource(R"("expression":"node.metadata.?labels['x']")"), "", {}},
        {"ExpressionOfBool",
         WithSource(R"("expression":"true")"),
         "",
         {R"(spec.value.expression: Invalid value: "true": must evaluate to int, string or none, not bool)"}},
        {"ExpressionTooLong",
         WithSource(R"("expression":")" + std::string(10241, ' ') + "\""),
         "",
         {"spec.value.expression: Too long: may not be more than 10240 bytes"}},
        {"StoredExpressionStays",
         WithSource(R"("expression":"old syntax")"),
         WithSource(R"("expression":"old syntax")"),
         {}},
        {"File",
         WithSource(R"("file":"/run/x")"),
         "",
         {"spec.value.file: Forbidden: files are not supported by this version; let an agent on "
          "the node write an annotation of the node, and use `annotation`"}},
        {"Prometheus", WithPrometheus(R"("server":"http://p:9090","query":"up")"), "", {}},
        {"PrometheusWithToken",
         WithPrometheus(
             R"("server":"https://p","query":"up","bearerToken":{"namespace":"a","name":"b","key":"c"})"),
         "",
         {}},
        {"TokenWithoutTls",
         WithPrometheus(
             R"("server":"http://p","query":"up","bearerToken":{"namespace":"a","name":"b","key":""})"),
         "",
         {"spec.value.prometheus.bearerToken: Forbidden: may only be sent to a server with https",
          "spec.value.prometheus.bearerToken.key: Required value"}},
        {"NothingToAsk",
         WithPrometheus(R"("server":"","query":"")"),
         "",
         {"spec.value.prometheus.server: Required value",
          "spec.value.prometheus.query: Required value"}},
        {"Server",
         WithPrometheus(R"("server":"https://u:p@h","query":"up")"),
         "",
         {R"(spec.value.prometheus.server: Invalid value: "https://u:p@h": must have no user information; use a Secret)"}},
        {"Times",
         WithPrometheus(R"("server":"http://p","query":"up","interval":"999ms","timeout":"61s")"),
         "",
         {R"(spec.value.prometheus.interval: Invalid value: "999ms": must be between 1s and 24h)",
          R"(spec.value.prometheus.timeout: Invalid value: "61s": must be between 100ms and 1m)"}},
        {"NodeLabel",
         WithPrometheus(R"("server":"http://p","query":"up","nodeLabel":"a-b")"),
         "",
         {R"(spec.value.prometheus.nodeLabel: Invalid value: "a-b": a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*'))"}},
        {"Bundle",
         WithBundle("https://p", "-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n"),
         "",
         {}},
        {"BundleWithKey",
         WithBundle("https://p", "-----BEGIN PRIVATE KEY-----\nTUlJ\n-----END PRIVATE KEY-----\n"),
         "",
         {R"(spec.value.prometheus.caBundle: Invalid value: "...": must be certificates in PEM form)"}},
        {"BundleWithoutTls",
         WithBundle("http://p", "-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n"),
         "",
         {"spec.value.prometheus.caBundle: Forbidden: may only be set for a server with https"}},
        {"OpenBundle",
         WithBundle("https://p", "-----BEGIN CERTIFICATE-----\nTUlJ\n"),
         "",
         {R"(spec.value.prometheus.caBundle: Invalid value: "...": must be certificates in PEM form)"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
