#include "dra/node_pools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dra/device_cluster_for_test.h"

namespace plimsoll::dra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct SliceText {
  std::string name;
  std::string driver = "gpu.example.com";
  std::string pool = "p";
  int generation = 1;
  int count = 1;
  std::string nodes = "nodeName: n1";
  std::string content = "devices: [{name: d}]";
};

class NodePoolsTest : public testing::Test {
 protected:
  void Put(const SliceText& text) {
    tracker_.Observe(
        {nullptr,
         DecodeYaml("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: "
                    "{name: " +
                    text.name + "}, spec: {driver: " + text.driver + ", pool: {name: " + text.pool +
                    ", generation: " + std::to_string(text.generation) + ", resourceSliceCount: " +
                    std::to_string(text.count) + "}, " + text.nodes + ", " + text.content + "}}")});
  }
  /// Returns `driver/pool`, with `?` if incomplete or `!` and the reason if invalid, and then each
  /// device after a slash.
  std::vector<std::string> Gather() const {
    const api::StringMap labels;
    const NodePools pools = GatherPools(tracker_, match::NodeView("n1", labels), match::Rules{});
    std::vector<std::string> texts;
    for (const NodePool& pool : pools.pools) {
      std::string text = pool.pool->driver + "/" + pool.pool->name;
      if (pool.is_incomplete) text += "?";
      if (pool.is_invalid) text += "! " + pool.invalid_reason;
      texts.push_back(std::move(text));
    }
    for (const Candidate& device : pools.devices) {
      texts.push_back("/" + std::string(device.device().name) +
                      (device.fits_node ? "" : " elsewhere"));
    }
    return texts;
  }

  DeviceSelectors selectors_;
  SliceTracker tracker_{selectors_, {}};
};

TEST_F(NodePoolsTest, PoolsComeByDriverAndNameAndSlicesByName) {
  Put({.name = "s2", .pool = "b", .count = 2, .content = "devices: [{name: d2}]"});
  Put({.name = "s1", .pool = "b", .count = 2, .content = "devices: [{name: d9}, {name: d1}]"});
  Put({.name = "z", .driver = "a.example.com", .pool = "z"});
  EXPECT_THAT(Gather(),
              ElementsAre("a.example.com/z", "gpu.example.com/b", "/d", "/d9", "/d1", "/d2"));
}

TEST_F(NodePoolsTest, PoolsWithBindingConditionsComeLast) {
  Put({.name = "s1",
       .pool = "a",
       .content = "devices: [{name: d, bindingConditions: [c], bindingFailureConditions: [f]}]"});
  Put({.name = "s2", .pool = "b"});
  EXPECT_THAT(Gather(), ElementsAre("gpu.example.com/b", "gpu.example.com/a", "/d", "/d"));
}

TEST_F(NodePoolsTest, OnlyTheLatestGenerationCounts) {
  Put({.name = "old", .generation = 1, .count = 2});
  Put({.name = "new", .generation = 2, .content = "devices: [{name: e}]"});
  EXPECT_THAT(Gather(), ElementsAre("gpu.example.com/p", "/e"));
}

TEST_F(NodePoolsTest, SlicesOfOtherNodesMakeAPoolComplete) {
  Put({.name = "s1", .count = 2});
  EXPECT_THAT(Gather(), ElementsAre("gpu.example.com/p?"));
  Put({.name = "s2", .count = 2, .nodes = "nodeName: other", .content = "devices: [{name: e}]"});
  EXPECT_THAT(Gather(), ElementsAre("gpu.example.com/p", "/d"));
  // A newer generation is being published elsewhere, so this node's slices are outdated.
  Put({.name = "s3", .generation = 2, .count = 2, .nodes = "nodeName: other"});
  Put({.name = "s1", .count = 3});
  EXPECT_THAT(Gather(), IsEmpty());
}

TEST_F(NodePoolsTest, SlicesOfTaintsCountAsSlices) {
  Put({.name = "s1", .count = 2});
  Put({.name = "s2",
       .count = 2,
       .content = "taints: [{device: d, taint: {key: k, effect: None}}]"});
  EXPECT_THAT(Gather(), ElementsAre("gpu.example.com/p", "/d"));
}

TEST_F(NodePoolsTest, PoolsThatContradictThemselvesAreInvalid) {
  Put({.name = "s1", .pool = "twins", .content = "devices: [{name: d}, {name: d}]"});
  Put({.name = "s2",
       .pool = "unset",
       .content = "devices: [{name: d, consumesCounters: [{counterSet: c, counters: {m: {value: "
                  "'1'}}}]}]"});
  EXPECT_THAT(Gather(), ElementsAre("gpu.example.com/twins! duplicate device name d",
                                    "gpu.example.com/unset! counter set c not found"));
}

TEST_F(NodePoolsTest, DevicesMayChooseTheirNodes) {
  Put({.name = "s1",
       .nodes = "perDeviceNodeSelection: true",
       .content = "devices: [{name: d, nodeName: other}, {name: e, nodeName: n1}]"});
  Put({.name = "s2",
       .pool = "q",
       .nodes = "perDeviceNodeSelection: true",
       .content = "devices: [{name: f, nodeName: other}]"});
  EXPECT_THAT(Gather(), ElementsAre("gpu.example.com/p", "/d elsewhere", "/e"));
}

}  // namespace
}  // namespace plimsoll::dra
