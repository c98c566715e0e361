#include <gtest/gtest.h>

#include "api/expression/toleration_expression.h"
#include "api/validation/device/device_claim.h"
#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

std::string Claim(std::string_view devices) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","spec":{"devices":{)" +
         std::string(devices) + "}}}";
}

std::string ClaimWith(std::string_view request_members) {
  return Claim(R"("requests":[{"name":"r","exactly":{"deviceClassName":"c",)" +
               std::string(request_members) + "}}]");
}

std::string Tolerating(std::string_view toleration) {
  return ClaimWith(R"("tolerations":[)" + std::string(toleration) + "]");
}

class ResourceClaimTest : public testing::TestWithParam<KindCase> {};

TEST_P(ResourceClaimTest, SaysWhatIsWrong) { EXPECT_EQ(FaultsOf(GetParam()), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    Requests, ResourceClaimTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Right", ClaimWith(R"("count":2)"), "", {}},
        {"Nothing", Claim(""), "", {}},
        {"NeitherForm",
         Claim(R"("requests":[{"name":"r"}])"),
         "",
         {R"(spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required)"}},
        {"BothForms",
         Claim(
             R"("requests":[{"name":"r","exactly":{"deviceClassName":""},"firstAvailable":[{"name":"s"}]}])"),
         "",
         {R"(spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set)"}},
        {"NoClass",
         Claim(R"("requests":[{"name":"r","exactly":{}}])"),
         "",
         {R"(spec.devices.requests[0].exactly.deviceClassName: Required value)"}},
        {"Count",
         ClaimWith(R"("count":-1)"),
         "",
         {R"(spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero)"}},
        {"Cost",
         ClaimWith(
             R"j("selectors":[{"cel":{"expression":"device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a + b + c + d != ''))))"}}])j"),
         "",
         {R"(spec.devices.requests[0].exactly.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit)"}},
        {"NoAttribute",
         Claim(R"("constraints":[{}])"),
         "",
         {R"(spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set)"}},
        {"AttributeNames",
         Claim(R"("constraints":[{"matchAttribute":"/a"},{"distinctAttribute":"a.com/"}])"),
         "",
         {R"(spec.devices.constraints[0].matchAttribute: Invalid value: "": prefix must not be empty)",
          R"(spec.devices.constraints[1].distinctAttribute: Invalid value: "": name must not be empty)"}},
        {"References",
         Claim(
             R"("requests":[{"name":"r","firstAvailable":[{"name":"s","deviceClassName":"c"}]}],"config":[{"requests":["r","r/s","r/t","r/s/t"],"opaque":{"driver":"d.com","parameters":{}}}])"),
         "",
         {R"(spec.devices.config[0].requests[2]: Invalid value: "r/t": must be the name of a request in the claim or the name of a request and a subrequest separated by '/')",
          R"(spec.devices.config[0].requests[3]: Invalid value: "r/s/t": must be the name of a request in the claim or the name of a request and a subrequest separated by '/')"}},
        {"Parameters",
         Claim(R"("config":[{"opaque":{"driver":"d.com","parameters":{"a":")" +
               std::string(10240, 'x') + R"("}}}])"),
         "",
         {R"(spec.devices.config[0].opaque.parameters: Too long: may not be more than 10240 bytes)"}},
        {"SpecStays",
         ClaimWith(R"("count":2)"),
         ClaimWith(R"("count":3)"),
         {R"(spec: Invalid value: null: field is immutable)"}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tolerations, ResourceClaimTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Default", Tolerating(R"({"key":"k"})"), "", {}},
        {"Numbers", Tolerating(R"({"key":"k","operator":"Gt","value":"-5"})"), "", {}},
        {"NoNumber",
         Tolerating(R"({"key":"k","operator":"Lt","value":"05"})"),
         "",
         {R"(spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "05": must be a valid decimal integer in canonical form)"}},
        {"Versions", Tolerating(R"({"key":"k","operator":"SemverEq","value":"v1.2"})"), "", {}},
        {"NoVersion",
         Tolerating(R"({"key":"k","operator":"SemverGt","value":"1.x"})"),
         "",
         {R"(spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "1.x": Invalid character(s) found in minor number "x")"}},
        {"Expression", Tolerating(R"({"expression":"taint.key == 'k'"})"), "", {}},
        {"ExpressionAndMore",
         Tolerating(R"({"expression":"true","operator":"Exists"})"),
         "",
         {R"(spec.devices.requests[0].exactly.tolerations[0].expression: Invalid value: "true": expression cannot be used with key, value, operator, or effect fields)"}},
        {"EmptyKey",
         Tolerating(R"({"value":"v"})"),
         "",
         {R"(spec.devices.requests[0].exactly.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys")"}},
        {"SecondsOfAnotherEffectAreIgnored",
         Tolerating(R"({"key":"k","effect":"NoSchedule","tolerationSeconds":1})"),
         "",
         {}},
        {"SecondsForAllEffects", Tolerating(R"({"key":"k","tolerationSeconds":1})"), "", {}},
        {"TooMany",
         Tolerating(R"({"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"},)"
                    R"({"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"},)"
                    R"({"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"},{"key":"a"})"),
         "",
         {R"(spec.devices.requests[0].exactly.tolerations: Too many: 17: must have at most 16 items)"}},
    }),
    [](const auto& test) { return test.param.name; });

std::shared_ptr<const Object> Read(std::string json) {
  const std::size_t kind = json.find(R"("kind")");
  json.insert(kind, R"("metadata":{"name":"x","namespace":"ns","resourceVersion":"1"},)");
  return ObjectFrom(std::move(json));
}

std::string Template(std::string_view toleration) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","spec":{"spec":)"
         R"({"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","tolerations":[)" +
         std::string(toleration) + "]}}]}}}}";
}

TEST(ResourceClaimGatesTest, RefuseWhatIsNewAndKeepWhatWasThere) {
  const ValidationContext off =
      ContextWithout({Feature::TaintTolerationComparisonOperators, Feature::TaintTolerationCEL});
  EXPECT_EQ(
      Texts(ValidateCreate(*Read(Tolerating(R"({"key":"k","operator":"Gt","value":"1"})")), off)),
      std::vector<std::string>{
          R"(spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists")"});
  EXPECT_EQ(
      Texts(ValidateCreate(*Read(Tolerating(R"({"expression":"true"})")), off)),
      std::vector<std::string>{
          R"(spec.devices.requests[0].exactly.tolerations[0].expression: Forbidden: may not be set when the feature gate TaintTolerationCEL is off)"});
  const auto stored = Read(Template(R"({"key":"k","operator":"Gt","value":"1"})"));
  EXPECT_TRUE(ValidateUpdate(*stored, *stored, off).empty());
}

TEST(ResourceClaimExpressionTest, IsCompiled) {
  const TolerationExpressions expressions;
  ValidationContext context;
  context.expressions = &expressions;
  const FieldErrors errors =
      ValidateCreate(*Read(Tolerating(R"({"expression":"taint.value"})")), context);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.list()[0].detail, "must evaluate to bool or the unknown type, not string");
}

/// The text of an expression is its cost.
class Priced final : public ExpressionChecker {
 public:
  std::optional<ExpressionFault> Check(std::string_view /*expression*/) const override {
    return std::nullopt;
  }
  std::uint64_t CostMax(std::string_view expression) const override {
    return std::stoull(std::string(expression));
  }
};

TEST(ResourceClaimExpressionTest, TheCostOfAllTolerationsOfARequestIsLimited) {
  const Priced priced;
  ValidationContext context;
  context.expressions = &priced;
  const std::string most = R"({"expression":"1000000"},{"expression":"1000000"},)"
                           R"({"expression":"1000000"},{"expression":"1000000"})";
  EXPECT_TRUE(ValidateCreate(*Read(Tolerating(most)), context).empty());
  EXPECT_TRUE(ValidateCreate(*Read(Template(most)), context).empty());
  const std::string more = most + R"(,{"expression":"1"})";
  const std::string text =
      "devices.requests[0].exactly.tolerations: Forbidden: estimated cost of all expressions "
      "exceeds the limit by factor of 1.1x";
  EXPECT_EQ(Texts(ValidateCreate(*Read(Tolerating(more)), context)),
            std::vector<std::string>{"spec." + text});
  EXPECT_EQ(Texts(ValidateCreate(*Read(Template(more)), context)),
            std::vector<std::string>{"spec.spec." + text});
}

TEST(ResourceClaimTemplateTest, ShowsTheSpecThatMayNotChange) {
  const FieldErrors errors = ValidateUpdate(*Read(Template(R"({"key":"a"})")),
                                            *Read(Template(R"({"key":"b"})")), ValidationContext());
  EXPECT_EQ(
      Texts(errors),
      std::vector<std::string>{
          R"(spec: Invalid value: {"Spec":{"Devices":{"Requests":[{"Name":"r","Exactly":{"DeviceClassName":"c","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":[{"Key":"a","Operator":"Equal","Value":"","Effect":"","TolerationSeconds":null}],"Capacity":null,"DerivedAttributes":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}}: field is immutable)"});
}

class OneAdminNamespace final : public AdminNamespaces {
 public:
  bool AllowsAdminAccess(std::string_view namespace_) const override { return namespace_ == "ns"; }
};

TEST(AdminAccessTest, IsForNamespacesOfAdministrators) {
  const OneAdminNamespace namespaces;
  ValidationContext context;
  context.admin_namespaces = &namespaces;
  const std::string claim = ClaimWith(R"("adminAccess":true)");
  EXPECT_TRUE(ValidateCreate(*Read(claim), context).empty());
  const KindCase elsewhere{"", claim, "", {}};
  EXPECT_TRUE(FaultsOf(elsewhere).empty()) << "without a cluster nobody can tell";
  std::string other = claim;
  other.insert(other.find(R"("kind")"), R"("metadata":{"name":"x","namespace":"user"},)");
  EXPECT_EQ(
      Texts(ValidateCreate(*ObjectFrom(other), context)),
      std::vector<std::string>{
          R"(spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace)"});
}

}  // namespace
}  // namespace plimsoll::api
