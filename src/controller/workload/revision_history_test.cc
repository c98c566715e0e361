#include "controller/workload/revision_history.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "codec/json.h"
#include "controller/objects_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

ObjectPtr Owner(std::string_view image) {
  return Decode(
      "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ds, namespace: default, "
      "uid: u}\nspec: {template: {metadata: {labels: {app: ds}}, spec: {containers: "
      "[{name: c, image: " +
      std::string(image) + "}]}}}\n");
}
const codec::Value& TemplateOf(const ObjectPtr& owner) {
  return *FindAt(owner->tree(), {"spec", "template"});
}

TEST(RevisionHistoryTest, FindsTheRevisionOfATemplate) {
  RevisionHistory history;
  const ObjectPtr one = Owner("one");
  const ObjectPtr two = Owner("two");
  EXPECT_EQ(history.Of("u", TemplateOf(one)).next, 1);
  const ObjectPtr first = Decode(RevisionJson(*one, "ds-a", "hash", "a", 1));
  const ObjectPtr second = Decode(RevisionJson(*two, "ds-b", "hash", "b", 2));
  EXPECT_EQ(history.OnChange({nullptr, second}), (std::pair<std::string, std::string>("", "u")));
  history.OnChange({nullptr, first});
  EXPECT_EQ(first->metadata().labels.Find("hash"), "a");
  EXPECT_EQ(first->metadata().labels.Find("app"), "ds");
  const Revisions of_two = history.Of("u", TemplateOf(two));
  EXPECT_EQ(of_two.current, second);
  EXPECT_EQ(of_two.old, std::vector<ObjectPtr>{first});
  EXPECT_EQ(of_two.next, 2);
  const Revisions of_one = history.Of("u", TemplateOf(one));
  EXPECT_EQ(of_one.current, first);
  EXPECT_EQ(of_one.next, 3);
  const Revisions of_none = history.Of("u", TemplateOf(Owner("three")));
  EXPECT_EQ(of_none.current, nullptr);
  EXPECT_EQ(of_none.old, (std::vector<ObjectPtr>{first, second}));
  EXPECT_EQ(history.Find("default", "ds-b"), second);
  history.OnChange({second, nullptr});
  EXPECT_EQ(history.Find("default", "ds-b"), nullptr);
  EXPECT_EQ(history.Of("u", TemplateOf(two)).current, nullptr);
  EXPECT_EQ(history.Of("another", TemplateOf(two)).old.size(), 0u);
}

}  // namespace
}  // namespace plimsoll::controller
