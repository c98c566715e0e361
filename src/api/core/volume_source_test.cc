#include "api/core/volume_source.h"

#include <gtest/gtest.h>

#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(VolumeSourceTest, ReadsFieldsOfASource) {
  const auto object = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{
    "rbd":{"image":"i","monitors":["m","n"],"readOnly":true}}})");
  const PersistentVolumeSpec& spec = object->As<PersistentVolume>()->spec;
  const codec::Value* rbd = FindSource(spec, "rbd");
  ASSERT_NE(rbd, nullptr);
  EXPECT_EQ(SourceText(rbd, "image"), "i");
  EXPECT_TRUE(SourceFlag(rbd, "readOnly"));
  EXPECT_EQ(SourceTexts(rbd, "monitors"), (std::vector<std::string_view>{"m", "n"}));
}

TEST(VolumeSourceTest, WhatIsMissingIsEmpty) {
  const auto object = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{
    "csi":{"driver":"d","volumeHandle":"h"}}})");
  const PersistentVolumeSpec& spec = object->As<PersistentVolume>()->spec;
  EXPECT_EQ(FindSource(spec, "rbd"), nullptr);
  EXPECT_EQ(SourceText(nullptr, "image"), "");
  const codec::Value* csi = FindSource(spec, "csi");
  EXPECT_EQ(SourceText(csi, "fsType"), "");
  EXPECT_FALSE(SourceFlag(csi, "readOnly"));
  EXPECT_TRUE(SourceTexts(csi, "monitors").empty());
}

}  // namespace
}  // namespace plimsoll::api
