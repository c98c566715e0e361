#include "store/rocks_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/random.h"
#include "base/virtual_clock.h"
#include "store/recording_sink_for_test.h"
#include "store/store_contract_for_test.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RocksStoreTest : public testing::Test {
 protected:
  std::string directory() const { return temporary_.path() + "/store"; }

  Result<std::unique_ptr<Store>> TryOpen() {
    return OpenRocksStore({.directory = directory()}, clock_, logger_, nullptr);
  }
  std::unique_ptr<Store> Open() {
    Result<std::unique_ptr<Store>> store = TryOpen();
    EXPECT_TRUE(store.has_value()) << store.error().Text();
    return store.has_value() ? std::move(*store) : nullptr;
  }
  /// Returns the error of opening the store, or "".
  std::string OpenFault() {
    const Result<std::unique_ptr<Store>> store = TryOpen();
    return store.has_value() ? "" : store.error().Text();
  }

  /// Returns the path of the current write-ahead log.
  std::filesystem::path Wal() const {
    std::filesystem::path last;
    for (const auto& entry : std::filesystem::directory_iterator(directory())) {
      if (entry.path().extension() == ".log" && entry.path() > last) last = entry.path();
    }
    return last;
  }

  std::filesystem::path AcknowledgedRevisions() const { return directory() + "/high-water"; }

  TemporaryDirectory temporary_;
  VirtualClock clock_;
  VirtualClock still_;  // read by the store's threads while clock_ is advanced
  MemorySink log_;
  Logger logger_{still_, log_};
};

void Put(Store& store, const std::string& key, const std::string& value,
         std::int64_t expected = 0) {
  const Result<Revision> result = store.CommitAndWait({key, MakeBytes(value), Revision{expected}});
  ASSERT_TRUE(result.has_value()) << result.error().Text();
}

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteAll(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

TEST_F(RocksStoreTest, MakesItsDirectoryForItsOwnerAlone) {
  Open();
  struct stat status{};
  ASSERT_EQ(stat(directory().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST_F(RocksStoreTest, AllIsThereAfterItIsOpenedAgain) {
  {
    const auto store = Open();
    Put(*store, "/a", "1");                                                       // 1
    Put(*store, "/b", "1");                                                       // 2
    Put(*store, "/a", "2", 1);                                                    // 3
    ASSERT_TRUE(store->CommitAndWait({"/b", nullptr, Revision{2}}).has_value());  // 4
    Put(*store, "/c", "1");                                                       // 5
    ASSERT_TRUE(store->Compact(Revision{2}).has_value());
  }
  const auto store = Open();
  EXPECT_EQ(store->latest(), Revision{5});
  EXPECT_EQ(store->compacted(), Revision{2});
  const Range range = store->List({.prefix = "/", .at = Revision{3}}).value();
  ASSERT_EQ(range.records.size(), 2U);
  EXPECT_EQ(*range.records[0].value, "2");
  EXPECT_EQ(*range.records[1].value, "1");
  EXPECT_FALSE(store->Get("/b").value().has_value());

  RecordingSink sink;
  const auto watch = store->WatchFrom("/", Revision{2}, sink).value();
  Put(*store, "/c", "2", 5);
  const std::vector<Change> changes = sink.changes();
  ASSERT_EQ(changes.size(), 4U);
  EXPECT_EQ(*changes[0].before, "1");
  EXPECT_EQ(changes[0].before_revision, Revision{1});
  EXPECT_EQ(changes[1].value, nullptr);
  EXPECT_EQ(changes[3].revision, Revision{6});
}

TEST_F(RocksStoreTest, RevisionsGoOnWhenNothingIsLeft) {
  {
    const auto store = Open();
    Put(*store, "/a", "1");
    ASSERT_TRUE(store->CommitAndWait({"/a", nullptr, Revision{1}}).has_value());
    ASSERT_TRUE(store->Compact(Revision{2}).has_value());
  }
  const auto store = Open();
  EXPECT_EQ(store->latest(), Revision{2});
  EXPECT_EQ(store->CommitAndWait({"/a", MakeBytes("2"), kNoRevision}).value(), Revision{3});
}

TEST_F(RocksStoreTest, RefusesASecondOpener) {
  const auto store = Open();
  const Result<std::unique_ptr<Store>> second = TryOpen();
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().reason, Reason::ServiceUnavailable);
  EXPECT_THAT(second.error().message, AllOf(HasSubstr(directory()), HasSubstr("in use")));
  Put(*store, "/a", "1");
}

TEST_F(RocksStoreTest, CutsOffATornTail) {
  std::string mark;  // high-water file before the last change was acknowledged
  {
    const auto store = Open();
    for (int i = 0; i < 20; ++i) {
      mark = ReadAll(AcknowledgedRevisions());
      Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
    }
  }
  const std::string whole = ReadAll(Wal());
  // Simulate a crash during the write of the last change.
  std::filesystem::resize_file(Wal(), whole.size() - 700);
  WriteAll(AcknowledgedRevisions(), mark);
  const auto store = Open();
  EXPECT_EQ(store->latest(), Revision{19});
  EXPECT_EQ(store->List({.prefix = "/"}).value().records.size(), 19U);
  EXPECT_EQ(store->CommitAndWait({"/new", MakeBytes("v"), kNoRevision}).value(), Revision{20});
}

TEST_F(RocksStoreTest, CutsOffAChangeThatLacksSectors) {
  for (const std::size_t size : {1'500U, 100'000U}) {
    std::filesystem::remove_all(directory());
    std::size_t before = 0;
    std::string mark;
    {
      const auto store = Open();
      for (int i = 0; i < 5; ++i) Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
      before = ReadAll(Wal()).size();
      mark = ReadAll(AcknowledgedRevisions());
      Put(*store, "/last", std::string(size, 'y'));
    }
    std::string torn = ReadAll(Wal());
    const auto sector = static_cast<std::ptrdiff_t>((before + size / 2) / 512 * 512);
    std::fill_n(torn.begin() + sector, 512, '\0');
    WriteAll(Wal(), torn);
    WriteAll(AcknowledgedRevisions(), mark);
    const auto store = Open();
    EXPECT_EQ(store->latest(), Revision{5});
    EXPECT_THAT(log_.text(), HasSubstr("Removing an incomplete change"));
    EXPECT_EQ(store->CommitAndWait({"/new", MakeBytes("v"), kNoRevision}).value(), Revision{6});
  }
}

TEST_F(RocksStoreTest, RefusesAFlippedBitInTheLastChange) {
  {
    const auto store = Open();
    for (int i = 0; i < 5; ++i) Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
  }
  std::string flipped = ReadAll(Wal());
  flipped[flipped.size() - 100] = 'z';
  WriteAll(Wal(), flipped);
  EXPECT_THAT(OpenFault(), HasSubstr("damaged"));
  EXPECT_EQ(ReadAll(Wal()), flipped);
}

TEST_F(RocksStoreTest, RefusesDamageBeforeTheTail) {
  {
    const auto store = Open();
    for (int i = 0; i < 40; ++i) Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
  }
  const std::filesystem::path wal = Wal();
  const std::string whole = ReadAll(wal);
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
  WriteAll(wal, flipped);
  EXPECT_THAT(OpenFault(), AllOf(HasSubstr("damaged"), HasSubstr(directory()), HasSubstr("backup"),
                                 HasSubstr(wal.filename().string())));
  // A refusal changes nothing: with the original bytes, everything is back.
  WriteAll(wal, whole);
  EXPECT_EQ(Open()->latest(), Revision{40});
}

TEST_F(RocksStoreTest, RefusesAHoleInTheLog) {
  {
    const auto store = Open();
    for (int i = 0; i < 80; ++i) Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
  }
  // RocksDB takes zeroes for preallocated space and skips them.
  std::string holed = ReadAll(Wal());
  std::fill(holed.begin() + 32'768, holed.begin() + 3 * 32'768, '\0');
  WriteAll(Wal(), holed);
  EXPECT_THAT(OpenFault(), HasSubstr("damaged"));
}

/// A way to lose acknowledged changes.
struct Loss {
  std::string name;
  void (*lose)(const std::filesystem::path& directory, const std::filesystem::path& wal);
  int left;  // of 20 keys
};

class RocksLossTest : public RocksStoreTest, public testing::WithParamInterface<Loss> {};

TEST_P(RocksLossTest, IsRefusedWithoutAChangeAndOpenedWhenTheLossIsAccepted) {
  {
    const auto store = Open();
    for (int i = 0; i < 20; ++i) Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
  }
  GetParam().lose(directory(), Wal());
  const auto files = [this] {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(directory())) {
      if (entry.path().filename() != "LOCK") found[entry.path()] = ReadAll(entry.path());
    }
    return found;
  };
  const auto before = files();
  EXPECT_THAT(OpenFault(), AllOf(HasSubstr(directory()), HasSubstr("--accept-data-loss"),
                                 HasSubstr("lost acknowledged changes")));
  EXPECT_EQ(files(), before);

  const auto accept = [this] {
    return OpenRocksStore({.directory = directory(), .accepts_data_loss = true}, clock_, logger_,
                          nullptr);
  };
  {
    const auto opened = accept();
    ASSERT_TRUE(opened.has_value()) << opened.error().Text();
    Store& store = **opened;
    EXPECT_THAT(log_.text(), HasSubstr("Accepted the loss"));
    EXPECT_GE(store.latest(), Revision{1'000'000'000});
    EXPECT_EQ(store.compacted(), store.latest());
    const Range range = store.List({.prefix = "/"}).value();
    EXPECT_EQ(range.records.size(), static_cast<std::size_t>(GetParam().left));
    for (const Record& record : range.records) EXPECT_EQ(record.value->size(), 2'000U);
    Put(store, "/new", "v");
  }
  // From then on the store opens with and without the flag, and the revision stays the same.
  const Revision latest = Open()->latest();
  EXPECT_GT(latest, Revision{1'000'000'000});
  EXPECT_EQ((*accept())->latest(), latest);
}

INSTANTIATE_TEST_SUITE_P(
    All, RocksLossTest,
    testing::Values(
        Loss{"MissingLog", [](const auto&, const auto& wal) { std::filesystem::remove(wal); }, 0},
        Loss{"EmptyLog", [](const auto&, const auto& wal) { std::filesystem::resize_file(wal, 0); },
             0},
        Loss{"CutWithinTheLastRecord",
             [](const auto&, const auto& wal) {
               std::filesystem::resize_file(wal, std::filesystem::file_size(wal) - 700);
             },
             19},
        Loss{"CutInTheMiddle",
             [](const auto&, const auto& wal) {
               std::filesystem::resize_file(wal, std::filesystem::file_size(wal) / 2);
             },
             9},
        Loss{"MissingMark",
             [](const auto& directory, const auto&) {
               std::filesystem::remove(directory / "high-water");
             },
             20},
        Loss{"DamagedMark",
             [](const auto& directory, const auto&) { WriteAll(directory / "high-water", "x"); },
             20}),
    [](const auto& loss) { return loss.param.name; });

TEST_F(RocksStoreTest, WhatIsPutBackIsThereAgain) {
  {
    const auto store = Open();
    for (int i = 0; i < 20; ++i) Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
  }
  const std::filesystem::path wal = Wal();
  std::filesystem::rename(wal, temporary_.path() + "/away");
  EXPECT_THAT(OpenFault(), HasSubstr("lost acknowledged changes"));
  std::filesystem::rename(temporary_.path() + "/away", wal);
  EXPECT_EQ(Open()->latest(), Revision{20});
}

TEST_F(RocksStoreTest, AHoleInTheLogCanBeAccepted) {
  {
    const auto store = Open();
    for (int i = 0; i < 80; ++i) Put(*store, "/" + std::to_string(i), std::string(2'000, 'x'));
  }
  std::string holed = ReadAll(Wal());
  std::fill(holed.begin() + 32'768, holed.begin() + 3 * 32'768, '\0');
  WriteAll(Wal(), holed);
  const auto store = OpenRocksStore({.directory = directory(), .accepts_data_loss = true}, clock_,
                                    logger_, nullptr);
  ASSERT_TRUE(store.has_value()) << store.error().Text();
  const std::size_t left = (*store)->List({.prefix = "/"}).value().records.size();
  EXPECT_GT(left, 10U);
  EXPECT_LT(left, 80U);
}

TEST_F(RocksStoreTest, AStoreOfAnOlderVersionGetsItsMark) {
  {
    Put(*Open(), "/a", "1");
  }
  // Recreate the state before high-water files existed.
  {
    rocksdb::DB* db = nullptr;
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const char* name : {"default", "log", "values"}) {
      families.emplace_back(name, rocksdb::ColumnFamilyOptions());
    }
    ASSERT_TRUE(rocksdb::DB::Open({}, directory(), families, &handles, &db).ok());
    ASSERT_TRUE(db->Delete({}, "high_water").ok());
    for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
    delete db;
  }
  std::filesystem::remove(AcknowledgedRevisions());
  EXPECT_EQ(Open()->latest(), Revision{1});
  EXPECT_TRUE(std::filesystem::exists(AcknowledgedRevisions()));
  std::filesystem::remove(AcknowledgedRevisions());
  EXPECT_THAT(OpenFault(), HasSubstr("the file high-water is missing"));
}

TEST_F(RocksStoreTest, MakesNothingWhereItShallOnlyRead) {
  const auto store = OpenRocksStore({.directory = directory(), .creates_if_missing = false}, clock_,
                                    logger_, nullptr);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().reason, Reason::NotFound);
  EXPECT_THAT(store.error().message, HasSubstr("no store in " + directory()));
  EXPECT_FALSE(std::filesystem::exists(directory()));
}

TEST_F(RocksStoreTest, ABumpSurvivesARestart) {
  {
    const auto store = Open();
    Put(*store, "/a", "1");
    ASSERT_TRUE(store->BumpRevision(Revision{500}).has_value());
  }
  {
    const auto store = Open();
    EXPECT_EQ(store->latest(), Revision{500});
    EXPECT_EQ(store->compacted(), Revision{500});
    Put(*store, "/b", "1");
  }
  EXPECT_EQ(Open()->latest(), Revision{501});
}

TEST_F(RocksStoreTest, OverItsQuotaItAcceptsDeletionsOnlyUntilSpaceIsBack) {
  const auto store =
      OpenRocksStore({.directory = directory(),
                      .history = {.changes_min = 0, .changes_max = 100, .seconds_min = 10},
                      .write_buffer_bytes = 64U << 10U,
                      .quota_bytes = 4U << 20U},
                     clock_, logger_, nullptr)
          .value();
  std::string value(100'000, '\0');
  Random random(3);
  for (char& c : value) c = static_cast<char>(random.Between(0, 255));  // does not compress
  std::vector<Revision> made;
  Result<Revision> last = Revision{};
  for (int i = 0; i < 100; ++i) {
    last = store->CommitAndWait({"/" + std::to_string(i), MakeBytes(value), kNoRevision});
    if (!last.has_value()) break;
    made.push_back(*last);
  }
  ASSERT_FALSE(last.has_value());
  EXPECT_EQ(last.error().message, "etcdserver: mvcc: database space exceeded");
  EXPECT_GT(made.size(), 30U);
  EXPECT_EQ(store->Space().error(), last.error());
  EXPECT_TRUE(store->Health().has_value());
  for (std::size_t i = 0; i < made.size(); ++i) {
    ASSERT_TRUE(store->CommitAndWait({"/" + std::to_string(i), nullptr, made[i]}).has_value());
  }
  ASSERT_TRUE(store->Compact(store->latest()).has_value());
  ASSERT_TRUE(store->Defragment().has_value());
  clock_.Advance(std::chrono::seconds(10));
  EXPECT_TRUE(store->Space().has_value());
  Put(*store, "/again", value);
}

TEST_F(RocksStoreTest, NothingThatWasForgottenIsLeftInItsFiles) {
  const auto store = Open();
  Put(*store, "/a", "plain-text-secret");
  Put(*store, "/a", "cipher", 1);
  ASSERT_TRUE(store->Compact(Revision{2}).has_value());
  ASSERT_TRUE(store->Defragment().has_value());
  for (const auto& entry : std::filesystem::directory_iterator(directory())) {
    EXPECT_THAT(ReadAll(entry.path()), testing::Not(HasSubstr("plain-text-secret")))
        << entry.path();
  }
}

TEST_F(RocksStoreTest, RefusesADirectoryWithoutItsHead) {
  {
    Put(*Open(), "/a", "1");
  }
  std::filesystem::remove(directory() + "/CURRENT");
  EXPECT_THAT(OpenFault(), AllOf(HasSubstr("damaged"), HasSubstr("CURRENT")));
}

TEST_F(RocksStoreTest, RefusesAFormatThatItDoesNotKnow) {
  {
    Put(*Open(), "/a", "1");
  }
  {
    rocksdb::DB* db = nullptr;
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const char* name : {"default", "log", "values"}) {
      families.emplace_back(name, rocksdb::ColumnFamilyOptions());
    }
    ASSERT_TRUE(rocksdb::DB::Open({}, directory(), families, &handles, &db).ok());
    ASSERT_TRUE(db->Put({}, "format", "7").ok());
    for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
    delete db;
  }
  EXPECT_THAT(OpenFault(), AllOf(HasSubstr("format 7"), HasSubstr(directory())));
  // accepts_data_loss does not convert a store of an unknown format.
  EXPECT_FALSE(OpenRocksStore({.directory = directory(), .accepts_data_loss = true}, clock_,
                              logger_, nullptr)
                   .has_value());
  EXPECT_THAT(OpenFault(), HasSubstr("format 7"));
}

TEST_F(RocksStoreTest, RefusesAnotherProgramsDatabase) {
  rocksdb::DB* db = nullptr;
  rocksdb::Options options;
  options.create_if_missing = true;
  ASSERT_TRUE(rocksdb::DB::Open(options, directory(), &db).ok());
  rocksdb::ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db->CreateColumnFamily({}, "theirs", &family).ok());
  db->DestroyColumnFamilyHandle(family);
  delete db;
  EXPECT_THAT(OpenFault(), AllOf(HasSubstr("a database of another program"), HasSubstr("theirs")));
}

TEST_F(RocksStoreTest, RefusesWhatIsNoDirectory) {
  WriteAll(directory(), "a file");
  EXPECT_THAT(OpenFault(), HasSubstr(directory()));
}

TEST_F(RocksStoreTest, LogsThatItOpened) {
  Open();
  EXPECT_THAT(log_.text(), AllOf(HasSubstr("Opened the store"), HasSubstr(directory())));
}

class RocksStoreUnderTest final : public StoreUnderTest {
 public:
  explicit RocksStoreUnderTest(HistoryBounds bounds) {
    store_ = OpenRocksStore({.directory = temporary_.path(), .history = bounds}, clock_, logger_,
                            nullptr)
                 .value();
  }
  Store& store() override { return *store_; }
  VirtualClock& clock() override { return clock_; }

 private:
  TemporaryDirectory temporary_;
  VirtualClock clock_;
  VirtualClock still_;  // read by the store's threads while clock_ is advanced
  MemorySink log_;
  Logger logger_{still_, log_};
  std::unique_ptr<Store> store_;
};

}  // namespace

std::unique_ptr<StoreUnderTest> MakeRocksStoreUnderTest(HistoryBounds bounds) {
  return std::make_unique<RocksStoreUnderTest>(bounds);
}

}  // namespace plimsoll::store
