#include "apiserver/server/pod_metrics.h"

#include <gtest/gtest.h>

#include <vector>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kPlaced =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"u1"},)"
    R"("spec":{"nodeName":"n1"},"status":{"phase":"Running","conditions":[{"type":"PodScheduled",)"
    R"("status":"True","lastTransitionTime":"2026-03-01T12:00:00Z"}]}})";
constexpr std::string_view kWaiting =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"job","namespace":"shop","uid":"u2"},)"
    R"("spec":{},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled",)"
    R"("status":"False","lastTransitionTime":"2026-03-01T12:00:00Z"}]}})";

TEST(PodMetricsTest, SaysThePhaseOfEachPodAndWhenItGotItsNode) {
  const ResourceTable table;
  std::vector<ObjectPtr> pods;
  for (const std::string_view stored : {kPlaced, kWaiting}) {
    auto made = StoredObject::Make(*table.Find("", "v1", "pods"), stored, store::Revision{7});
    ASSERT_TRUE(made.has_value());
    pods.push_back(*made);
  }
  EXPECT_EQ(PodMetricsText(pods),
            R"(# HELP kube_pod_status_phase The phase a pod is in.
# TYPE kube_pod_status_phase gauge
kube_pod_status_phase{namespace="shop",pod="web",uid="u1",phase="Pending"} 0
kube_pod_status_phase{namespace="shop",pod="web",uid="u1",phase="Succeeded"} 0
kube_pod_status_phase{namespace="shop",pod="web",uid="u1",phase="Failed"} 0
kube_pod_status_phase{namespace="shop",pod="web",uid="u1",phase="Unknown"} 0
kube_pod_status_phase{namespace="shop",pod="web",uid="u1",phase="Running"} 1
kube_pod_status_phase{namespace="shop",pod="job",uid="u2",phase="Pending"} 1
kube_pod_status_phase{namespace="shop",pod="job",uid="u2",phase="Succeeded"} 0
kube_pod_status_phase{namespace="shop",pod="job",uid="u2",phase="Failed"} 0
kube_pod_status_phase{namespace="shop",pod="job",uid="u2",phase="Unknown"} 0
kube_pod_status_phase{namespace="shop",pod="job",uid="u2",phase="Running"} 0
# HELP kube_pod_status_scheduled_time Time at which the pod was scheduled, in seconds since 1970.
# TYPE kube_pod_status_scheduled_time gauge
kube_pod_status_scheduled_time{namespace="shop",pod="web",uid="u1"} 1772366400
)");
}

}  // namespace
}  // namespace plimsoll::apiserver
