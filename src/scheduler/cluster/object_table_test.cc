#include "scheduler/cluster/object_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;

TEST(ObjectTableTest, FindsByNamespaceAndName) {
  ObjectTable table;
  table.Put(Named("ConfigMap", "a", "x", ""));
  table.Put(Named("ConfigMap", "b", "x", ""));
  table.Put(Named("ConfigMap", "b", "y", "data: {k: v}"));
  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(table.Find("a", "y"), nullptr);

  std::vector<std::string> names;
  table.ForEachIn("b",
                  [&](const ObjectPtr& object) { names.emplace_back(object->metadata().name); });
  EXPECT_THAT(names, ElementsAre("x", "y"));

  std::uint64_t version = table.version();
  const ObjectPtr renewed = Named("ConfigMap", "a", "x", "data: {k: v}");
  table.Put(renewed);
  EXPECT_EQ(table.Find("a", "x"), renewed);
  EXPECT_NE(std::exchange(version, table.version()), table.version());
  table.Erase("a", "z");
  EXPECT_EQ(table.version(), version);
  table.Erase("a", "x");
  EXPECT_NE(table.version(), version);
  EXPECT_EQ(table.Find("a", "x"), nullptr);
}

}  // namespace
}  // namespace plimsoll::scheduler
