#include "base/bitmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace plimsoll {
namespace {

using testing::ElementsAre;

Bitmap Of(std::size_t size, const std::vector<std::size_t>& members) {
  Bitmap bitmap(size);
  for (const std::size_t i : members) bitmap.Set(i % size);
  return bitmap;
}

std::vector<std::size_t> Members(const Bitmap& bitmap) {
  std::vector<std::size_t> members;
  bitmap.ForEach([&](std::size_t i) { members.push_back(i); });
  return members;
}

TEST(BitmapTest, KeepsBitsBeyondItsSizeZero) {
  Bitmap bitmap(70);
  bitmap.Fill(true);
  EXPECT_EQ(bitmap.Count(), 70u);
  bitmap.Resize(65);
  bitmap.Resize(128);
  EXPECT_EQ(bitmap.Count(), 65u);
  EXPECT_FALSE(bitmap.Test(65));
}

TEST(BitmapTest, VisitsInOrder) {
  EXPECT_THAT(Members(Of(200, {199, 0, 64, 63})), ElementsAre(0, 63, 64, 199));
  EXPECT_FALSE(Bitmap(64).Any());
  EXPECT_TRUE(Of(64, {63}).Any());
}

TEST(BitmapTest, AssignSetsAndResets) {
  Bitmap bitmap(2);
  bitmap.Assign(1, true);
  EXPECT_TRUE(bitmap.Test(1));
  bitmap.Assign(1, false);
  EXPECT_EQ(bitmap, Bitmap(2));
}

RC_GTEST_PROP(BitmapTest, BehavesAsASet,
              (const std::vector<std::size_t>& left, const std::vector<std::size_t>& right)) {
  const std::size_t size = *rc::gen::inRange<std::size_t>(1, 300);
  const Bitmap a = Of(size, left);
  const Bitmap b = Of(size, right);
  Bitmap both = a;
  both.And(b);
  Bitmap either = a;
  either.Or(b);
  Bitmap only = a;
  only.AndNot(b);
  for (std::size_t i = 0; i < size; ++i) {
    RC_ASSERT(both.Test(i) == (a.Test(i) && b.Test(i)));
    RC_ASSERT(either.Test(i) == (a.Test(i) || b.Test(i)));
    RC_ASSERT(only.Test(i) == (a.Test(i) && !b.Test(i)));
  }
  RC_ASSERT(either.Count() == Members(either).size());
  RC_ASSERT(both.Count() + only.Count() == a.Count());
}

}  // namespace
}  // namespace plimsoll
