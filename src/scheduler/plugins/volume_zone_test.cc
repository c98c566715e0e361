#include <gtest/gtest.h>

#include "scheduler/volume/bench_for_test.h"

namespace plimsoll::scheduler {
namespace {

using Answers = std::map<std::string, std::string>;

const std::string kRefused = "UnschedulableAndUnresolvable: node(s) had no available volume zone";

TEST(VolumeZoneTest, HoldsNodesAgainstTheLabelsOfAVolume) {
  struct Case {
    std::string volume;  // labels
    std::string node;
    bool want;
  };
  const std::vector<Case> cases{
      {"{topology.kubernetes.io/zone: a}", "{topology.kubernetes.io/zone: a}", true},
      {"{topology.kubernetes.io/zone: a}", "{topology.kubernetes.io/zone: b}", false},
      {"{topology.kubernetes.io/zone: a__b}", "{topology.kubernetes.io/zone: b}", true},
      {"{topology.kubernetes.io/zone: a__b}", "{topology.kubernetes.io/zone: c}", false},
      // An empty part invalidates the label, so it does not restrict nodes.
      {"{topology.kubernetes.io/zone: a, topology.kubernetes.io/region: r____s}",
       "{topology.kubernetes.io/zone: a, topology.kubernetes.io/region: x}", true},
      // A node without zone and region belongs to a cluster without them.
      {"{topology.kubernetes.io/zone: a}", "{other: label}", true},
      {"{topology.kubernetes.io/zone: a}", "{topology.kubernetes.io/region: r}", false},
      {"{topology.kubernetes.io/region: r, topology.kubernetes.io/zone: a}",
       "{topology.kubernetes.io/region: r, topology.kubernetes.io/zone: b}", false},
      // The deprecated key on a volume matches the new key on a node, but not vice versa.
      {"{failure-domain.beta.kubernetes.io/zone: a}", "{topology.kubernetes.io/zone: a}", true},
      {"{failure-domain.beta.kubernetes.io/region: a}", "{topology.kubernetes.io/region: b}",
       false},
      {"{failure-domain.beta.kubernetes.io/zone: a}",
       "{failure-domain.beta.kubernetes.io/zone: b, topology.kubernetes.io/zone: a}", false},
      {"{topology.kubernetes.io/zone: a}", "{failure-domain.beta.kubernetes.io/zone: a}", false},
  };
  for (const Case& test : cases) {
    PluginBench bench("VolumeZone");
    bench.Put(LabelledNode("n", test.node));
    bench.Put(BoundClaimTo("c", "v"));
    bench.Put(AVolume("v", "1Gi", {}, "labels: " + test.volume));
    EXPECT_EQ(bench.Ask(PodWithClaims("p", {"c"})),
              (Answers{{"n", test.want ? "Success" : kRefused}}))
        << test.volume << " " << test.node;
  }
}

TEST(VolumeZoneTest, SkipsOrSaysWhatIsMissing) {
  struct Case {
    std::string name;
    ObjectPtr claim;
    std::string want;
  };
  const std::string hopeless = "UnschedulableAndUnresolvable: ";
  const std::vector<Case> cases{
      {"NoClaim", nullptr, hopeless + "persistentvolumeclaim \"c\" not found"},
      {"NoVolume", BoundClaimTo("c", "v"), hopeless + "persistentvolume \"v\" not found"},
      {"NeitherVolumeNorClass", AClaim("c", "{}"),
       hopeless + "PersistentVolumeClaim had no pv name and storageClass name"},
      {"NoClass", AClaim("c", "{storageClassName: none}"),
       hopeless + "storageclass.storage.k8s.io \"none\" not found"},
      {"NoMode", AClaim("c", "{storageClassName: odd}"),
       hopeless + "VolumeBindingMode not set for StorageClass \"odd\""},
      {"Immediate", AClaim("c", "{storageClassName: now}"),
       hopeless + "PersistentVolume had no name"},
      {"Waiting", AClaim("c", "{storageClassName: fast}"), "Skip"},
      {"WithoutLabels", BoundClaimTo("c", "plain"), "Skip"},
  };
  for (const Case& test : cases) {
    PluginBench bench("VolumeZone");
    bench.Put(AClass("fast", "p"));
    bench.Put(AClass("now", "p", "Immediate"));
    bench.Put(AClass("odd", "p", ""));
    bench.Put(AVolume("plain", "1Gi"));
    if (test.claim != nullptr) bench.Put(test.claim);
    EXPECT_EQ(bench.Ask(PodWithClaims("p", {"c"})), (Answers{{"", test.want}})) << test.name;
  }
  PluginBench bench("VolumeZone");
  EXPECT_EQ(bench.Ask(PodFromYaml("p", "{}")), (Answers{{"", "Skip"}}));
}

TEST(VolumeZoneTest, OnlyWhatMayHelpWakesAPod) {
  PluginBench bench("VolumeZone");
  const PodId id = bench.cluster().UpsertPod(PodWithClaims("p", {"c"}));
  const auto hint = [&](EventResource resource, const ObjectPtr& before, const ObjectPtr& now) {
    const ClusterEvent event{resource, before == nullptr ? kAdd : kUpdate, "", before, now};
    return bench.plugin_as<EnqueueExtensions>().HintFor(bench.cluster().pod(id), event);
  };
  const auto volume = [](std::string_view zone) {
    return AVolume("v", "1Gi", {},
                   "labels: {topology.kubernetes.io/zone: " + std::string(zone) + "}");
  };
  EXPECT_EQ(hint(EventResource::PersistentVolume, nullptr, volume("a")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::PersistentVolume, volume("a"), volume("b")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::PersistentVolume, volume("a__b"), volume("b__a")), Hint::Skip);
  EXPECT_EQ(hint(EventResource::PersistentVolumeClaim, nullptr, AClaim("c", "{}")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::PersistentVolumeClaim, nullptr, AClaim("d", "{}")), Hint::Skip);
  EXPECT_EQ(hint(EventResource::StorageClass, nullptr, AClass("x", "p")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::StorageClass, nullptr, AClass("x", "p", "Immediate")), Hint::Skip);
  EXPECT_EQ(hint(EventResource::Node, nullptr, ANode("n")), Hint::Queue);
}

}  // namespace
}  // namespace plimsoll::scheduler
