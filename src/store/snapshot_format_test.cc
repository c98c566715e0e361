#include "store/snapshot_format.h"

#include <gtest/gtest.h>

namespace plimsoll::store {
namespace {

std::string SomeSnapshot() {
  SnapshotWriter writer;
  writer.Add("/registry/pods/a", "{\n}");
  writer.Add("/registry/pods/b", std::string("\0end 1", 6));
  return writer.Finish(Revision{7});
}

TEST(SnapshotFormatTest, ReadsWhatItWrote) {
  const std::string text = SomeSnapshot();
  const Snapshot snapshot = ReadSnapshot(text).value();
  EXPECT_EQ(snapshot.at, Revision{7});
  ASSERT_EQ(snapshot.entries.size(), 2U);
  EXPECT_EQ(snapshot.entries[0].first, "/registry/pods/a");
  EXPECT_EQ(snapshot.entries[0].second, "{\n}");
  EXPECT_EQ(snapshot.entries[1].second, std::string_view("\0end 1", 6));
  SnapshotWriter nothing;
  EXPECT_TRUE(ReadSnapshot(nothing.Finish(kNoRevision)).value().entries.empty());
}

TEST(SnapshotFormatTest, RefusesWhatIsNotWhole) {
  const std::string text = SomeSnapshot();
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(ReadSnapshot(std::string_view(text).substr(0, size)).has_value()) << size;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(ReadSnapshot(damaged).has_value()) << i;
  }
  EXPECT_FALSE(ReadSnapshot(text + "\n").has_value());
}

TEST(SnapshotFormatTest, TheStoresOwnAccountsAreNoContent) {
  EXPECT_TRUE(IsContent("/registry/pods/default/a"));
  EXPECT_FALSE(IsContent("/registry/plimsoll.io/position"));
}

}  // namespace
}  // namespace plimsoll::store
