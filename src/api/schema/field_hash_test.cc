#include "api/schema/field_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::api {
namespace {

struct HashCase {
  std::string_view name;
  std::vector<std::string> fields;
  bool has_hash;
};

std::vector<std::string> Numbered(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("field" + std::to_string(i));
  return names;
}

TEST(FieldHashTest, EveryFieldIsFoundWithAndWithoutAHash) {
  const HashCase kCases[] = {
      {"no fields", {}, false},
      {"one field", {"a"}, true},
      {"a few", {"a", "b", "name", "namespace"}, true},
      {"as many as slots can number", Numbered(254), true},
      {"too many", Numbered(255), false},
      {"same first and last bytes", {"abcdefgh-1-ijklmnop", "abcdefgh-2-ijklmnop"}, false},
  };
  for (const HashCase& test : kCases) {
    std::vector<FieldDesc> fields;
    for (const std::string& name : test.fields) fields.push_back({.name = name});
    TypeDesc type{.fields = fields};
    std::vector<std::uint8_t> slots;
    AddFieldHash(type, slots);
    EXPECT_EQ(!type.slots.empty(), test.has_hash) << test.name;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      EXPECT_EQ(FindField(type, fields[i].name), i) << test.name;
    }
    EXPECT_EQ(FindField(type, "other"), codec::kUnknownField) << test.name;
  }
}

}  // namespace
}  // namespace plimsoll::api
