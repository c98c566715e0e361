#include "apiserver/fairness/watch_tracker.h"

#include <gtest/gtest.h>

#include <optional>

namespace plimsoll::apiserver {
namespace {

RequestInfo Pods(std::string in_namespace, std::string name = {}) {
  RequestInfo info;
  info.resource = "pods";
  info.namespace_ = std::move(in_namespace);
  info.name = std::move(name);
  return info;
}

TEST(WatchTrackerTest, AWriteInterestsWatchesOfAllOfItsNamespaceAndOfItsName) {
  const auto tracker = std::make_shared<WatchTracker>();
  const auto all = tracker->Register(Pods(""));
  const auto shop = tracker->Register(Pods("shop"));
  const auto twice = tracker->Register(Pods("shop"));
  const auto web = tracker->Register(Pods("shop", "web"));
  EXPECT_EQ(tracker->CountInterested(Pods("shop", "web")), 4U);
  EXPECT_EQ(tracker->CountInterested(Pods("shop", "db")), 3U);
  EXPECT_EQ(tracker->CountInterested(Pods("shop")), 3U) << "a create has no name yet";
  EXPECT_EQ(tracker->CountInterested(Pods("bank", "web")), 1U);
}

TEST(WatchTrackerTest, OtherResourcesAndGroupsAreApart) {
  const auto tracker = std::make_shared<WatchTracker>();
  const auto all = tracker->Register(Pods(""));
  RequestInfo other = Pods("shop");
  other.group = "metrics.k8s.io";
  EXPECT_EQ(tracker->CountInterested(other), 0U);
  other.group.clear();
  other.resource = "nodes";
  EXPECT_EQ(tracker->CountInterested(other), 0U);
}

TEST(WatchTrackerTest, AWatchOfOneClusterObjectCountsOnce) {
  const auto tracker = std::make_shared<WatchTracker>();
  const auto node = tracker->Register(Pods("", "n1"));
  EXPECT_EQ(tracker->CountInterested(Pods("", "n1")), 1U);
  EXPECT_EQ(tracker->CountInterested(Pods("", "n2")), 0U);
}

TEST(WatchTrackerTest, AWatchThatHasEndedIsForgotten) {
  auto tracker = std::make_shared<WatchTracker>();
  std::optional<WatchRegistration> first = tracker->Register(Pods("shop"));
  std::optional<WatchRegistration> second = tracker->Register(Pods("shop"));
  first.reset();
  EXPECT_EQ(tracker->CountInterested(Pods("shop")), 1U);
  second.reset();
  EXPECT_EQ(tracker->CountInterested(Pods("shop")), 0U);
  first.emplace(tracker->Register(Pods("shop")));
  tracker = nullptr;
  first.reset();  // ends after everybody else has let the tracker go
}

}  // namespace
}  // namespace plimsoll::apiserver
