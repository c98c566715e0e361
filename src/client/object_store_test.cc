#include "client/object_store.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

std::string Describe(const std::vector<InformerEvent>& events) {
  std::string out;
  for (const InformerEvent& event : events) {
    constexpr std::string_view kTypes = "+~-!";
    if (!out.empty()) out += ' ';
    out += kTypes[static_cast<std::size_t>(event.type)];
    if (event.object == nullptr) continue;
    out.append(event.object->metadata().name).append(event.object->metadata().resource_version);
  }
  return out;
}

std::string All(const ObjectStore& store) {
  std::string out;
  for (const ObjectPtr& object : store.All()) {
    out.append(object->metadata().name).append(object->metadata().resource_version).append(" ");
  }
  return out;
}

TEST(ObjectStoreTest, TellsWhatChanges) {
  ObjectStore store;
  std::vector<InformerEvent> events;
  store.Put(APod("b", 1), events);
  store.Put(APod("a", 2), events);
  store.Put(APod("b", 3), events);
  EXPECT_EQ(events.back().before->metadata().resource_version, "1");
  store.Put(APod("b", 3), events);  // already known
  store.Put(APod("a", 4, "other"), events);
  store.Remove(APod("b", 5), events);
  store.Remove(APod("c", 6), events);  // unknown
  EXPECT_EQ(Describe(events), "+b1 +a2 ~b3 -a2 +a4 -b3");
  EXPECT_EQ(All(store), "a4 ");
  EXPECT_EQ(store.Find("default", "a")->metadata().uid, "other");
  EXPECT_EQ(store.Find("default", "b"), nullptr);
  EXPECT_EQ(store.Find("", "a"), nullptr);
}

TEST(ObjectStoreTest, AReplacementIsToldAsTheDifference) {
  ObjectStore store;
  std::vector<InformerEvent> events;
  store.Replace({APod("c", 1), APod("a", 1), APod("b", 1), APod("d", 1)}, events);
  EXPECT_EQ(Describe(events), "+a1 +b1 +c1 +d1");
  events.clear();
  store.Replace({APod("e", 9), APod("b", 5), APod("d", 1), APod("c", 6, "other")}, events);
  EXPECT_EQ(Describe(events), "-a1 ~b5 -c1 +c6 +e9");
  EXPECT_EQ(All(store), "b5 c6 d1 e9 ");
}

}  // namespace
}  // namespace plimsoll::client
