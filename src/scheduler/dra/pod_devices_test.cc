#include "scheduler/dra/pod_devices.h"

#include <gtest/gtest.h>

#include "scheduler/dra/devices_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kOwned =
    "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: uid-default-p, controller: true}]";

struct LookupCase {
  std::string claims;
  std::string statuses;
  std::string want;  // names, or the error
};

class PodDevicesTest : public testing::TestWithParam<LookupCase> {};

TEST_P(PodDevicesTest, FindsClaimsInTheirOrder) {
  ClusterState cluster{match::Rules{}};
  Put(cluster, ClaimFromYaml("x"));
  Put(cluster, ClaimFromYaml("made", {}, {}, kOwned));
  Put(cluster, ClaimFromYaml("going", {}, {}, "deletionTimestamp: '2026-01-01T00:00:00Z'"));
  const ObjectPtr pod =
      PodFromYaml("p", "{containers: [], resourceClaims: " + GetParam().claims + "}", {},
                  "{resourceClaimStatuses: " + GetParam().statuses + "}");
  const auto found = FindDeviceClaims(cluster.devices(), *pod);
  std::string got = found ? "" : found.error().message;
  if (found) {
    for (const ObjectPtr& claim : *found) got.append(claim->metadata().name).append(" ");
  }
  EXPECT_EQ(got, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, PodDevicesTest,
    testing::ValuesIn<LookupCase>({
        {"[]", "[]", ""},
        {"[{name: a, resourceClaimTemplateName: t}, {name: b, resourceClaimName: x}]",
         "[{name: a, resourceClaimName: made}]", "made x "},
        {"[{name: a, resourceClaimName: none}]", "[]",
         "could not find ResourceClaim \"default/none\""},
        {"[{name: a, resourceClaimName: going}]", "[]", "resourceclaim \"going\" is being deleted"},
        {"[{name: a, resourceClaimTemplateName: t}]", "[{name: b, resourceClaimName: made}]",
         "pod \"default/p\": ResourceClaim not created yet"},
        {"[{name: a, resourceClaimTemplateName: t}]", "[{name: a}]", ""},
        {"[{name: a, resourceClaimTemplateName: t}]", "[{name: a, resourceClaimName: x}]",
         "ResourceClaim default/x was not created for pod default/p (pod is not owner)"},
        {"[{name: a}]", "[]",
         "pod \"default/p\", spec.resourceClaim \"a\": none of the supported fields are set"},
    }));

TEST(ReservedForTest, IsByUid) {
  const ObjectPtr claim = ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a"), {"p"}));
  EXPECT_TRUE(IsReservedFor(*claim->As<api::ResourceClaim>(), "uid-default-p"));
  EXPECT_FALSE(IsReservedFor(*claim->As<api::ResourceClaim>(), "p"));
}

}  // namespace
}  // namespace plimsoll::scheduler
