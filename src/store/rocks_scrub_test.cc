#include "store/rocks_scrub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/random.h"
#include "base/virtual_clock.h"
#include "store/rocks_database.h"
#include "store/rocks_format.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RocksScrubTest : public testing::Test {
 protected:
  RocksScrubTest() {
    database_ =
        RocksDatabase::Open({.directory = directory_.path()}, RocksDatabase::Mode::ReadWrite,
                            std::make_shared<RocksHealth>(directory_.path(), logger_), logger_)
            .value();
    Random random(1);
    for (int i = 1; i <= 64; ++i) {
      std::string value(8'000, '\0');
      for (char& c : value) c = static_cast<char>(random.Between(0, 255));
      EXPECT_TRUE(database_->db()
                      .Put({}, database_->values(), RevisionKey(Revision{i}).text(), value)
                      .ok());
    }
    EXPECT_TRUE(database_->db().Flush({}, database_->values()).ok());
  }
  std::filesystem::path Table() const {
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      if (entry.path().extension() == ".sst") return entry.path();
    }
    return {};
  }

  TemporaryDirectory directory_;
  VirtualClock clock_;
  MemorySink log_;
  Logger logger_{clock_, log_};
  MetricsRegistry metrics_;
  std::unique_ptr<RocksDatabase> database_;
};

TEST_F(RocksScrubTest, ReadsEveryTableAndFindsAFlippedBit) {
  clock_.Advance(std::chrono::seconds(1'000));
  RocksScrub scrub(*database_, 1U << 30U, clock_, logger_, &metrics_);
  const ScrubReport good = scrub.Run();
  EXPECT_EQ(good.files, 1);
  EXPECT_GT(good.bytes, 64 * 8'000);
  EXPECT_EQ(good.corruptions, 0);
  EXPECT_THAT(metrics_.Text(), HasSubstr("plimsoll_store_scrub_corruptions_total 0\n"));
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("plimsoll_store_scrub_last_finished_timestamp_seconds 1000\n"));
  {
    std::fstream file(Table(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(100'000);
    const char flipped = static_cast<char>(file.peek() ^ 1);
    file.seekp(100'000);
    file.put(flipped);
  }
  EXPECT_EQ(scrub.Run().corruptions, 1);
  EXPECT_THAT(log_.text(), AllOf(HasSubstr("is damaged"), HasSubstr(Table().filename().string())));
  EXPECT_THAT(metrics_.Text(), HasSubstr("plimsoll_store_scrub_corruptions_total 1\n"));
}

TEST_F(RocksScrubTest, ASlowScrubEndsSoonWhenItIsStopped) {
  RocksScrub scrub(*database_, 1, clock_, logger_, nullptr);  // would take a week
  std::thread run([&] { scrub.Run(); });
  scrub.Stop();
  run.join();
  EXPECT_EQ(scrub.Run().files, 0);
}

}  // namespace
}  // namespace plimsoll::store
