#include "api/selector/selectable_fields.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

std::string Resolve(std::string_view group, std::string_view kind, std::string_view label) {
  const api::KindDesc* served = api::FindKind(group, "v1", kind);
  if (served == nullptr) return "(no such kind)";
  return std::string(ResolveFieldLabel(*served, label).value_or("(refused)"));
}

TEST(ResolveFieldLabelTest, EveryKindHasItsOwn) {
  EXPECT_EQ(Resolve("", "Pod", "metadata.name"), "metadata.name");
  EXPECT_EQ(Resolve("", "Pod", "metadata.namespace"), "metadata.namespace");
  EXPECT_EQ(Resolve("", "Pod", "spec.nodeName"), "spec.nodeName");
  EXPECT_EQ(Resolve("", "Pod", "spec.host"), "spec.nodeName");
  EXPECT_EQ(Resolve("", "Pod", "status.podIPs"), "status.podIPs");
  EXPECT_EQ(Resolve("", "Pod", "spec.containers"), "(refused)");
  EXPECT_EQ(Resolve("", "ConfigMap", "metadata.namespace"), "metadata.namespace");
  EXPECT_EQ(Resolve("", "ConfigMap", "spec.nodeName"), "(refused)");
  EXPECT_EQ(Resolve("", "Node", "spec.unschedulable"), "spec.unschedulable");
  EXPECT_EQ(Resolve("", "Node", "metadata.namespace"), "(refused)");
  EXPECT_EQ(Resolve("", "Namespace", "status.phase"), "status.phase");
  EXPECT_EQ(Resolve("batch", "Job", "status.successful"), "status.successful");
}

TEST(ResolveFieldLabelTest, TheOtherEventsHaveOtherNames) {
  EXPECT_EQ(Resolve("", "Event", "involvedObject.kind"), "involvedObject.kind");
  EXPECT_EQ(Resolve("", "Event", "regarding.kind"), "(refused)");
  EXPECT_EQ(Resolve("events.k8s.io", "Event", "regarding.kind"), "involvedObject.kind");
  EXPECT_EQ(Resolve("events.k8s.io", "Event", "reportingController"), "reportingComponent");
  EXPECT_EQ(Resolve("events.k8s.io", "Event", "involvedObject.kind"), "(refused)");
  EXPECT_EQ(Resolve("events.k8s.io", "Event", "metadata.name"), "metadata.name");
}

}  // namespace
}  // namespace plimsoll::api
