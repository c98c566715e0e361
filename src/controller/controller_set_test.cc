#include "controller/controller_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include "codec/yaml.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr Instant kStart{1000s};

/// Answers each change with a deletion and an event, and logs every call in `told`.
class Parrot final : public Controller {
 public:
  Parrot(std::string name, WatchedKind kind, std::vector<std::string>& told)
      : name_(std::move(name)), kinds_{kind}, told_(told) {}

  std::string_view name() const override { return name_; }
  std::string_view component() const override { return name_; }
  std::span<const WatchedKind> watched() const override { return kinds_; }

  void Observe(const CoreInput& event, const Turn& turn) override {
    if (const auto* const changed = std::get_if<ObjectChanged>(&event)) {
      const ObjectPtr& object = changed->new_object ? changed->new_object : changed->old_object;
      told_.push_back(name_ + " sees " + std::string(object->metadata().name));
      turn.Do(DeleteObject{.id = ++last_id_, .object = object});
      if (throws) throw std::length_error(name_);
      turn.Do(RecordEvent{.regarding = object, .reason = "Seen"});
    } else if (const auto* const finished = std::get_if<ActionFinished>(&event)) {
      told_.push_back(name_ + " finished " + std::to_string(finished->id));
    } else {
      told_.push_back(name_ + " synced");
    }
  }
  void Wake(const Turn& /*turn*/) override {
    told_.push_back(name_ + " woke");
    wake.reset();
  }
  std::optional<Instant> NextWake() const override { return wake; }

  std::optional<Instant> wake;
  bool throws = false;  // after requesting the deletion

 private:
  const std::string name_;
  const std::array<WatchedKind, 1> kinds_;
  std::vector<std::string>& told_;
  ActionId last_id_ = 0;
};

ObjectPtr FromYaml(std::string_view yaml) {
  auto documents = codec::ParseYaml(yaml);
  return api::DecodeObject(std::move(documents->front()))->object;
}

class ControllerSetTest : public testing::Test {
 protected:
  Parrot& Add(std::string name, WatchedKind kind) {
    auto parrot = std::make_unique<Parrot>(std::move(name), kind, told_);
    Parrot& added = *parrot;
    set_.Add(std::move(parrot));
    return added;
  }

  std::vector<std::string> told_;
  ControllerSet set_;
  Actions out_;
  const ObjectPtr pod_ = FromYaml("{apiVersion: v1, kind: Pod, metadata: {name: p}}");
  const ObjectPtr node_ = FromYaml("{apiVersion: v1, kind: Node, metadata: {name: m}}");
};

TEST_F(ControllerSetTest, EachSeesItsKindsAndTheEndOfItsActions) {
  Add("a", {"", "v1", "Pod"});
  Add("b", {"", "v1", "Pod"});
  Add("c", {"", "v1", "Node"});
  EXPECT_EQ(set_.watched().size(), 2u);
  set_.Observe(Synced{}, {kStart, out_});
  set_.Observe(ObjectChanged{nullptr, pod_}, {kStart, out_});
  set_.Observe(ObjectChanged{node_, nullptr}, {kStart, out_});
  ASSERT_EQ(out_.size(), 6u);
  EXPECT_EQ(std::get<RecordEvent>(out_[3]).component, "b");
  // Both controllers numbered their action 1; each outcome reaches the right controller.
  set_.Observe(ActionFinished{std::get<DeleteObject>(out_[2]).id, {}}, {kStart, out_});
  set_.Observe(ActionFinished{std::get<DeleteObject>(out_[0]).id, {}}, {kStart, out_});
  EXPECT_THAT(told_, ElementsAre("a synced", "b synced", "c synced", "a sees p", "b sees p",
                                 "c sees m", "b finished 1", "a finished 1"));
}

TEST_F(ControllerSetTest, UnreadIsWhatNoneOfThemReads) {
  constexpr std::array<std::string_view, 3> kMuch{"spec.a", "spec.b", "status.c"};
  constexpr std::array<std::string_view, 2> kLittle{"spec.x", "spec.b"};
  Add("a", {"", "v1", "Pod", kMuch});
  EXPECT_THAT(set_.watched().front().unread, ElementsAre("spec.a", "spec.b", "status.c"));
  Add("b", {"", "v1", "Pod", kLittle});
  EXPECT_THAT(set_.watched().front().unread, ElementsAre("spec.b"));
  Add("c", {"", "v1", "Pod"});
  EXPECT_THAT(set_.watched().front().unread, testing::IsEmpty());
}

TEST_F(ControllerSetTest, OneThatThrowsDoesNotKeepTheOthersFromBeingTold) {
  Add("a", {"", "v1", "Pod"}).throws = true;
  Add("b", {"", "v1", "Pod"});
  EXPECT_THROW(set_.Observe(ObjectChanged{nullptr, pod_}, {kStart, out_}), std::length_error);
  EXPECT_THAT(told_, ElementsAre("a sees p", "b sees p"));
  // The action requested before the exception is executed, and its outcome is delivered.
  ASSERT_EQ(out_.size(), 3u);
  set_.Observe(ActionFinished{std::get<DeleteObject>(out_[0]).id, {}}, {kStart, out_});
  EXPECT_EQ(told_.back(), "a finished 1");
}

TEST_F(ControllerSetTest, WakesThoseThatAreDue) {
  Parrot& a = Add("a", {"", "v1", "Pod"});
  Parrot& b = Add("b", {"", "v1", "Node"});
  EXPECT_EQ(set_.NextWake(), std::nullopt);
  a.wake = kStart + 5s;
  b.wake = kStart + 2s;
  EXPECT_EQ(set_.NextWake(), kStart + 2s);
  set_.Wake({kStart + 2s, out_});
  EXPECT_THAT(told_, ElementsAre("b woke"));
  EXPECT_EQ(set_.NextWake(), kStart + 5s);
}

}  // namespace
}  // namespace plimsoll::controller
