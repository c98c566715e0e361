#include "store/etcd/key_map.h"

#include <gtest/gtest.h>

namespace plimsoll::store::etcd {
namespace {

TEST(KeyMapTest, KeysLieWhereUpstreamHasThem) {
  const KeyMap map("/registry", "/registry");
  EXPECT_EQ(map.ToEtcd("/registry/pods/ns/a"), "/registry/pods/ns/a");
  EXPECT_EQ(map.FromEtcd("/registry/pods/ns/a"), "/registry/pods/ns/a");
  EXPECT_EQ(map.root(), "/registry/");
}

TEST(KeyMapTest, AnotherPrefixReplacesTheRoot) {
  const KeyMap map("/registry/", "/clusters/east//");
  EXPECT_EQ(map.ToEtcd("/registry/pods/ns/a"), "/clusters/east/pods/ns/a");
  EXPECT_EQ(map.FromEtcd("/clusters/east/pods/ns/a"), "/registry/pods/ns/a");
  EXPECT_EQ(map.ToEtcd("/registryfoo"), std::nullopt);
  EXPECT_EQ(map.ToEtcd("/pods"), std::nullopt);
  EXPECT_EQ(map.ToEtcd(""), std::nullopt);
}

TEST(KeyMapTest, ARangeHoldsThePrefixAndWhatComesAfter) {
  struct Case {
    std::string prefix;
    std::string after;
    KeyRange want;
  };
  const KeyMap map("/r", "/e");
  const std::string zero("\0", 1);
  for (const Case& test : std::vector<Case>{
           {"", "", {"/e/", "/e0"}},
           {"/", "", {"/e/", "/e0"}},
           {"/r/", "", {"/e/", "/e0"}},
           {"/r/pods/", "", {"/e/pods/", "/e/pods0"}},
           {"/r/pods/", "/r/pods/a", {"/e/pods/a" + zero, "/e/pods0"}},
           {"/r/pods/", "/r/nodes/z", {"/e/pods/", "/e/pods0"}},
           {"/r/pods/", "/r/secrets/z", {}},
           {"/r/pods/", "/a", {"/e/pods/", "/e/pods0"}},
           {"/r/pods/", "/z", {}},
           {"/other/", "", {}},
           {"/r/a\xff", "", {"/e/a\xff", "/e/b"}},
       }) {
    EXPECT_EQ(map.RangeOf(test.prefix, test.after), test.want) << test.prefix << " " << test.after;
  }
}

TEST(KeyMapTest, ARangeOrdersByBytes) {
  const KeyMap map("", "/e");
  EXPECT_TRUE(map.RangeOf("/a", "").Contains("/e/a\xff\xff"));
  EXPECT_FALSE(map.RangeOf("/a", "").Contains("/e/b"));
  EXPECT_TRUE(map.RangeOf("/p/", "/p/a").Contains("/e/p/a\x01"));
  EXPECT_FALSE(map.RangeOf("/p/", "/p/a").Contains("/e/p/a"));
}

}  // namespace
}  // namespace plimsoll::store::etcd
