#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "dra/allocator.h"
#include "dra/device_cluster_for_test.h"

namespace plimsoll::dra {
namespace {

/// Random changes of slices, rules, classes, nodes and claims. It keeps the current objects, so
/// that they can be replayed to a new cluster.
class Story {
 public:
  explicit Story(std::uint64_t seed) : random_(seed) {
    for (NodeSlot slot = 0; slot < kNodes; ++slot) labels_[slot] = "{zone: a}";
  }

  void TellAll(DeviceCluster& cluster) const {
    for (const auto& [slot, labels] : labels_) PutNode(cluster, slot, labels);
    for (const auto& [name, object] : objects_) cluster.Put(object);
    for (const auto& [claim, devices] : held_) cluster.Hold(claim, devices);
  }

  /// Makes one random change.
  void GoOn(DeviceCluster& cluster) {
    switch (random_.Below(6)) {
      case 0:
      case 1:
        Change(cluster, "s" + std::to_string(random_.Below(4)));
        return;
      case 2:
        Change(cluster, random_.Chance(0.5) ? "fabric" : "rule");
        return;
      case 3:
        objects_["gpu"] = ClassYaml(
            "gpu", random_.Chance(0.5) ? "" : "device.attributes[\"gpu.example.com\"].rank < 2");
        cluster.Put(objects_["gpu"]);
        return;
      case 4: {
        const auto slot = static_cast<NodeSlot>(random_.Below(kNodes));
        labels_[slot] = random_.Chance(0.5) ? "{zone: a}" : "{zone: b}";
        PutNode(cluster, slot, labels_[slot]);
        return;
      }
      default:
        ChangeClaim(cluster);
    }
  }

  static constexpr NodeSlot kNodes = 3;

 private:
  static void PutNode(DeviceCluster& cluster, NodeSlot slot, const std::string& labels) {
    cluster.PutNode(slot, "n" + std::to_string(slot), labels);
  }
  std::string OneOf(std::initializer_list<const char*> texts) {
    return std::data(texts)[random_.Below(texts.size())];
  }
  std::string Devices() {
    std::string text = "[";
    for (std::uint64_t i = 0, count = random_.Below(4); i < count; ++i) {
      text += (i == 0 ? "{name: d" : ", {name: d") + std::to_string(i) +
              ", attributes: {rank: {int: " + std::to_string(random_.Below(4)) + "}}";
      if (random_.Chance(0.2)) text += ", taints: [{key: hot, effect: NoSchedule}]";
      text += "}";
    }
    return text + "]";
  }
  DeviceCluster::ObjectPtr Make(const std::string& name) {
    if (name == "rule") {
      return DecodeYaml(
          "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: rule, uid: u}, "
          "spec: {deviceSelector: {device: " +
          OneOf({"d0", "d1", "d2"}) + "}, taint: {key: ruled, effect: NoExecute}}}");
    }
    const std::string nodes =
        name == "fabric" ? "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, "
                           "operator: In, values: [" +
                               OneOf({"a", "b"}) + "]}]}]}"
                         : "nodeName: n" + std::to_string(random_.Below(kNodes));
    // Pools may span several nodes and generations, and may lack slices.
    return DecodeYaml(
        "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: " + name +
        "}, spec: {driver: gpu.example.com, pool: {name: " + OneOf({"p0", "p1"}) +
        ", generation: " + OneOf({"1", "1", "2"}) + ", resourceSliceCount: " + OneOf({"1", "2"}) +
        "}, " + nodes + ", devices: " + Devices() + "}}");
  }
  void Change(DeviceCluster& cluster, const std::string& name) {
    const auto known = objects_.find(name);
    if (known != objects_.end() && random_.Chance(0.4)) {
      cluster.Delete(known->second);
      objects_.erase(known);
      return;
    }
    // A slice never changes its pool; it is deleted and a new one created.
    if (known != objects_.end()) cluster.Delete(known->second);
    objects_[name] = Make(name);
    cluster.Put(objects_[name]);
  }
  void ChangeClaim(DeviceCluster& cluster) {
    const std::string claim = "u" + std::to_string(random_.Below(3));
    std::vector<std::string> devices;
    if (random_.Chance(0.7)) {
      devices.push_back("gpu.example.com/" + OneOf({"p0", "p1"}) + "/" + OneOf({"d0", "d1", "d2"}));
    }
    held_[claim] = devices;
    cluster.Hold(claim, devices);
  }

  Random random_;
  std::map<NodeSlot, std::string> labels_;
  std::map<std::string, DeviceCluster::ObjectPtr> objects_;
  std::map<std::string, std::vector<std::string>> held_;
};

std::string AnswersOf(DeviceCluster& cluster, const std::vector<ClaimSet>& sets) {
  std::string text;
  for (const ClaimSet& claims : sets) {
    Bitmap nodes(Story::kNodes);
    nodes.Fill(true);
    const auto failed = cluster.allocator().Filter(claims, nodes);
    text += failed ? "!" + std::to_string(*failed) : "";
    for (NodeSlot node = 0; node < Story::kNodes; ++node) {
      text += nodes.Test(node) ? "y" : "n";
      text += "[" + cluster.Allocate(claims, node) + "]";
    }
  }
  return text;
}

TEST(AllocatorPropertyTest, WhatIsKeptIsWhatWouldBeFoundAnew) {
  const std::vector<std::string> specs = {
      "requests: [" + Exactly("r", 1) + "]",
      "requests: [" + Exactly("r", 2, ", tolerations: [{operator: Exists}]") + "]",
      "requests: [" +
          Exactly("r", 1,
                  ", selectors: [{cel: {expression: 'device.attributes[\"gpu.example.com\"].rank > "
                  "0'}}]") +
          "]",
      "requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}]"};
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    Story story(seed);
    DeviceCluster cluster;
    story.TellAll(cluster);
    std::vector<ClaimSet> sets;
    for (const std::string& spec : specs) sets.push_back(cluster.Claims({spec}));
    for (int step = 0; step < 40; ++step) {
      story.GoOn(cluster);
      DeviceCluster fresh;
      story.TellAll(fresh);
      std::vector<ClaimSet> fresh_sets;
      for (const std::string& spec : specs) fresh_sets.push_back(fresh.Claims({spec}));
      ASSERT_EQ(AnswersOf(cluster, sets), AnswersOf(fresh, fresh_sets))
          << "seed " << seed << " step " << step;
    }
  }
}

}  // namespace
}  // namespace plimsoll::dra
