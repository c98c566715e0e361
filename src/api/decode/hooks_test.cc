#include "api/decode/hooks.h"

#include <gtest/gtest.h>

#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodeHooksTest, AKindWithoutAViewHasItsMetadata) {
  const auto object = DecodeJson(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"n"}})");
  ASSERT_NE(object->As<UntypedObject>(), nullptr);
  EXPECT_EQ(object->metadata().name, "c");
  EXPECT_EQ(object->metadata().namespace_, "n");
}

TEST(DecodeHooksTest, ListMetaIsNotDecoded) {
  const auto object =
      DecodeJson(R"({"apiVersion":"v1","kind":"Status","metadata":{"resourceVersion":"5"}})");
  ASSERT_NE(object->As<UntypedObject>(), nullptr);
  EXPECT_EQ(object->metadata().resource_version, "");
}

TEST(DecodeHooksTest, EveryDeviceGetsTheDriverOfItsSlice) {
  ResourceSlice slice;
  slice.driver = "gpu.example.com";
  slice.devices.resize(2);
  SetDriverOfDevices(slice);
  EXPECT_EQ(slice.devices[0].facts.driver, "gpu.example.com");
  EXPECT_EQ(slice.devices[1].facts.driver, "gpu.example.com");
}

}  // namespace
}  // namespace plimsoll::api
