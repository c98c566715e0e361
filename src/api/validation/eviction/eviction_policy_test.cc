#include <gtest/gtest.h>

#include "api/validation/eviction/eviction_checks.h"
#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

std::string Policy(std::string_view spec) {
  return R"({"apiVersion":"plimsoll.io/v1alpha1","kind":"EvictionPolicy","spec":{)" +
         std::string(spec) + "}}";
}
std::string Keys(std::size_t count) {
  std::string keys;
  for (std::size_t i = 0; i < count; ++i) {
    keys += (i == 0 ? R"("k)" : R"(,"k)") + std::to_string(i) + '"';
  }
  return R"("selector":{"taintKeys":[)" + keys + "]}";
}
std::string Record(std::string_view entries) {
  return R"({"apiVersion":"plimsoll.io/v1alpha1","kind":"EvictionRecord","entries":[)" +
         std::string(entries) + "]}";
}
std::string Entries(std::size_t count) {
  std::string entries;
  for (std::size_t i = 0; i < count; ++i) {
    entries += std::string(i == 0 ? "" : ",") +
               R"({"type":"Evicted","time":"2026-03-01T12:00:00.000000Z"})";
  }
  return entries;
}

constexpr std::string_view kQualifiedName =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kPercent =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or "
    "'93%', regex used for validation is '[0-9]+%')";

class EvictionPolicyTest : public testing::TestWithParam<KindCase> {};

TEST_P(EvictionPolicyTest, SaysWhatIsWrong) { EXPECT_EQ(FaultsOf(GetParam()), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    Valid, EvictionPolicyTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Empty", Policy(""), "", {}},
        {"Full",
         Policy(
             R"("selector":{"taintKeys":["a","spot.example.com/*","b-*","*"],"pods":{},"nodes":{},)"
             R"("namespaces":{"matchLabels":{"tier":"prod"}}},"settle":"30s",)"
             R"("rate":{"perSecond":"100m","burst":10},"maxUnavailable":"5%","via":"Eviction",)"
             R"("disruptionBudgets":{"mode":"Respect","atMost":"10m"},"deadline":"2m","paused":true,)"
             R"("breaker":{"window":"24h","maxPods":250,"maxPercent":100,"per":"Zone"})"),
         "",
         {}},
        {"MostKeys", Policy(Keys(32)), "", {}},
        {"NoneUnavailable", Policy(R"("maxUnavailable":0)"), "", {}},
        {"AllUnavailable", Policy(R"("maxUnavailable":"100%")"), "", {}},
        {"LongestDeadline", Policy(R"("deadline":"168h")"), "", {}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Selector, EvictionPolicyTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"TooManyKeys",
         Policy(Keys(33)),
         "",
         {"spec.selector.taintKeys: Too many: 33: must have at most 32 items"}},
        {"StarInTheMiddle",
         Policy(R"("selector":{"taintKeys":["a*b"]})"),
         "",
         {R"(spec.selector.taintKeys[0]: Invalid value: "a*b": `*` is allowed only at the end)"}},
        {"TwoStars",
         Policy(R"("selector":{"taintKeys":["a**"]})"),
         "",
         {R"(spec.selector.taintKeys[0]: Invalid value: "a**": `*` is allowed only at the end)"}},
        {"KeyTwice",
         Policy(R"("selector":{"taintKeys":["a","a"]})"),
         "",
         {R"(spec.selector.taintKeys[1]: Duplicate value: "a")"}},
        {"BadKey",
         Policy(R"("selector":{"taintKeys":["a b"]})"),
         "",
         {R"(spec.selector.taintKeys[0]: Invalid value: "a b": )" + std::string(kQualifiedName)}},
        {"BadPrefix",
         Policy(R"("selector":{"taintKeys":["-*"]})"),
         "",
         {R"(spec.selector.taintKeys[0]: Invalid value: "-*": )" + std::string(kQualifiedName)}},
        {"Operators",
         Policy(
             R"("selector":{"pods":{"matchExpressions":[{"key":"a","operator":"In"}]},)"
             R"("nodes":{"matchExpressions":[{"key":"a","operator":"Gt","values":["1"]}]},)"
             R"("namespaces":{"matchExpressions":[{"key":"a","operator":"Exists","values":["1"]}]}})"),
         "",
         {"spec.selector.namespaces.matchExpressions[0].values: Forbidden: may not be specified "
          "when `operator` is 'Exists' or 'DoesNotExist'",
          "spec.selector.pods.matchExpressions[0].values: Required value: must be specified when "
          "`operator` is 'In' or 'NotIn'",
          R"(spec.selector.nodes.matchExpressions[0].operator: Invalid value: "Gt": not a valid selector operator)"}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Limits, EvictionPolicyTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Durations",
         Policy(R"("settle":"-1s","deadline":"169h","disruptionBudgets":{"atMost":"soon"})"),
         "",
         {R"(spec.settle: Invalid value: "-1s": must be between 0s and 24h, inclusive)",
          R"(spec.disruptionBudgets.atMost: Invalid value: "soon": must be a duration such as 30s or 1h30m)",
          R"(spec.deadline: Invalid value: "169h": must be between 0s and 168h, inclusive)"}},
        {"Rate",
         Policy(R"("rate":{"perSecond":0,"burst":-1})"),
         "",
         {R"(spec.rate.perSecond: Invalid value: "0": must be between 1m (one in 1000 seconds) and 100000)",
          "spec.rate.burst: Invalid value: -1: must be between 1 and 100000, inclusive"}},
        {"RateMissing",
         Policy(R"("rate":{})"),
         "",
         {R"(spec.rate.perSecond: Invalid value: "0": must be between 1m (one in 1000 seconds) and 100000)"}},
        {"RateTooHigh",
         Policy(R"("rate":{"perSecond":"1E"})"),
         "",
         {R"(spec.rate.perSecond: Invalid value: "1E": must be between 1m (one in 1000 seconds) and 100000)"}},
        {"NegativeUnavailable",
         Policy(R"("maxUnavailable":-1)"),
         "",
         {"spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0"}},
        {"UnavailableText",
         Policy(R"("maxUnavailable":"five")"),
         "",
         {R"(spec.maxUnavailable: Invalid value: "five": )" + std::string(kPercent)}},
        {"UnavailableTooMuch",
         Policy(R"("maxUnavailable":"101%")"),
         "",
         {R"(spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%)"}},
        {"Enums",
         Policy(R"("via":"Post","disruptionBudgets":{"mode":"Maybe"},)"
                R"("breaker":{"window":"1m","maxPods":1,"per":"Node"})"),
         "",
         {R"(spec.disruptionBudgets.mode: Unsupported value: "Maybe": supported values: "Ignore", "Respect")",
          R"(spec.breaker.per: Unsupported value: "Node": supported values: "Cluster", "Namespace", "Zone")",
          R"(spec.via: Unsupported value: "Post": supported values: "Delete", "Eviction", "EvictionRequest")"}},
        {"Breaker",
         Policy(R"("breaker":{"window":"0s"})"),
         "",
         {R"(spec.breaker.window: Invalid value: "0s": must be between 1s and 24h, inclusive)",
          "spec.breaker: Required value: must set `maxPods`, `maxPercent` or both"}},
        {"BreakerNumbers",
         Policy(R"("breaker":{"window":"25h","maxPods":0,"maxPercent":101})"),
         "",
         {R"(spec.breaker.window: Invalid value: "25h": must be between 1s and 24h, inclusive)",
          "spec.breaker.maxPods: Invalid value: 0: must be between 1 and 2147483647, inclusive",
          "spec.breaker.maxPercent: Invalid value: 101: must be between 1 and 100, inclusive"}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Record, EvictionPolicyTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Longest", Record(Entries(2000)), "", {}},
        {"TooLong",
         Record(Entries(2001)),
         "",
         {"entries: Too many: 2001: must have at most 2000 items"}},
        {"NoTypeAndTime",
         Record(R"({"pod":"p"})"),
         "",
         {"entries[0].type: Required value", "entries[0].time: Required value"}},
        {"OtherType",
         Record(R"({"type":"Born","time":"2026-03-01T12:00:00.000000Z"})"),
         "",
         {R"(entries[0].type: Unsupported value: "Born": supported values: "CountdownCancelled", "CountdownStarted", "Evicted", "HeldBack", "Lost", "Replaced", "TaintAdded", "TaintChanged", "TaintRemoved")"}},
        {"LongText",
         Record(R"({"type":"Evicted","time":"2026-03-01T12:00:00.000000Z","message":")" +
                std::string(1025, 'x') + "\"}"),
         "",
         {"entries[0].message: Too long: may not be more than 1024 bytes"}},
    }),
    [](const auto& test) { return test.param.name; });

std::vector<std::string> StatusFaults(std::string_view status) {
  const std::string start =
      R"({"apiVersion":"plimsoll.io/v1alpha1","kind":"EvictionPolicy","metadata":)"
      R"({"name":"x","uid":"u","resourceVersion":"1"},"spec":{},"status":{)";
  return Texts(ValidateStatusUpdate(*ObjectFrom(start + std::string(status) + "}}"),
                                    *ObjectFrom(start + "}}"), {}));
}

/// Returns the item `count` times.
std::string List(std::string_view item, std::size_t count) {
  std::string list = "[";
  for (std::size_t i = 0; i < count; ++i) list.append(i == 0 ? "" : ",").append(item);
  return list + "]";
}

TEST(EvictionPolicyStatusTest, IsBounded) {
  using Wanted = std::vector<std::string>;
  EXPECT_EQ(StatusFaults(R"("evicted":1,"reserved":)" + List("\"u\"", 1000)), Wanted{});
  EXPECT_EQ(StatusFaults(R"("reserved":)" + List("\"u\"", 1001)),
            Wanted{"status.reserved: Too many: 1001: must have at most 1000 items"});
  EXPECT_EQ(StatusFaults(R"("evicted":-1)"),
            Wanted{"status.evicted: Invalid value: -1: must be greater than or equal to 0"});
  EXPECT_EQ(StatusFaults(R"("breakers":[{"scope":"a"},{"scope":"a","selected":-1}])"),
            (Wanted{R"(status.breakers[1].scope: Duplicate value: "a")",
                    "status.breakers[1].selected: Invalid value: -1: must be greater than or "
                    "equal to 0"}));
  EXPECT_EQ(StatusFaults(R"("breakers":[{"scope":"","counts":)" +
                         List(R"({"pods":1,"start":"2026-03-01T12:00:00Z"})", 33) + "}]"),
            Wanted{"status.breakers[0].counts: Too many: 33: must have at most 32 items"});
  EXPECT_EQ(StatusFaults(R"("heldBackBy":)" + List(R"({"reason":"Rate","pods":1})", 33)),
            Wanted{"status.heldBackBy: Too many: 33: must have at most 32 items"});
  EXPECT_EQ(StatusFaults(R"("conditions":[{"type":"Tripped","status":"Yes","reason":"R",)"
                         R"("lastTransitionTime":"2026-03-01T12:00:00Z","message":""}])"),
            Wanted{R"(status.conditions[0].status: Unsupported value: "Yes": supported values: )"
                   R"("False", "True", "Unknown")"});
}

TEST(EvictionChecksTest, RangesAreShownInTheirLargestUnit) {
  FieldErrors errors;
  const FieldPath at("x");
  CheckDuration("1ms", {std::chrono::minutes(2), std::chrono::seconds(90 * 60 + 1)}, at, errors);
  CheckDuration("2m", {std::chrono::minutes(2), std::chrono::minutes(2)}, at, errors);
  EXPECT_EQ(Texts(errors),
            std::vector<std::string>{
                R"(x: Invalid value: "1ms": must be between 2m and 5401s, inclusive)"});
}

TEST(EvictionChecksTest, KnowsReservedDomains) {
  for (const char* const key :
       {"k8s.io/a", "x.k8s.io/a", "kubernetes.io/a", "y.x.kubernetes.io/a"}) {
    EXPECT_TRUE(HasReservedDomain(key)) << key;
  }
  for (const char* const key : {"k8s.io.acme.io/a", "ak8s.io/a", "acme.io/k8s.io", "io/a"}) {
    EXPECT_FALSE(HasReservedDomain(key)) << key;
  }
}

}  // namespace
}  // namespace plimsoll::api
