#include "store/etcd/shared_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace plimsoll::store::etcd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SharedReadTest, AnswersThoseWhoAskedBeforeItBegan) {
  std::deque<SharedRead::Done> begun;
  std::vector<std::int64_t> told;
  SharedRead reads([&](SharedRead::Done done) { begun.push_back(std::move(done)); });
  const auto ask = [&] {
    reads.Read([&](const SharedRead::Answer& answer) { told.push_back(Number(*answer)); });
  };
  const auto answer = [&](std::int64_t revision) {
    SharedRead::Done done = std::move(begun.front());
    begun.pop_front();
    done(Revision{revision});
  };
  ask();
  ask();
  ask();
  ASSERT_EQ(begun.size(), 1U);
  EXPECT_THAT(told, IsEmpty());
  answer(5);
  EXPECT_THAT(told, ElementsAre(5));
  ASSERT_EQ(begun.size(), 1U);
  answer(7);
  EXPECT_THAT(told, ElementsAre(5, 7, 7));
  EXPECT_THAT(begun, IsEmpty());
}

TEST(SharedReadTest, TellsAllOfAFault) {
  SharedRead::Done begun;
  int told = 0;
  SharedRead reads([&](SharedRead::Done done) { begun = std::move(done); });
  reads.Read([&](const SharedRead::Answer& answer) {
    EXPECT_FALSE(answer.has_value());
    ++told;
  });
  begun(std::unexpected(Fault{Fault::Kind::Unreachable, "gone"}));
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace plimsoll::store::etcd
