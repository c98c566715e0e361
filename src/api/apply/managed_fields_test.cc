#include "api/apply/managed_fields.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

std::string Entry(const std::string& manager, int minute, const std::string& operation = "Update",
                  const std::string& version = "v1") {
  const std::string padded = (minute < 10 ? "0" : "") + std::to_string(minute);
  return R"({"manager":")" + manager + R"(","operation":")" + operation + R"(","apiVersion":")" +
         version + R"(","time":"2024-01-01T00:)" + padded +
         R"(:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:)" + manager + R"(":{}}})";
}

TEST(ManagedFieldsTest, AreSortedByOperationTimeAndManager) {
  const auto list = codec::ParseJson("[" + Entry("d", 2) + "," + Entry("b", 1) + "," +
                                     Entry("a", 1) + "," + Entry("z", 9, "Apply") + "]");
  codec::Document arena;
  const auto managed = ManagedFields::Decode(arena, &(*list)->root());
  ASSERT_TRUE(managed.has_value());
  EXPECT_EQ(codec::WriteJson(managed->Encode(arena)), "[" + Entry("z", 9, "Apply") + "," +
                                                          Entry("a", 1) + "," + Entry("b", 1) +
                                                          "," + Entry("d", 2) + "]");
}

TEST(ManagedFieldsTest, OneManagerHasOneEntry) {
  const auto list =
      codec::ParseJson("[" + Entry("a", 1, "Apply", "v1") + "," + Entry("a", 2, "Apply", "v2") +
                       "," + Entry("a", 1) + "," + Entry("a", 1, "Update", "v2") + "]");
  codec::Document arena;
  const auto managed = ManagedFields::Decode(arena, &(*list)->root());
  EXPECT_EQ(codec::WriteJson(managed->Encode(arena)), "[" + Entry("a", 2, "Apply", "v2") + "," +
                                                          Entry("a", 1) + "," +
                                                          Entry("a", 1, "Update", "v2") + "]");
}

TEST(ManagedFieldsTest, SaysWhatNoServerWrote) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"([{"operation":"Delete"}])", "operation must be `Apply` or `Update`"},
      {R"([{"operation":"Apply"}])", "apiVersion must not be empty"},
      {R"([{"operation":"Apply","apiVersion":"v1"}])",
       "missing fieldsType in managed fields entry 0"},
      {R"([{"operation":"Apply","apiVersion":"v1","fieldsType":"X"}])",
       "invalid fieldsType \"X\" in managed fields entry 0"},
      {R"([{"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"x":{}}}])",
       "parsing key as path element: key must be 2 characters long:"},
  };
  for (const auto& [json, want] : cases) {
    const auto list = codec::ParseJson(json);
    codec::Document arena;
    const auto managed = ManagedFields::Decode(arena, &(*list)->root());
    ASSERT_FALSE(managed.has_value()) << json;
    EXPECT_EQ(managed.error().message, want);
  }
}

TEST(ManagedFieldsTest, TheOldestUpdatesAreJoined) {
  std::string json = "[" + Entry("applier", 0, "Apply");
  for (int i = 0; i < 12; ++i) json += "," + Entry("m" + std::to_string(10 + i), i);
  const auto list = codec::ParseJson(json + "]");
  codec::Document arena;
  auto managed = ManagedFields::Decode(arena, &(*list)->root());
  managed->Cap();
  ASSERT_EQ(managed->entries().size(), ManagedFields::kUpdatesMax + 1);
  const codec::Value encoded = managed->Encode(arena);
  // The three oldest are merged and have the time of the newest of them.
  EXPECT_EQ(
      codec::WriteJson(encoded.items()[1]),
      R"({"manager":"ancient-changes","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:02:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:m10":{},"f:m11":{},"f:m12":{}}})");
  EXPECT_EQ(codec::WriteJson(encoded.items()[2]), Entry("m13", 3));
}

TEST(ManagedFieldsTest, TheOldestUpdatesJoinThoseOfTheirVersionThatWereJoinedBefore) {
  std::string json = "[" + Entry("ancient-changes", 0) + "," + Entry("other", 1, "Update", "v2");
  for (int i = 2; i < 13; ++i) json += "," + Entry("m" + std::to_string(10 + i), i);
  const auto list = codec::ParseJson(json + "]");
  codec::Document arena;
  auto managed = ManagedFields::Decode(arena, &(*list)->root());
  managed->Cap();
  ASSERT_EQ(managed->entries().size(), ManagedFields::kUpdatesMax);
  const codec::Value encoded = managed->Encode(arena);
  EXPECT_EQ(codec::WriteJson(encoded.items()[0]), Entry("other", 1, "Update", "v2"));
  EXPECT_EQ(
      codec::WriteJson(encoded.items()[1]),
      R"({"manager":"ancient-changes","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:04:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:ancient-changes":{},"f:m12":{},"f:m13":{},"f:m14":{}}})");
}

TEST(ManagedFieldsTest, AJoinedEntryThatIsNotTheOldestCountsOnce) {
  std::string json =
      "[" + Entry("m10", 0) + "," + Entry("m11", 1) + "," + Entry("ancient-changes", 2);
  for (int i = 3; i < 12; ++i) json += "," + Entry("m" + std::to_string(10 + i), i);
  const auto list = codec::ParseJson(json + "]");
  codec::Document arena;
  auto managed = ManagedFields::Decode(arena, &(*list)->root());
  managed->Cap();
  ASSERT_EQ(managed->entries().size(), ManagedFields::kUpdatesMax);
  const codec::Value encoded = managed->Encode(arena);
  EXPECT_EQ(codec::WriteJson(encoded.items()[0]), Entry("m10", 0));
  EXPECT_EQ(
      codec::WriteJson(encoded.items()[1]),
      R"({"manager":"ancient-changes","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:03:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:ancient-changes":{},"f:m11":{},"f:m13":{}}})");
}

TEST(ManagedFieldsTest, AnEmptyEntryAsksToForgetAll) {
  for (const auto& [json, want] :
       std::vector<std::pair<std::string, bool>>{{"[]", true},
                                                 {"[{}]", true},
                                                 {R"([{"manager":""}])", true},
                                                 {R"([{"manager":"m"}])", false},
                                                 {"[{},{}]", false},
                                                 {"{}", false}}) {
    const auto list = codec::ParseJson(json);
    EXPECT_EQ(IsManagedFieldsReset(&(*list)->root()), want) << json;
  }
  EXPECT_FALSE(IsManagedFieldsReset(nullptr));
}

}  // namespace
}  // namespace plimsoll::api
