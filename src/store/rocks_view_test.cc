#include "store/rocks_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include "base/random.h"
#include "store/rocks_format.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

class RocksViewTest : public testing::Test {
 protected:
  RocksViewTest() {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    EXPECT_TRUE(rocksdb::DB::Open(options, temporary_.path(), &db).ok());
    db_.reset(db);
  }
  void Put(std::int64_t revision) {
    const RevisionKey key(Revision{revision});
    EXPECT_TRUE(db_->Put({}, key.text(), std::to_string(revision)).ok());
  }
  std::unique_ptr<Engine::View> View() {
    return MakeRocksView(*db_, *db_->DefaultColumnFamily(), temporary_.path());
  }

  TemporaryDirectory temporary_;
  std::unique_ptr<rocksdb::DB> db_;
};

TEST_F(RocksViewTest, ReadsAnyNumberInAnyOrderWithAnyGaps) {
  Random random(7);
  std::vector<Revision> all;
  for (std::int64_t revision = 1; all.size() < 500; revision += random.Between(1, 40)) {
    Put(revision);
    all.push_back(Revision{revision});
  }
  const auto view = View();
  for (const std::size_t count : {0U, 1U, 16U, 17U, 400U}) {
    random.Shuffle(std::span(all));
    std::vector<Revision> wanted(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(count / 2), kNoRevision);
    const std::vector<Bytes> values = view->Values(wanted).value();
    ASSERT_EQ(values.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == kNoRevision) {
        EXPECT_EQ(values[i], nullptr);
      } else {
        EXPECT_EQ(*values[i], std::to_string(Number(wanted[i])));
      }
    }
  }
}

TEST_F(RocksViewTest, SeesWhatWasForgottenSince) {
  Put(1);
  const auto view = View();
  ASSERT_TRUE(db_->Delete({}, RevisionKey(Revision{1}).text()).ok());
  const Revision one{1};
  EXPECT_EQ(*view->Values({&one, 1}).value().at(0), "1");
  EXPECT_FALSE(View()->Values({&one, 1}).has_value());
}

TEST_F(RocksViewTest, AValueThatIsMissingIsDamage) {
  std::vector<Revision> revisions;
  for (std::int64_t revision = 1; revision <= 30; ++revision) {
    if (revision != 20) Put(revision);
    revisions.push_back(Revision{revision});
  }
  for (const std::size_t count : {10U, 30U}) {
    const auto some = std::span(revisions).last(std::min<std::size_t>(count + 1, 30));
    const auto values = View()->Values(some);
    ASSERT_FALSE(values.has_value());
    EXPECT_THAT(values.error().message, testing::HasSubstr("revision 20 is missing"));
  }
}

}  // namespace
}  // namespace plimsoll::store
