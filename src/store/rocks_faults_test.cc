// Tests of a running store whose disk fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <chrono>

#include "base/virtual_clock.h"
#include "store/rocks_engine.h"
#include "store/rocks_store.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using testing::AllOf;
using testing::HasSubstr;

enum class Fault : std::uint8_t { None, FullAtAppend, FullAtSync, BrokenAtSync, FullAtTables };

/// The real disk, with faults that a test injects.
class FaultyDisk final : public rocksdb::FileSystemWrapper {
 public:
  FaultyDisk() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "FaultyDisk"; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    IOStatus status = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (status.ok()) *file = std::make_unique<File>(std::move(*file), name, fault);
    return status;
  }

  std::atomic<Fault> fault = Fault::None;

 private:
  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<FSWritableFile>&& file, const std::string& name,
         const std::atomic<Fault>& fault)
        : FSWritableFileOwnerWrapper(std::move(file)),
          is_wal_(name.ends_with(".log")),
          is_table_(name.ends_with(".sst")),
          fault_(fault) {}

    IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                    IODebugContext* debug) override {
      if (is_wal_ && fault_ == Fault::FullAtAppend) {
        // A part of the data still fits on the disk.
        const rocksdb::Slice part(data.data(), data.size() / 2);
        FSWritableFileOwnerWrapper::Append(part, options, debug).PermitUncheckedError();
        return IOStatus::NoSpace("injected");
      }
      if (is_table_ && fault_ == Fault::FullAtTables) return IOStatus::NoSpace("injected");
      return FSWritableFileOwnerWrapper::Append(data, options, debug);
    }
    IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                    const rocksdb::DataVerificationInfo& /*info*/, IODebugContext* debug) override {
      return Append(data, options, debug);
    }
    IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
      if (is_wal_ && fault_ == Fault::FullAtSync) return IOStatus::NoSpace("injected");
      if (is_wal_ && fault_ == Fault::BrokenAtSync) return IOStatus::IOError("injected");
      return FSWritableFileOwnerWrapper::Sync(options, debug);
    }

   private:
    const bool is_wal_;
    const bool is_table_;
    const std::atomic<Fault>& fault_;
  };
};

class RocksFaultsTest : public testing::TestWithParam<Fault> {
 protected:
  std::unique_ptr<Store> Open(bool is_faulty = true) {
    auto store = OpenRocksStore({.directory = temporary_.path(),
                                 .write_buffer_bytes = 64U << 10U,
                                 .env = is_faulty ? env_.get() : nullptr},
                                clock_, logger_, nullptr);
    EXPECT_TRUE(store.has_value()) << store.error().Text();
    return std::move(*store);
  }
  static Result<Revision> Put(Store& store, const std::string& key) {
    return store.CommitAndWait({key, MakeBytes(std::string(2'000, 'x')), kNoRevision});
  }

  TemporaryDirectory temporary_;
  VirtualClock clock_;
  VirtualClock still_;  // read by the store's threads while clock_ is advanced
  MemorySink log_;
  Logger logger_{still_, log_};
  std::shared_ptr<FaultyDisk> disk_ = std::make_shared<FaultyDisk>();
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(disk_);
};

class RocksFullDiskTest : public RocksFaultsTest {};

TEST_P(RocksFullDiskTest, RefusesWritesGoesOnReadingAndHealsItself) {
  auto store = Open();
  ASSERT_EQ(Put(*store, "/a").value(), Revision{1});
  disk_->fault = GetParam();
  const Result<Revision> unknown = Put(*store, "/b");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().reason, Reason::Timeout);
  const Result<Revision> refused = Put(*store, "/c");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().reason, Reason::ServiceUnavailable);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("full"), HasSubstr(temporary_.path())));
  EXPECT_EQ(store->Health().error(), refused.error());
  EXPECT_EQ(store->Get("/a").value()->revision, Revision{1});
  EXPECT_FALSE(store->Get("/b").value().has_value());
  EXPECT_THAT(log_.text(), HasSubstr("refuses writes"));

  disk_->fault = Fault::None;
  clock_.Advance(std::chrono::seconds(10));
  const Result<Revision> again = Put(*store, "/d");
  ASSERT_TRUE(again.has_value()) << again.error().Text();
  EXPECT_EQ(*again, Revision{2});
  EXPECT_TRUE(store->Health().has_value());
  EXPECT_THAT(log_.text(), HasSubstr("accepts writes again"));
  EXPECT_FALSE(store->Get("/b").value().has_value());

  store.reset();
  store = Open(false);
  EXPECT_EQ(store->latest(), Revision{2});
  EXPECT_TRUE(store->Get("/a").value().has_value());
  EXPECT_TRUE(store->Get("/d").value().has_value());
  EXPECT_FALSE(store->Get("/b").value().has_value());
}

INSTANTIATE_TEST_SUITE_P(All, RocksFullDiskTest,
                         testing::Values(Fault::FullAtAppend, Fault::FullAtSync),
                         [](const auto& fault) {
                           return fault.param == Fault::FullAtAppend ? "AtAppend" : "AtSync";
                         });

TEST_F(RocksFaultsTest, AFailedSyncEndsWritingUntilARestart) {
  auto store = Open();
  ASSERT_TRUE(Put(*store, "/a").has_value());
  disk_->fault = Fault::BrokenAtSync;
  EXPECT_EQ(Put(*store, "/b").error().reason, Reason::Timeout);
  disk_->fault = Fault::None;
  clock_.Advance(std::chrono::minutes(1));
  const Result<Revision> refused = Put(*store, "/c");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().reason, Reason::ServiceUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("restart"));
  EXPECT_TRUE(store->Get("/a").value().has_value());
  EXPECT_EQ(store->latest(), Revision{1});

  store.reset();
  store = Open(false);
  // The write of /b timed out. It may be stored, and then it must count.
  EXPECT_TRUE(store->Get("/a").value().has_value());
  const bool came_through = store->Get("/b").value().has_value();
  EXPECT_EQ(store->latest(), Revision{came_through ? 2 : 1});
  EXPECT_TRUE(Put(*store, "/c").has_value());
}

TEST_F(RocksFaultsTest, NothingAcknowledgedIsLostWhenTablesCannotBeWritten) {
  auto store = Open();
  disk_->fault = Fault::FullAtTables;
  std::vector<std::string> acknowledged;
  for (int i = 0; i < 400 && store->Health().has_value(); ++i) {
    const std::string key = "/" + std::to_string(i);
    if (Put(*store, key).has_value()) acknowledged.push_back(key);
  }
  EXPECT_FALSE(store->Health().has_value());
  for (const std::string& key : acknowledged) {
    ASSERT_TRUE(store->Get(key).value().has_value()) << key;
  }
  store.reset();
  disk_->fault = Fault::None;
  store = Open(false);
  for (const std::string& key : acknowledged) {
    ASSERT_TRUE(store->Get(key).value().has_value()) << key;
  }
}

}  // namespace
}  // namespace plimsoll::store
