#include "store/etcd/loop.h"

#include <gtest/gtest.h>

namespace plimsoll::store::etcd {
namespace {

TEST(LoopTest, RunsTasksInTheirOrder) {
  std::vector<int> ran;
  Loop loop;
  for (int i = 0; i < 100; ++i) loop.Post([&ran, i] { ran.push_back(i); });
  std::size_t seen = 0;
  loop.PostAndWait([&] { seen = ran.size(); });
  EXPECT_EQ(seen, 100U);
  for (std::size_t i = 0; i < ran.size(); ++i) EXPECT_EQ(ran[i], static_cast<int>(i));
}

TEST(LoopTest, StopsAfterWhatWasPostedAndDropsTheRest) {
  int ran = 0;
  Loop loop;
  for (int i = 0; i < 10; ++i) loop.Post([&] { ++ran; });
  loop.Stop();
  EXPECT_EQ(ran, 10);
  loop.Post([&] { ++ran; });
  loop.Stop();
  EXPECT_EQ(ran, 10);
}

TEST(LoopTest, ATaskMayPostAnother) {
  int ran = 0;
  Loop loop;
  loop.PostAndWait([&] { loop.Post([&] { ++ran; }); });
  loop.PostAndWait([] {});
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace plimsoll::store::etcd
