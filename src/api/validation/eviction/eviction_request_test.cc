#include <gtest/gtest.h>

#include "api/validation/eviction/pod_responders.h"
#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kPod = R"("target":{"pod":{"name":"p","uid":"u1"}})";

std::string Request(std::string_view spec) {
  return R"({"apiVersion":"lifecycle.k8s.io/v1alpha1","kind":"EvictionRequest","spec":{)" +
         std::string(spec) + "}}";
}
std::string Request(std::string_view target, std::string_view requester, std::string_view intent) {
  return Request(std::string(target) + R"(,"requester":")" + std::string(requester) +
                 R"(","intent":")" + std::string(intent) + "\"");
}
std::string Eviction(std::string_view spec) {
  return R"({"apiVersion":"lifecycle.k8s.io/v1alpha1","kind":"Eviction","spec":{)" +
         std::string(spec) + "}}";
}

class EvictionRequestTest : public testing::TestWithParam<KindCase> {};

TEST_P(EvictionRequestTest, SaysWhatIsWrong) { EXPECT_EQ(FaultsOf(GetParam()), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    All, EvictionRequestTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Valid", Request(kPod, "acme.io/foo", "Eviction"), "", {}},
        {"Withdrawal",
         Request(kPod, "acme.io/foo", "Withdrawn"),
         Request(kPod, "acme.io/foo", "Eviction"),
         {}},
        {"Empty",
         Request(""),
         "",
         {"spec.target.pod: Required value: must specify one of: `pod`",
          "spec.requester: Required value", "spec.intent: Required value"}},
        {"EmptyPod",
         Request(R"("target":{"pod":{}})", "acme.io/foo", "Eviction"),
         "",
         {"spec.target.pod.name: Required value", "spec.target.pod.uid: Required value"}},
        {"BadUid",
         Request(R"("target":{"pod":{"name":"p","uid":"A/B"}})", "acme.io/foo", "Eviction"),
         "",
         {R"(spec.target.pod.uid: Invalid value: "A/B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"}},
        {"RequesterWithoutDomain",
         Request(kPod, "foo", "Eviction"),
         "",
         {R"(spec.requester: Invalid value: "foo": must be a domain-prefixed key (such as "acme.io/foo"))"}},
        {"BadRequester",
         Request(kPod, "acme.io/", "Eviction"),
         "",
         {R"(spec.requester: Invalid value: "acme.io/": name part must be non-empty)",
          R"(spec.requester: Invalid value: "acme.io/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'))"}},
        {"OtherIntent",
         Request(kPod, "acme.io/foo", "Maybe"),
         "",
         {R"(spec.intent: Unsupported value: "Maybe": supported values: "Eviction", "Withdrawn")"}},
        {"TargetAndRequesterChange",
         Request(R"("target":{"pod":{"name":"p","uid":"u2"}})", "acme.io/bar", "Eviction"),
         Request(kPod, "acme.io/foo", "Eviction"),
         {"spec.target: Forbidden: field is immutable",
          "spec.requester: Forbidden: field is immutable"}},
        {"ValidEviction", Eviction(kPod), "", {}},
        {"EvictionOfNothing",
         Eviction(R"("target":{})"),
         "",
         {"spec.target.pod: Required value: must specify one of: `pod`"}},
        {"EvictionChanges",
         Eviction(R"("target":{"pod":{"name":"q","uid":"u1"}})"),
         Eviction(kPod),
         {"spec.target: Forbidden: field is immutable"}},
    }),
    [](const auto& test) { return test.param.name; });

struct StatusCase {
  std::string name;
  std::string now;
  std::string before;
  std::vector<std::string> want;
};

std::string WithStatus(std::string_view status) {
  return R"({"apiVersion":"lifecycle.k8s.io/v1alpha1","kind":"Eviction","metadata":)"
         R"({"name":"x","namespace":"default","uid":"u","resourceVersion":"1"},"spec":{)" +
         std::string(kPod) + R"(},"status":{)" + std::string(status) + "}}";
}
/// Returns two target responders with these states.
std::string Targets(std::string_view a, std::string_view b) {
  return R"("targetResponders":[{"name":"acme.io/a","priority":2000,"state":")" + std::string(a) +
         R"("},{"name":"acme.io/b","priority":1000,"state":")" + std::string(b) + R"("}])";
}
/// Returns the reports of both responders, with these further members.
std::string Reports(std::string_view a, std::string_view b) {
  return R"(,"responders":[{"name":"acme.io/a")" + std::string(a) + R"(},{"name":"acme.io/b")" +
         std::string(b) + "}]";
}
std::string Requesters(std::size_t count) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    list += std::string(i == 0 ? "" : ",") + R"({"intent":"Eviction","name":"acme.io/r)" +
            std::to_string(i) + "\"}";
  }
  return R"("requesters":[)" + list + "]";
}

constexpr std::string_view kCompleted = R"(,"completionTime":"2026-03-01T12:00:00Z")";
constexpr std::string_view kBeat = R"(,"heartbeatTime":"2026-03-01T12:00:00Z")";

class EvictionStatusTest : public testing::TestWithParam<StatusCase> {};

TEST_P(EvictionStatusTest, SaysWhatIsWrong) {
  const StatusCase& test = GetParam();
  EXPECT_EQ(Texts(ValidateStatusUpdate(*ObjectFrom(WithStatus(test.now)),
                                       *ObjectFrom(WithStatus(test.before)), {})),
            test.want);
}

INSTANTIATE_TEST_SUITE_P(
    All, EvictionStatusTest,
    testing::ValuesIn(std::vector<StatusCase>{
        {"First", Targets("Active", "Inactive") + Reports("", ""), "", {}},
        {"Report",
         Targets("Active", "Inactive") + Reports(kBeat, ""),
         Targets("Active", "Inactive") + Reports("", ""),
         {}},
        {"ReportOfTheNext",
         Targets("Active", "Inactive") + Reports("", kBeat),
         Targets("Active", "Inactive") + Reports("", ""),
         {"status.responders[1]: Forbidden: only the report of an Active responder may change"}},
        {"ReportAfterTheEnd",
         Targets("Canceled", "Inactive") + Reports(kBeat, ""),
         Targets("Canceled", "Inactive") + Reports("", ""),
         {"status.responders[0]: Forbidden: only the report of an Active responder may change"}},
        {"CompletionChanges",
         Targets("Active", "Inactive") + Reports(R"(,"completionTime":"2026-03-01T12:00:01Z")", ""),
         Targets("Active", "Inactive") + Reports(kCompleted, ""),
         {"status.responders[0].completionTime: Forbidden: field is immutable once set"}},
        {"ReportRemoved",
         Targets("Active", "Inactive") + R"(,"responders":[{"name":"acme.io/b"}])",
         Targets("Active", "Inactive") + Reports("", ""),
         {"status.responders: Forbidden: report of acme.io/a may not be removed"}},
        {"ReportOfAStranger",
         Targets("Active", "Inactive") + R"(,"responders":[{"name":"evil.io/x"}])",
         "",
         {R"(status.responders[0].name: Invalid value: "evil.io/x": must be the name of an item of `status.targetResponders`)"}},
        {"LongMessage",
         Targets("Active", "Inactive") +
             Reports(R"(,"message":")" + std::string(4001, 'x') + "\"", ""),
         "",
         {R"(status.responders[0].message: Invalid value: "": must have at most 4000 characters)"}},
        {"MessageOfWideCharacters",
         Targets("Active", "Inactive") + Reports(
                                             R"(,"message":")" +
                                                 [] {
                                                   std::string wide;
                                                   for (int i = 0; i < 4000; ++i) wide += "ä";
                                                   return wide;
                                                 }() +
                                                 "\"",
                                             ""),
         "",
         {}},
        {"TwoActive",
         Targets("Active", "Active"),
         "",
         {"status.targetResponders: Forbidden: at most one responder may be Active"}},
        {"OtherState",
         Targets("Cancelled", "Inactive"),
         "",
         {R"(status.targetResponders[0].state: Unsupported value: "Cancelled": supported values: "Active", "Canceled", "Completed", "Inactive", "Interrupted")"}},
        {"StateGoesBack",
         Targets("Inactive", "Active"),
         Targets("Active", "Completed"),
         {R"(status.targetResponders[0].state: Invalid value: "Inactive": must not change from Active to Inactive)",
          R"(status.targetResponders[1].state: Invalid value: "Active": must not change from Completed to Active)"}},
        {"ResponderAdded",
         Targets("Active", "Inactive"),
         R"("targetResponders":[{"name":"acme.io/a","priority":2000,"state":"Active"}])",
         {"status.targetResponders: Forbidden: items may not be added or removed once set"}},
        {"MostRequesters", Requesters(100), "", {}},
        {"TooManyRequesters",
         Requesters(101),
         "",
         {"status.requesters: Too many: 101: must have at most 100 items"}},
        {"GenerationGoesBack",
         R"("observedGeneration":1)",
         R"("observedGeneration":2)",
         {"status.observedGeneration: Invalid value: 1: must be greater than or equal to 2"}},
    }),
    [](const auto& test) { return test.param.name; });

struct RespondersCase {
  std::string name;
  std::string members;
  std::vector<std::string> want;
};

std::string Many(std::size_t count) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    list += std::string(i == 0 ? "" : ",") + R"({"priority":1000,"name":"acme.io/r)" +
            std::to_string(i) + "\"}";
  }
  return list;
}

class PodRespondersTest : public testing::TestWithParam<RespondersCase> {};

TEST_P(PodRespondersTest, SaysWhatIsWrong) {
  const auto pod = PodWith(R"("evictionResponders":[)" + GetParam().members + "]");
  EXPECT_EQ(Texts(ValidateCreate(*pod, {})), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, PodRespondersTest,
    testing::ValuesIn(std::vector<RespondersCase>{
        {"Valid",
         R"({"name":"acme.io/a","priority":1000},{"name":"x.k8s.io/b","priority":0},)"
         R"({"name":"acme.io/c","priority":100000})",
         {}},
        {"Most", Many(10), {}},
        {"TooMany",
         Many(11),
         {"spec.evictionResponders: Too many: 11: must have at most 10 items"}},
        {"Names",
         R"({"name":"","priority":1000},{"name":"a","priority":1000})",
         {"spec.evictionResponders[0].name: Required value",
          R"(spec.evictionResponders[1].name: Invalid value: "a": must be a domain-prefixed key (such as "acme.io/foo"))"}},
        {"Twice",
         R"({"name":"acme.io/a","priority":1000},{"name":"acme.io/a","priority":2000})",
         {R"(spec.evictionResponders[1]: Duplicate value: "acme.io/a")"}},
        {"Priorities",
         R"({"name":"acme.io/a","priority":-1},{"name":"acme.io/b","priority":100001},)"
         R"({"name":"acme.io/c"})",
         {"spec.evictionResponders[0].priority: Invalid value: -1: must be between 0 and 100000, "
          "inclusive",
          "spec.evictionResponders[1].priority: Invalid value: 100001: must be between 0 and "
          "100000, inclusive",
          "spec.evictionResponders[2].priority: Required value"}},
        {"ReservedPriority",
         R"({"name":"acme.io/a","priority":999},{"name":"notk8s.io/a","priority":999})",
         {"spec.evictionResponders[0].priority: Invalid value: 999: priorities 0 to 999 are "
          "reserved for responders of *.k8s.io",
          "spec.evictionResponders[1].priority: Invalid value: 999: priorities 0 to 999 are "
          "reserved for responders of *.k8s.io"}},
    }),
    [](const auto& test) { return test.param.name; });

TEST(PodRespondersUpdateTest, AreImmutable) {
  const auto before = PodWith(R"("evictionResponders":[{"name":"acme.io/a","priority":1000}])");
  const auto now = PodWith(R"("evictionResponders":[{"name":"acme.io/b","priority":1000}])");
  const auto texts = Texts(ValidateUpdate(*now, *before, {}));
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_TRUE(texts[0].starts_with("spec: Forbidden: pod updates may not change fields other"));
  EXPECT_TRUE(texts[0].contains("evictionResponders")) << texts[0];
}

TEST(PodRespondersUpdateTest, AreNotForGroups) {
  const auto pod = PodWith(R"("evictionResponders":[{"name":"acme.io/a","priority":1000}],)"
                           R"("schedulingGroup":{})");
  EXPECT_EQ(Texts(ValidateCreate(*pod, {})),
            std::vector<std::string>{"spec.evictionResponders: Forbidden: may not be set together "
                                     "with `schedulingGroup`"});
}

}  // namespace
}  // namespace plimsoll::api
