#include "codec/patch/wide_containers.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>
#include <vector>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

/// One edit at a place that `number`, of any size, selects.
struct Edit {
  std::size_t number = 0;
  bool is_removal = false;
};

std::vector<Edit> AnyEdits() {
  const auto numbers = *rc::gen::container<std::vector<std::size_t>>(
      1500, rc::gen::inRange<std::size_t>(0, 1'000'000));
  std::vector<Edit> edits;
  for (const std::size_t number : numbers) {
    edits.push_back({.number = number / 4, .is_removal = number % 4 != 0});
  }
  return edits;
}

TEST(WideContainersTest, EditsOfAListAreThoseOfAVector) {
  EXPECT_TRUE(rc::check("a list is a vector", [] {
    Document document;
    std::vector<std::int64_t> want;
    Value list = document.NewArray();
    const auto size = *rc::gen::inRange(0, 3000);
    for (std::int64_t i = 0; i < size; ++i) {
      want.push_back(i);
      document.Append(list, Value::Int(i));
    }
    WideContainers containers(document);
    std::int64_t next = size;
    for (const Edit& edit : AnyEdits()) {
      const std::size_t index = edit.number % (want.size() + 1);
      const auto at = want.begin() + static_cast<std::ptrdiff_t>(index);
      if (!edit.is_removal) {
        containers.Insert(list, index, Value::Int(next));
        want.insert(at, next++);
      } else if (index < want.size()) {
        RC_ASSERT(containers.At(list, index).AsInt() == want[index]);
        containers.RemoveAt(list, index);
        want.erase(at);
      }
      RC_ASSERT(containers.SizeOf(list) == want.size());
    }
    containers.WriteBack(list);
    RC_ASSERT(list.items().size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) RC_ASSERT(list.items()[i].AsInt() == want[i]);
  }));
}

TEST(WideContainersTest, EditsOfAnObjectAreThoseOfAMap) {
  EXPECT_TRUE(rc::check("an object is a map", [] {
    Document document;
    std::map<std::string, std::int64_t> want;
    Value object = document.NewObject();
    const auto size = *rc::gen::inRange(0, 400);
    for (std::int64_t i = 0; i < size; ++i) {
      want[std::to_string(i)] = i;
      document.Set(object, document.CopyText(std::to_string(i)), Value::Int(i));
    }
    WideContainers containers(document);
    std::int64_t next = size;
    for (const Edit& edit : AnyEdits()) {
      const std::string key = std::to_string(edit.number % 500);
      const Value* const found = containers.Find(object, key);
      RC_ASSERT((found != nullptr) == want.contains(key));
      if (found != nullptr) RC_ASSERT(found->AsInt() == want[key]);
      if (edit.is_removal) {
        RC_ASSERT(containers.Remove(object, key) == (want.erase(key) == 1));
      } else {
        containers.Set(object, key, Value::Int(next));
        want[key] = next++;
      }
    }
    containers.WriteBack(object);
    RC_ASSERT(object.members().size() == want.size());
    for (const Member& member : object.members()) {
      RC_ASSERT(want.at(std::string(member.key)) == member.value.AsInt());
    }
  }));
}

TEST(WideContainersTest, ListsInListsSettleTogether) {
  Document document;
  Value outer = document.NewArray();
  for (std::int64_t i = 0; i < 300; ++i) document.Append(outer, Value::Int(i));
  Value inner = document.Clone(outer);
  WideContainers containers(document);
  containers.Insert(outer, 0, inner);
  containers.RemoveAt(containers.At(outer, 0), 0);
  for (int i = 0; i < 300; ++i) containers.RemoveAt(outer, 1);
  containers.WriteBack(outer);
  ASSERT_EQ(outer.items().size(), 1u);
  EXPECT_EQ(outer.items()[0].items().size(), 299u);
}

}  // namespace
}  // namespace plimsoll::codec
