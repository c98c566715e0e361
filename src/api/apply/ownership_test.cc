#include "api/apply/ownership.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

using Kind = Ownership::Kind;

Ownership At(std::initializer_list<std::string_view> names, std::string_view kind = "Pod") {
  Ownership how = Ownership::Of(*FindKind("", "v1", kind)->type);
  for (const std::string_view name : names) {
    how = how.is_list() ? how.Element().Member(name) : how.Member(name);
  }
  return how;
}

TEST(OwnershipTest, IsWhatTheTypeSays) {
  EXPECT_EQ(At({}).kind, Kind::Fields);
  EXPECT_EQ(At({"kind"}).kind, Kind::Whole);
  EXPECT_EQ(At({"metadata", "labels"}).kind, Kind::Map);
  EXPECT_EQ(At({"metadata", "labels", "a"}).kind, Kind::Whole);
  EXPECT_EQ(At({"metadata", "finalizers"}).kind, Kind::Set);
  EXPECT_EQ(At({"metadata", "ownerReferences"}).kind, Kind::Keyed);
  EXPECT_EQ(At({"metadata", "ownerReferences"}).Element().kind, Kind::Whole);
  EXPECT_EQ(At({"spec", "tolerations"}).kind, Kind::Whole);
  EXPECT_EQ(At({"spec", "nodeSelector"}).kind, Kind::Whole);
  EXPECT_EQ(At({"spec", "containers", "resources", "limits"}).kind, Kind::Map);
  EXPECT_EQ(At({"spec", "containers", "ports"}).kind, Kind::Keyed);
  EXPECT_EQ(At({"spec", "nothing", "at", "all"}).kind, Kind::Whole);
  // A field can override the ownership of its type.
  EXPECT_EQ(At({"spec", "claimRef"}, "PersistentVolume").kind, Kind::Fields);
  EXPECT_TRUE(At({"spec"}).IsField("nodeName"));
  EXPECT_FALSE(At({"metadata", "labels"}).IsField("nodeName"));
}

TEST(OwnershipTest, ElementsAreFoundByTheirKeys) {
  const auto path = [](const Ownership& how, const std::string& json) {
    const auto parsed = codec::ParseJson(json);
    codec::Document arena;
    const auto found = how.ElementPath(arena, (*parsed)->root());
    return found ? found->Text() : found.error().message;
  };
  const Ownership ports = At({"spec", "containers", "ports"});
  EXPECT_EQ(path(ports, R"({"protocol":"UDP","containerPort":5})"),
            "[containerPort=5,protocol=\"UDP\"]");
  EXPECT_EQ(path(ports, R"({"containerPort":5})"), "[containerPort=5,protocol=\"TCP\"]");
  EXPECT_EQ(path(ports, "null"), "associative list with keys may not have a null element");
  EXPECT_EQ(path(ports, "1"), "associative list with keys may not have non-map elements");
  const Ownership finalizers = At({"metadata", "finalizers"});
  EXPECT_EQ(path(finalizers, "\"x\""), "[=\"x\"]");
  EXPECT_EQ(path(finalizers, "{}"),
            "associative list without keys has an element that's a map type");
  EXPECT_EQ(path(finalizers, "[]"), "not supported: associative list with lists as elements");
  EXPECT_EQ(path(finalizers, "null"),
            "associative list without keys has an element that's an explicit null");
}

}  // namespace
}  // namespace plimsoll::api
