#include "controller/volume/volume_binder.h"

#include <gtest/gtest.h>

#include "controller/server_for_test.h"
#include "match/volume_claim.h"

namespace plimsoll::controller {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;
using Events = std::vector<std::string>;
using namespace std::chrono_literals;

std::string Volume(std::string_view name, std::string_view spec, std::string_view metadata = {},
                   std::string_view status = "{}") {
  return "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: " + std::string(name) +
         (metadata.empty() ? "" : ", " + std::string(metadata)) + "}\nspec: {" + std::string(spec) +
         "}\nstatus: " + std::string(status) + "\n";
}
/// Returns a volume of ten gigabytes without class.
std::string Plain(std::string_view name, std::string_view more = {}) {
  return Volume(name,
                "capacity: {storage: 10Gi}, accessModes: [ReadWriteOnce], "
                "persistentVolumeReclaimPolicy: Retain" +
                    (more.empty() ? "" : ", " + std::string(more)));
}
std::string Claim(std::string_view name, std::string_view more = {},
                  std::string_view metadata = {}) {
  return "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: " + std::string(name) +
         ", namespace: default" + (metadata.empty() ? "" : ", " + std::string(metadata)) +
         "}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}" +
         (more.empty() ? "" : ", " + std::string(more)) + "}\nstatus: {phase: Pending}\n";
}
std::string Class(std::string_view name, std::string_view provisioner, std::string_view mode,
                  std::string_view metadata = {}) {
  return "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: " +
         std::string(name) + (metadata.empty() ? "" : ", " + std::string(metadata)) +
         "}\nprovisioner: " + std::string(provisioner) +
         "\nvolumeBindingMode: " + std::string(mode) + "\n";
}

class VolumeBinderTest : public testing::Test {
 protected:
  VolumeBinderTest() : server_(core_) { server_.Sync(); }

  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.Settle();
  }
  const PersistentVolume& volume(std::string_view name) {
    return *server_.Find("PersistentVolume", {}, name)->As<PersistentVolume>();
  }
  const PersistentVolumeClaim& claim(std::string_view name) {
    return *server_.Find("PersistentVolumeClaim", "default", name)->As<PersistentVolumeClaim>();
  }
  /// Checks that claim and volume are completely bound to each other.
  void ExpectBound(std::string_view claim_name, std::string_view volume_name) {
    const PersistentVolumeClaim& c = claim(claim_name);
    const PersistentVolume& v = volume(volume_name);
    EXPECT_EQ(c.spec.volume_name, volume_name);
    EXPECT_EQ(c.phase, "Bound");
    EXPECT_TRUE(match::IsFullyBound(c));
    EXPECT_EQ(c.bound_access_modes, v.spec.access_modes);
    EXPECT_EQ(match::StorageOf(v), c.capacity.at(0).quantity);
    ASSERT_TRUE(v.spec.claim_ref.has_value());
    EXPECT_EQ(v.spec.claim_ref->uid, c.metadata.uid);
    EXPECT_EQ(v.spec.claim_ref->name, claim_name);
    EXPECT_EQ(v.phase, "Bound");
  }
  void ExpectUnbound(std::string_view claim_name) {
    EXPECT_EQ(claim(claim_name).phase, "Pending");
    EXPECT_EQ(claim(claim_name).spec.volume_name, "");
  }

  VolumeBinder core_;
  ServerForTest<VolumeBinder> server_;
};

TEST_F(VolumeBinderTest, NothingIsDoneBeforeAllIsTold) {
  VolumeBinder core;
  ServerForTest server(core);
  server.Put(Plain("v"));
  server.Settle();
  EXPECT_EQ(server.writes(), 0u);
  server.Sync();
  server.Settle();
  EXPECT_EQ(server.writes(), 1u);
}

TEST_F(VolumeBinderTest, ANewVolumeIsAvailable) {
  Put(Plain("v"));
  EXPECT_EQ(volume("v").phase, "Available");
  EXPECT_EQ(server_.writes(), 1u);
}

TEST_F(VolumeBinderTest, BindsAClaimWhicheverComesFirst) {
  Put(Plain("v"));
  Put(Claim("c"));
  ExpectBound("c", "v");
  EXPECT_EQ(volume("v").metadata.annotations.Find(match::kBoundByController), "yes");
  EXPECT_EQ(claim("c").metadata.annotations.Find(match::kBoundByController), "yes");
  Put(Claim("d"));
  ExpectUnbound("d");
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"FailedBinding: no persistent volumes available for this claim and no storage "
                    "class is set"}));
  Put(Plain("w"));
  ExpectBound("d", "w");
  EXPECT_EQ(server_.TakeEvents(), Events{});
}

TEST_F(VolumeBinderTest, EveryClaimGetsAVolumeOfItsOwn) {
  for (const char* name : {"v1", "v2", "v3"}) server_.Put(Plain(name));
  for (const char* name : {"c1", "c2", "c3", "c4"}) server_.Put(Claim(name));
  server_.Settle();
  std::set<std::string> used;
  for (const char* name : {"c1", "c2", "c3"}) {
    const std::string volume_name(claim(name).spec.volume_name);
    ASSERT_NE(volume_name, "") << name;
    ExpectBound(name, volume_name);
    EXPECT_TRUE(used.insert(volume_name).second) << name;
  }
  ExpectUnbound("c4");
}

TEST_F(VolumeBinderTest, TakesTheVolumeThatSuitsBest) {
  struct Case {
    std::string name;
    std::vector<std::string> volumes;
    std::string claim;
    std::string want;  // empty: none
  };
  const std::string once = "accessModes: [ReadWriteOnce], ";
  const std::vector<Case> cases{
      {"TheSmallest",
       {Volume("a", once + "capacity: {storage: 50Gi}"),
        Volume("b", once + "capacity: {storage: 6Gi}"),
        Volume("c", once + "capacity: {storage: 4Gi}")},
       Claim("claim"),
       "b"},
      {"TheOneWithFewestModes",
       {Volume("a", "accessModes: [ReadWriteOnce, ReadOnlyMany], capacity: {storage: 5Gi}"),
        Volume("b", once + "capacity: {storage: 50Gi}")},
       Claim("claim"),
       "b"},
      {"OfTheRightMode",
       {Volume("a", "accessModes: [ReadOnlyMany], capacity: {storage: 5Gi}")},
       Claim("claim"),
       ""},
      {"OfTheRightClass",
       {Plain("a"), Plain("b", "storageClassName: slow")},
       Claim("claim", "storageClassName: slow"),
       "b"},
      {"WithTheRightLabels",
       {Plain("a"), Volume("b", once + "capacity: {storage: 50Gi}", "labels: {tier: gold}")},
       Claim("claim", "selector: {matchLabels: {tier: gold}}"),
       "b"},
      {"OfTheRightVolumeMode",
       {Plain("a", "volumeMode: Block"), Plain("b", "volumeMode: Filesystem")},
       Claim("claim", "volumeMode: Block"),
       "a"},
      {"TheOneSetAsideForIt",
       {Volume("a", once + "capacity: {storage: 5Gi}"),
        Plain("b", "claimRef: {namespace: default, name: claim}")},
       Claim("claim"),
       "b"},
      {"NotOneSetAsideForAnother",
       {Plain("a", "claimRef: {namespace: default, name: other}")},
       Claim("claim"),
       ""},
      {"NotOneThatIsBeingDeleted",
       {Volume("a", once + "capacity: {storage: 5Gi}",
               "deletionTimestamp: '2026-01-01T00:00:00Z'")},
       Claim("claim"),
       ""},
  };
  for (const Case& test : cases) {
    VolumeBinder core;
    ServerForTest server(core);
    server.Put(Class("slow", "kubernetes.io/no-provisioner", "Immediate"));
    for (const std::string& yaml : test.volumes) server.Put(yaml);
    server.Sync();
    server.Settle();
    server.Put(test.claim);
    server.Settle();
    const auto object = server.Find("PersistentVolumeClaim", "default", "claim");
    EXPECT_EQ(object->As<PersistentVolumeClaim>()->spec.volume_name, test.want) << test.name;
    EXPECT_EQ(object->As<PersistentVolumeClaim>()->phase, test.want.empty() ? "Pending" : "Bound")
        << test.name;
  }
}

TEST_F(VolumeBinderTest, AUsersChoiceIsNotMarkedAsTheControllers) {
  Put(Plain("v", "claimRef: {namespace: default, name: c}"));
  EXPECT_EQ(volume("v").phase, "Available");
  Put(Claim("c", "volumeName: v"));
  ExpectBound("c", "v");
  EXPECT_FALSE(volume("v").metadata.annotations.Has(match::kBoundByController));
  EXPECT_FALSE(claim("c").metadata.annotations.Has(match::kBoundByController));
}

TEST_F(VolumeBinderTest, AClaimMayNameItsVolume) {
  struct Case {
    std::string name;
    std::string volume;
    std::string fault;  // empty: bound
  };
  const std::vector<Case> cases{
      {"Fits", Plain("v"), ""},
      {"TooSmall", Volume("v", "accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}"),
       "VolumeMismatch: Cannot bind to requested volume \"v\": requested PV is too small"},
      {"Class", Plain("v", "storageClassName: x"),
       "VolumeMismatch: Cannot bind to requested volume \"v\": storageClassName does not match"},
      {"Mode", Plain("v", "volumeMode: Block"),
       "VolumeMismatch: Cannot bind to requested volume \"v\": incompatible volumeMode"},
      {"AccessMode", Volume("v", "accessModes: [ReadOnlyMany], capacity: {storage: 9Gi}"),
       "VolumeMismatch: Cannot bind to requested volume \"v\": incompatible accessMode"},
      {"AnothersByName", Plain("v", "claimRef: {namespace: default, name: other}"),
       "FailedBinding: volume \"v\" already bound to a different claim."},
  };
  for (const Case& test : cases) {
    VolumeBinder core;
    ServerForTest server(core);
    server.Sync();
    server.Put(Claim("c", "volumeName: v"));
    server.Settle();
    server.Put(test.volume);
    server.Settle();
    const auto object = server.Find("PersistentVolumeClaim", "default", "c");
    EXPECT_EQ(object->As<PersistentVolumeClaim>()->phase, test.fault.empty() ? "Bound" : "Pending")
        << test.name;
    EXPECT_EQ(server.TakeEvents(), test.fault.empty() ? Events{} : Events{test.fault}) << test.name;
  }
}

TEST_F(VolumeBinderTest, WaitsForTheFirstConsumer) {
  Put(Class("fast", "kubernetes.io/no-provisioner", "WaitForFirstConsumer"));
  Put(Plain("v", "storageClassName: fast"));
  Put(Claim("c", "storageClassName: fast"));
  ExpectUnbound("c");
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"WaitForFirstConsumer: waiting for first consumer to be created before "
                    "binding"}));
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec: {NODE volumes: "
      "[{name: v, persistentVolumeClaim: {claimName: c}}]}\n";
  std::string waiting = pod;
  Put(waiting.replace(waiting.find("NODE"), 4, ""));
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"WaitForPodScheduled: waiting for pod p to be scheduled"}));
  // The scheduler writes its choice into the volume; the controller does the rest.
  const std::string uid(claim("c").metadata.uid);
  Put(Volume("v",
             "storageClassName: fast, capacity: {storage: 10Gi}, accessModes: [ReadWriteOnce], "
             "claimRef: {namespace: default, name: c, uid: " +
                 uid + "}",
             "annotations: {pv.kubernetes.io/bound-by-controller: 'yes'}", "{phase: Available}"));
  ExpectBound("c", "v");
  std::string placed = pod;
  Put(placed.replace(placed.find("NODE"), 4, "nodeName: n1,"));
  EXPECT_EQ(server_.TakeEvents(), Events{});
}

TEST_F(VolumeBinderTest, LeavesMakingVolumesToOthers) {
  Put(Class("cloud", "driver.example.com", "Immediate"));
  Put(Claim("c", "storageClassName: cloud"));
  ExpectUnbound("c");
  EXPECT_EQ(claim("c").metadata.annotations.Find("volume.kubernetes.io/storage-provisioner"),
            "driver.example.com");
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"ExternalProvisioning: Waiting for a volume to be created either by the "
                    "external provisioner 'driver.example.com' or manually by the system "
                    "administrator. If volume creation is delayed, please verify that the "
                    "provisioner is running and correctly registered."}));
  Put(Plain("made", "storageClassName: cloud, claimRef: {namespace: default, name: c, uid: " +
                        std::string(claim("c").metadata.uid) + "}"));
  ExpectBound("c", "made");
}

TEST_F(VolumeBinderTest, ADelayedClaimIsMadeForTheSelectedNode) {
  Put(Class("cloud", "driver.example.com", "WaitForFirstConsumer"));
  Put(Claim("c", "storageClassName: cloud"));
  EXPECT_FALSE(claim("c").metadata.annotations.Has("volume.kubernetes.io/storage-provisioner"));
  Put(Claim("c", "storageClassName: cloud",
            "uid: u, annotations: {volume.kubernetes.io/selected-node: n1}"));
  EXPECT_TRUE(claim("c").metadata.annotations.Has("volume.kubernetes.io/storage-provisioner"));
}

TEST_F(VolumeBinderTest, SaysWhyNoVolumeIsMade) {
  Put(Claim("c", "storageClassName: none"));
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"ProvisioningFailed: storageclass.storage.k8s.io \"none\" not found"}));
  Put(Class("none", "kubernetes.io/no-provisioner", "Immediate"));
  EXPECT_EQ(
      server_.TakeEvents(),
      (Events{"ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner"}));
}

TEST_F(VolumeBinderTest, AClaimWithoutClassGetsTheDefaultOne) {
  const std::string is_default =
      "annotations: {storageclass.kubernetes.io/is-default-class: 'true'}";
  Put(Claim("c"));
  Put(Claim("none", "storageClassName: ''"));
  Put(Class("old", "driver.example.com", "Immediate",
            is_default + ", creationTimestamp: '2025-01-01T00:00:00Z'"));
  EXPECT_EQ(claim("c").spec.storage_class_name, "old");
  EXPECT_EQ(claim("none").spec.storage_class_name, "");
  Put(Class("new", "driver.example.com", "Immediate",
            is_default + ", creationTimestamp: '2026-01-01T00:00:00Z'"));
  Put(Claim("d"));
  EXPECT_EQ(claim("d").spec.storage_class_name, "new");
}

TEST_F(VolumeBinderTest, AReleasedVolumeIsReclaimedAsItsPolicySays) {
  struct Case {
    std::string name;
    std::string spec;
    std::string phase;  // empty: deleted
    Events events;
    std::string metadata;
  };
  const std::vector<Case> cases{
      {"Retain", "persistentVolumeReclaimPolicy: Retain", "Released", {}, ""},
      {"DeleteLocal",
       "persistentVolumeReclaimPolicy: Delete, local: {path: /d}",
       "Failed",
       {"VolumeFailedDelete: error getting deleter volume plugin for volume \"v\": no deletable "
        "volume plugin matched"},
       ""},
      {"DeleteHostPath",
       "persistentVolumeReclaimPolicy: Delete, hostPath: {path: /data}",
       "Failed",
       {"VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /data"},
       ""},
      {"DeleteTemporary",
       "persistentVolumeReclaimPolicy: Delete, hostPath: {path: /tmp/x}",
       "",
       {},
       ""},
      {"DeleteOutside",
       "persistentVolumeReclaimPolicy: Delete, csi: {driver: d, volumeHandle: h}",
       "Released",
       {},
       "annotations: {pv.kubernetes.io/provisioned-by: driver.example.com}"},
      {"Recycle",
       "persistentVolumeReclaimPolicy: Recycle",
       "Failed",
       {"VolumeFailedRecycle: No recycler plugin found for the volume!"},
       ""},
      {"Unknown",
       "persistentVolumeReclaimPolicy: Forget",
       "Failed",
       {"VolumeUnknownReclaimPolicy: Volume has an unrecognized PersistentVolumeReclaimPolicy"},
       ""},
  };
  for (const Case& test : cases) {
    VolumeBinder core;
    ServerForTest server(core);
    server.Sync();
    server.Put(Volume("v", "capacity: {storage: 10Gi}, accessModes: [ReadWriteOnce], " + test.spec,
                      test.metadata));
    server.Settle();
    server.Put(Claim("c"));
    server.Settle();
    ASSERT_EQ(server.Find("PersistentVolume", {}, "v")->As<PersistentVolume>()->phase, "Bound")
        << test.name;
    server.Delete("PersistentVolumeClaim", "default", "c");
    server.Settle();
    const ObjectPtr left = server.Find("PersistentVolume", {}, "v");
    EXPECT_EQ(left == nullptr ? "" : left->As<PersistentVolume>()->phase, test.phase) << test.name;
    EXPECT_EQ(server.TakeEvents(), test.events) << test.name;
    // A new claim of the same name is another claim, and does not get the volume.
    server.Put(Claim("c"));
    server.Settle();
    const auto again = server.Find("PersistentVolumeClaim", "default", "c");
    EXPECT_EQ(again->As<PersistentVolumeClaim>()->phase, "Pending") << test.name;
  }
}

TEST_F(VolumeBinderTest, ABoundClaimWithoutItsVolumeIsLost) {
  Put(Plain("v"));
  Put(Claim("c"));
  server_.Delete("PersistentVolume", {}, "v");
  server_.Settle();
  EXPECT_EQ(claim("c").phase, "Lost");
  EXPECT_TRUE(claim("c").capacity.empty());
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is "
                    "lost!"}));
  // When the volume is created again, the claim is bound again.
  Put(Plain("v"));
  ExpectBound("c", "v");
}

TEST_F(VolumeBinderTest, TwoClaimsCannotHaveOneVolume) {
  Put(Plain("v"));
  Put(Claim("c"));
  Put(Claim("d", "volumeName: v", "annotations: {pv.kubernetes.io/bind-completed: 'yes'}"));
  EXPECT_EQ(claim("d").phase, "Lost");
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"ClaimMisbound: Two claims are bound to the same volume, this one is bound "
                    "incorrectly"}));
  ExpectBound("c", "v");
}

TEST_F(VolumeBinderTest, AVolumeWhoseClaimWentElsewhereIsFreeAgain) {
  Put(Plain("v"));
  Put(Claim("c"));
  const std::string uid(claim("c").metadata.uid);
  const std::string reference =
      "claimRef: {namespace: default, name: c, uid: " + uid + "}, capacity: {storage: 10Gi}";
  Put(Volume("ours", reference, "annotations: {pv.kubernetes.io/bound-by-controller: 'yes'}"));
  EXPECT_FALSE(volume("ours").spec.claim_ref.has_value());
  EXPECT_EQ(volume("ours").phase, "Available");
  // A claimRef that the user set by name is kept.
  Put(Volume("theirs", reference));
  EXPECT_EQ(volume("theirs").spec.claim_ref->name, "c");
  EXPECT_EQ(volume("theirs").spec.claim_ref->uid, "");
  EXPECT_EQ(volume("theirs").phase, "Available");
  ExpectBound("c", "v");
}

TEST_F(VolumeBinderTest, VolumeModesThatDifferAreSaidOnBothSides) {
  Put(Claim("c"));
  server_.TakeEvents();
  Put(Plain("v", "volumeMode: Block, claimRef: {namespace: default, name: c, uid: " +
                     std::string(claim("c").metadata.uid) + "}"));
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"VolumeMismatch: Cannot bind PersistentVolume to requested "
                    "PersistentVolumeClaim \"c\" due to incompatible volumeMode.",
                    "VolumeMismatch: Cannot bind PersistentVolume \"v\" to requested "
                    "PersistentVolumeClaim due to incompatible volumeMode.",
                    "FailedBinding: no persistent volumes available for this claim and no storage "
                    "class is set"}));
  ExpectUnbound("c");
}

TEST_F(VolumeBinderTest, AFailedWriteIsTriedAgainLaterAndLater) {
  Put(Plain("v"));
  server_.FailNext(3);
  Put(Claim("c"));
  ExpectUnbound("c");
  EXPECT_EQ(core_.NextWake(), Instant(1s));
  server_.RunUntil(Instant(1s));
  EXPECT_EQ(core_.NextWake(), Instant(3s));
  server_.RunUntil(Instant(3s));
  EXPECT_EQ(core_.NextWake(), Instant(7s));
  server_.RunUntil(Instant(7s));
  ExpectBound("c", "v");
  EXPECT_EQ(core_.NextWake(), std::nullopt);
}

TEST_F(VolumeBinderTest, AnotherControllerGoesOnWhereOneWasKilled) {
  // After a restart at any write, a new controller reaches the same state.
  for (std::size_t stop = 0; stop < 6; ++stop) {
    VolumeBinder first;
    ServerForTest server(first);
    server.Sync();
    server.Put(Plain("v"));
    server.Put(Claim("c"));
    server.SettleWrites(stop);
    VolumeBinder second;
    ServerForTest after(second);
    after.TakeOver(server);
    after.Sync();
    after.Settle();
    const auto claim = after.Find("PersistentVolumeClaim", "default", "c");
    const auto volume = after.Find("PersistentVolume", {}, "v");
    EXPECT_EQ(claim->As<PersistentVolumeClaim>()->phase, "Bound") << stop;
    EXPECT_EQ(volume->As<PersistentVolume>()->phase, "Bound") << stop;
    EXPECT_EQ(volume->As<PersistentVolume>()->spec.claim_ref->uid, claim->metadata().uid) << stop;
  }
}

}  // namespace
}  // namespace plimsoll::controller
