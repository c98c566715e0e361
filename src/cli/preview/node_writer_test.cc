#include "cli/preview/node_writer.h"

#include <gtest/gtest.h>

#include "cli/preview/node_change.h"
#include "client/fake_server_for_test.h"
#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

std::string NodeJson(const std::string& version) {
  return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","resourceVersion":")" +
         version + R"("},"spec":{"taints":[{"key":"theirs","effect":"NoSchedule"}]}})";
}

class WriteNodeTest : public testing::Test {
 protected:
  Result<bool> Write(int conflicts, const std::string& taint) {
    client::FakeServer server([&](const net::Request& request) {
      if (request.method == "GET") return client::JsonResponse(NodeJson("8"));
      bodies_.push_back(request.body);
      if (conflicts-- > 0) {
        return client::JsonResponse(
            R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":409,)"
            R"("reason":"Conflict","message":"modified"})",
            409);
      }
      return client::JsonResponse(NodeJson("9"));
    });
    client::ManualClock clock;
    const client::Client client(server.Connect(), clock);
    const TaintEdit edit = *ParseTaintEdit(taint);
    return WriteNode(
        client, controller::Decode(NodeJson("7")),
        [&](const ObjectPtr& node) { return WithTaints(node, std::span(&edit, 1)); }, "test");
  }

  std::vector<std::string> bodies_;
};

TEST_F(WriteNodeTest, KeepsTheTaintsOfOthers) {
  const auto written = Write(0, "risk=8:NoExecute");
  ASSERT_TRUE(written.has_value()) << written.error().message;
  EXPECT_TRUE(*written);
  ASSERT_EQ(bodies_.size(), 1u);
  EXPECT_EQ(bodies_[0],
            R"({"metadata":{"resourceVersion":"7"},"spec":{"taints":[{"key":"theirs","effect":)"
            R"("NoSchedule"},{"key":"risk","value":"8","effect":"NoExecute"}]}})");
}

TEST_F(WriteNodeTest, ReadsTheNodeAgainAfterAConflict) {
  const auto written = Write(2, "risk=8:NoExecute");
  ASSERT_TRUE(written.has_value()) << written.error().message;
  ASSERT_EQ(bodies_.size(), 3u);
  EXPECT_TRUE(bodies_[2].contains(R"("resourceVersion":"8")")) << bodies_[2];
}

TEST_F(WriteNodeTest, GivesUpAfterSomeConflicts) {
  const auto written = Write(1000, "risk=8:NoExecute");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().reason, Reason::Conflict);
  EXPECT_EQ(bodies_.size(), 10u);
}

TEST_F(WriteNodeTest, WritesNothingIfNothingChanges) {
  const auto written = Write(0, "absent-");
  ASSERT_TRUE(written.has_value());
  EXPECT_FALSE(*written);
  EXPECT_TRUE(bodies_.empty());
}

}  // namespace
}  // namespace plimsoll::cli
