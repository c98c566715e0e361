#include "controller/volume/volume_patch.h"

#include <gtest/gtest.h>

#include "api/decode/decode_json_for_test.h"

namespace plimsoll::controller {
namespace {

using api::DecodeJson;

TEST(VolumePatchTest, WritesWhatIsMissingAndNothingElse) {
  const auto claim = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":
    {"name":"c","resourceVersion":"4"},"spec":{"volumeName":"v"},"status":{"phase":"Pending",
    "capacity":{"old":"1"}}})");
  EXPECT_EQ(BindClaimPatch(*claim, "v"), R"({"metadata":{"resourceVersion":"4","annotations":)"
                                         R"({"pv.kubernetes.io/bind-completed":"yes"}}})");
  EXPECT_EQ(BindClaimPatch(*claim, "w"),
            R"({"metadata":{"resourceVersion":"4","annotations":)"
            R"({"pv.kubernetes.io/bound-by-controller":"yes",)"
            R"("pv.kubernetes.io/bind-completed":"yes"}},"spec":{"volumeName":"w"}})");
  const auto volume = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{
    "capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce"]}})");
  const auto* view = volume->As<api::PersistentVolume>();
  EXPECT_EQ(ClaimStatusPatch(*claim, "Bound", view),
            R"({"metadata":{"resourceVersion":"4"},"status":{"phase":"Bound","accessModes":)"
            R"(["ReadWriteOnce"],"capacity":{"storage":"10Gi","old":null}}})");
  EXPECT_EQ(ClaimStatusPatch(*claim, "Pending", nullptr),
            R"({"metadata":{"resourceVersion":"4"},"status":{"capacity":null}})");
}

TEST(VolumePatchTest, ABoundClaimsCapacityIsLeftAlone) {
  const auto claim = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{
    "annotations":{"pv.kubernetes.io/bind-completed":"yes"}},"spec":{"volumeName":"v"},"status":
    {"phase":"Bound","accessModes":["ReadWriteOnce"],"capacity":{"storage":"5Gi"}}})");
  const auto volume = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{
    "capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce"]}})");
  EXPECT_EQ(ClaimStatusPatch(*claim, "Bound", volume->As<api::PersistentVolume>()), "");
  EXPECT_EQ(BindClaimPatch(*claim, "v"), "");
}

}  // namespace
}  // namespace plimsoll::controller
