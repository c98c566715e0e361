#include "apiserver/fairness/fairness_feed.h"

#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

class FairnessFeedTest : public testing::Test, public CacheFixture {
 protected:
  std::string SchemaOfJane() {
    ParsedRequest parsed;
    parsed.info.is_resource_request = true;
    parsed.info.verb = "get";
    parsed.info.resource = "pods";
    const auto request = std::make_shared<ApiRequest>(net::Request{}, std::move(parsed));
    request->user.name = "jane";
    request->user.groups = {"system:authenticated"};
    return fairness_.NewSeat(request)->flow().config.name;
  }

  const Resource& schemas_ = Of("flowschemas", kFlowControlGroup);
  MetricsRegistry registry_;
  Fairness fairness_{{}, clock(), registry_, [](const Resource&) { return std::size_t{0}; }};
};

constexpr std::string_view kForJane =
    R"(,"spec":{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":7,"rules":[{)"
    R"("subjects":[{"kind":"User","user":{"name":"jane"}}],"resourceRules":[{"verbs":["*"],)"
    R"("apiGroups":["*"],"resources":["*"],"clusterScope":true}]}]})";

TEST_F(FairnessFeedTest, FollowsTheStoredObjects) {
  Put(schemas_, "", "before", kForJane);
  FairnessFeed feed(cache(), table(), fairness_);
  EXPECT_EQ(SchemaOfJane(), "before");
  Put(schemas_, "", "an-earlier-name", kForJane);
  EXPECT_EQ(SchemaOfJane(), "an-earlier-name");
  Delete(schemas_, "", "an-earlier-name");
  Delete(schemas_, "", "before");
  EXPECT_EQ(SchemaOfJane(), "catch-all")
      << "mandatory objects are there even if nobody stored them";
}

}  // namespace
}  // namespace plimsoll::apiserver
