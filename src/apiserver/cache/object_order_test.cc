#include "apiserver/cache/object_order.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "apiserver/cache/cache_for_test.h"
#include "base/random.h"

namespace plimsoll::apiserver {
namespace {

class ObjectOrderTest : public testing::Test {
 protected:
  ObjectPtr Pod(std::string_view namespace_, std::string_view name, std::int64_t revision = 1) {
    return *StoredObject::Make(
        *table_.Find("", "v1", "pods"),
        fmt::format(R"({{"metadata":{{"name":"{}","namespace":"{}"}}}})", name, namespace_),
        store::Revision{revision});
  }
  static std::string NamesOf(const ObjectOrder::Picture& picture) {
    std::vector<ObjectPtr> objects;
    picture.ForEachWhile([&](const ObjectPtr& object) {
      objects.push_back(object);
      return true;
    });
    EXPECT_EQ(objects.size(), picture.size());
    return Names(objects);
  }
  ResourceTable table_;
};

TEST_F(ObjectOrderTest, KeepsTheOrderOfTheKeys) {
  ObjectOrder order;
  for (const auto& [namespace_, name] : std::vector<std::pair<std::string, std::string>>{
           {"a", "x"}, {"b", "y"}, {"a-b", "x"}, {"a", "w"}, {"ab", "z"}, {"a.c", "q"}}) {
    EXPECT_EQ(order.Put(Pod(namespace_, name)), nullptr);
  }
  EXPECT_EQ(NamesOf(order.All()), "a-b/x a.c/q a/w a/x ab/z b/y");
  EXPECT_EQ(NamesOf(order.Namespace("a")), "a/w a/x");
  EXPECT_EQ(NamesOf(order.Namespace("b")), "b/y");
  EXPECT_EQ(NamesOf(order.Namespace("0")), "");
  EXPECT_EQ(NamesOf(order.Namespace("c")), "");
  EXPECT_NE(order.Find("a", "x"), nullptr);
  EXPECT_EQ(order.Find("a", "y"), nullptr);
}

TEST_F(ObjectOrderTest, APictureStaysAsItWas) {
  ObjectOrder order;
  for (int i = 0; i < 1000; ++i) order.Put(Pod("d", fmt::format("p{:04}", i)));
  const ObjectOrder::Picture before = order.All();
  for (int i = 0; i < 1000; i += 2) order.Remove("d", fmt::format("p{:04}", i));
  order.Put(Pod("d", "p0001", 2));
  EXPECT_EQ(before.size(), 1000u);
  before.ForEachWhile([](const ObjectPtr& object) {
    EXPECT_EQ(store::Number(object->revision()), 1);
    return true;
  });
  EXPECT_EQ(order.All().size(), 500u);
  EXPECT_EQ(store::Number(order.Find("d", "p0001")->revision()), 2);
}

RC_GTEST_FIXTURE_PROP(ObjectOrderTest, IsAnOrderedMap, ()) {
  ObjectOrder order;
  std::map<std::string, std::int64_t> model;
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int step = 0; step < 1000; ++step) {
    const std::string namespace_(1, static_cast<char>('a' + random.Below(3)));
    const std::string name = std::to_string(random.Below(300));
    const std::string key = namespace_ + "/" + name;
    if (random.Below(4) > 0) {
      const ObjectPtr before = order.Put(Pod(namespace_, name, step + 1));
      const auto known = model.find(key);
      RC_ASSERT((before ? store::Number(before->revision()) : 0) ==
                (known == model.end() ? 0 : known->second));
      model[key] = step + 1;
    } else {
      RC_ASSERT((order.Remove(namespace_, name) != nullptr) == (model.erase(key) == 1));
    }
    if (step % 500 == 0) (void)order.All();
  }
  RC_ASSERT(order.size() == model.size());
  const auto begins_with_b = [](const auto& entry) { return entry.first.starts_with("b/"); };
  const auto behind = model.upper_bound("b/150");
  RC_ASSERT(order.CountAfter("", "b", "150") ==
            static_cast<std::size_t>(std::distance(behind, model.end())));
  RC_ASSERT(order.CountAfter("b", "b", "150") ==
            static_cast<std::size_t>(std::count_if(behind, model.end(), begins_with_b)));
  std::string wanted;
  for (const auto& [key, revision] : model) wanted += (wanted.empty() ? "" : " ") + key;
  RC_ASSERT(NamesOf(order.All()) == wanted);
}

}  // namespace
}  // namespace plimsoll::apiserver
