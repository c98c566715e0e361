#include "controller/eviction_policy/eviction_requests.h"

#include <gtest/gtest.h>

#include <chrono>
#include <variant>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

class EvictionRequestsTest : public testing::Test {
 protected:
  /// Returns the bodies of the writes that are due.
  std::vector<std::string> Bodies() {
    Actions out;
    requests_.Run({now_, out}, last_);
    std::vector<std::string> bodies;
    for (const Action& action : out) {
      const auto* const patch = std::get_if<PatchObject>(&action);
      if (patch != nullptr) bodies.push_back(patch->body);
    }
    return bodies;
  }
  void Finish(Status status) {
    Actions out;
    EXPECT_TRUE(requests_.Finish(ActionFinished{last_, std::move(status)}, {now_, out}));
    logged_ += out.size();
  }

  EvictionRequests requests_;
  Instant now_{};
  std::size_t logged_ = 0;
  ActionId last_ = 0;
  ObjectPtr pod_ =
      Decode("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, uid: u}\n");
};

TEST_F(EvictionRequestsTest, AppliesTheIntent) {
  requests_.Want(pod_, true);
  EXPECT_EQ(Bodies(), std::vector<std::string>{
                          R"({"apiVersion":"lifecycle.k8s.io/v1alpha1","kind":"EvictionRequest",)"
                          R"("metadata":{"name":"plimsoll-u","namespace":"ns"},)"
                          R"("spec":{"intent":"Eviction","requester":"plimsoll.io/taint-eviction",)"
                          R"("target":{"pod":{"name":"p","uid":"u"}}}})"});
  Finish({});
  requests_.Want(pod_, true);
  EXPECT_TRUE(Bodies().empty()) << "nothing has changed";
  requests_.Want(pod_, false);
  ASSERT_EQ(Bodies().size(), 1u);
  Finish({});
  EXPECT_FALSE(requests_.NextWake().has_value());
}

TEST_F(EvictionRequestsTest, AChangeDuringAWriteFollowsIt) {
  requests_.Want(pod_, true);
  ASSERT_EQ(Bodies().size(), 1u);
  requests_.Want(pod_, false);
  EXPECT_TRUE(Bodies().empty());
  Finish({});
  const std::vector<std::string> bodies = Bodies();
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_TRUE(bodies[0].contains("Withdrawn"));
}

TEST_F(EvictionRequestsTest, RetriesWithBackOff) {
  requests_.Want(pod_, true);
  ASSERT_EQ(Bodies().size(), 1u);
  Finish(Fail(Reason::InternalError, "no"));
  EXPECT_EQ(requests_.NextWake(), now_ + 100ms);
  EXPECT_TRUE(Bodies().empty());
  EXPECT_EQ(logged_, 1u);
  now_ += 100ms;
  EXPECT_EQ(Bodies().size(), 1u);
  requests_.Forget("u");
  Finish(Fail(Reason::InternalError, "no"));
  EXPECT_FALSE(requests_.NextWake().has_value());
}

}  // namespace
}  // namespace plimsoll::controller
