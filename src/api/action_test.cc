#include "api/action.h"

#include <gtest/gtest.h>

#include <memory>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

ObjectPtr APod() {
  auto parsed = codec::ParseJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a","uid":"u"}})");
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  return DecodeObject(document)->object;
}

TEST(ObjectRefTest, NamesAnObjectThatWasSeen) {
  const ObjectPtr pod = APod();
  const ObjectRef ref = pod;
  EXPECT_EQ(ref.kind().kind, "Pod");
  EXPECT_EQ(ref.namespace_(), "a");
  EXPECT_EQ(ref.name(), "p");
  EXPECT_EQ(ref.uid(), "u");
  EXPECT_EQ(ref.object(), pod);
}

TEST(ObjectRefTest, NamesAnObjectThatWasNotSeen) {
  const ObjectRef ref(*FindKind("", "v1", "Node"), {}, "n");
  EXPECT_EQ(ref.kind().kind, "Node");
  EXPECT_EQ(ref.namespace_(), "");
  EXPECT_EQ(ref.name(), "n");
  EXPECT_EQ(ref.uid(), "") << "any object of that name";
  EXPECT_EQ(ref.object(), nullptr);
  EXPECT_TRUE(ref);
  EXPECT_FALSE(ObjectRef());
}

TEST(TurnTest, StampsTheTimeOfTheDecision) {
  Actions actions;
  const Turn turn{Instant(std::chrono::seconds(7)), actions};
  turn.Do(DeleteObject{.id = 1, .object = APod()});
  turn.Do(Action(BindPod{.id = 2, .pod = APod(), .node = "n"}));
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(std::get<DeleteObject>(actions[0]).decided_at, turn.now);
  EXPECT_EQ(std::get<BindPod>(actions[1]).decided_at, turn.now);
}

}  // namespace
}  // namespace plimsoll::api
