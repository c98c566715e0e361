#include "controller/volume/volume_index.h"

#include <gtest/gtest.h>

#include "api/decode/decode_json_for_test.h"
#include "controller/volume/claim_index.h"

namespace plimsoll::controller {
namespace {

using api::DecodeJson;

ObjectPtr AVolume(const std::string& name, const std::string& more = "") {
  return DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":")" + name +
                    R"("},"spec":{)" + more +
                    R"("capacity":{"storage":"1Gi"}},"status":{"phase":)"
                    R"("Available"}})");
}
ObjectPtr AClaim(const std::string& name, const std::string& spec = "{}") {
  return DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":")" +
                    name + R"(","namespace":"s","uid":"u-)" + name + R"("},"spec":)" + spec + "}");
}
std::string BestFor(const VolumeIndex& index, const ObjectPtr& claim, bool only_reserved = false) {
  const auto matcher = match::ClaimMatcher::Make(*claim->As<api::PersistentVolumeClaim>());
  const ObjectPtr best = index.FindBest(*matcher, only_reserved);
  return best == nullptr ? "" : std::string(best->metadata().name);
}

TEST(VolumeIndexTest, AnAssumedVolumeIsOneClaimsOnly) {
  VolumeIndex index;
  index.Put(AVolume("v"));
  const ObjectPtr c = AClaim("c");
  const ObjectPtr d = AClaim("d");
  EXPECT_EQ(BestFor(index, c), "v");
  EXPECT_EQ(BestFor(index, c, true), "");
  index.Assume("v", {"s", "c"}, "u-c");
  EXPECT_EQ(BestFor(index, c, true), "v");
  EXPECT_EQ(BestFor(index, d), "");
  EXPECT_EQ(index.ReservedFor({"s", "c"}), std::vector<std::string>{"v"});
  index.Release("v");
  EXPECT_EQ(BestFor(index, d), "v");
  index.Assume("v", {"s", "c"}, "u-c");
  index.Put(AVolume("v"));  // the server's version replaces the assumption
  EXPECT_EQ(BestFor(index, d), "v");
  index.Erase("v");
  EXPECT_EQ(BestFor(index, d), "");
}

TEST(ClaimIndexTest, KnowsClaimsByClassAndByVolume) {
  ClaimIndex index;
  index.Put(AClaim("c", R"({"storageClassName":"fast"})"));
  index.Put(AClaim("d", R"({"volumeName":"v"})"));
  EXPECT_EQ(index.UnboundOf("fast"), (std::vector<ClaimKey>{{"s", "c"}}));
  EXPECT_EQ(index.UnboundOf(""), (std::vector<ClaimKey>{{"s", "d"}}));
  EXPECT_EQ(index.Naming("v"), (std::vector<ClaimKey>{{"s", "d"}}));
  index.Put(AClaim("d", R"({"volumeName":"w"})"));
  EXPECT_TRUE(index.Naming("v").empty());
  index.Erase({"s", "d"});
  EXPECT_TRUE(index.Naming("w").empty());
  EXPECT_EQ(index.Find({"s", "d"}), nullptr);
}

TEST(ClaimIndexTest, KnowsThePodsThatWait) {
  ClaimIndex index;
  const auto pod = [](const std::string& node) {
    return DecodeJson(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"s"},
      "spec":{"nodeName":")" +
                      node + R"(","volumes":[{"name":"a","persistentVolumeClaim":
      {"claimName":"c"}},{"name":"b","ephemeral":{}}]}})");
  };
  const ObjectPtr waiting = pod("");
  EXPECT_EQ(index.PutPod(waiting->metadata(), waiting),
            (std::vector<ClaimKey>{{"s", "c"}, {"s", "p-b"}}));
  EXPECT_TRUE(index.PutPod(waiting->metadata(), waiting).empty());
  EXPECT_EQ(index.WaitingPods({"s", "p-b"}), std::vector<std::string>{"p"});
  const ObjectPtr placed = pod("n");
  EXPECT_EQ(index.PutPod(placed->metadata(), placed).size(), 2u);
  EXPECT_TRUE(index.WaitingPods({"s", "c"}).empty());
}

}  // namespace
}  // namespace plimsoll::controller
