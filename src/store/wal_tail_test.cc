#include "store/wal_tail.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

/// A log in RocksDB's format, and the end of each of its records.
struct Wal {
  std::string bytes;
  std::vector<std::size_t> ends;
};

Wal MakeWal(const std::vector<std::size_t>& sizes) {
  const TemporaryDirectory temporary;
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* db = nullptr;
  EXPECT_TRUE(rocksdb::DB::Open(options, temporary.path(), &db).ok());
  const std::unique_ptr<rocksdb::DB> owned(db);
  const auto read = [&] {
    std::string bytes;
    for (const auto& entry : std::filesystem::directory_iterator(temporary.path())) {
      if (entry.path().extension() != ".log") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    return bytes;
  };
  Wal wal;
  for (const std::size_t size : sizes) {
    EXPECT_TRUE(db->Put({}, "key", std::string(size, 'x')).ok());
    wal.ends.push_back(read().size());
  }
  wal.bytes = read();
  return wal;
}

const std::vector<std::size_t> kSizes = {100, 2'000, 40'000, 700, 100'000, 30, 3'000};

TEST(WalTailTest, WhatRocksDbWroteIsWhole) {
  const Wal wal = MakeWal(kSizes);
  EXPECT_EQ(InspectWal(wal.bytes).kind, WalTail::Kind::Whole);
  EXPECT_EQ(InspectWal(wal.bytes).good_bytes, wal.bytes.size());
  EXPECT_EQ(InspectWal("").kind, WalTail::Kind::Whole);
}

TEST(WalTailTest, SectorsMissingFromTheLastRecordAreATear) {
  for (std::size_t count = 1; count <= kSizes.size(); ++count) {
    const Wal wal = MakeWal({kSizes.begin(), kSizes.begin() + static_cast<std::ptrdiff_t>(count)});
    const std::size_t begin = count == 1 ? 0 : wal.ends[count - 2];
    for (std::size_t sector = begin / 512 * 512; sector < wal.bytes.size(); sector += 512) {
      std::string torn = wal.bytes;
      const std::size_t from = std::max(sector, begin);
      const std::size_t to = std::min(sector + 512, torn.size());
      std::fill(torn.begin() + static_cast<std::ptrdiff_t>(from),
                torn.begin() + static_cast<std::ptrdiff_t>(to), '\0');
      // The previous record had written a part of this sector, so it cannot be missing as a whole.
      if (from % 512 != 0 && to != torn.size()) continue;
      const WalTail tail = InspectWal(torn);
      ASSERT_EQ(tail.kind, WalTail::Kind::Torn) << count << " at " << from;
      // A block may end in a few bytes that belong to no record.
      ASSERT_LE(begin, tail.good_bytes);
      ASSERT_LE(tail.good_bytes, begin + 7);
    }
  }
}

TEST(WalTailTest, AFlippedBitIsDamageEvenInTheLastRecord) {
  const Wal wal = MakeWal(kSizes);
  for (std::size_t i = 0; i < wal.ends.size(); ++i) {
    std::string flipped = wal.bytes;
    flipped[wal.ends[i] - 10] = static_cast<char>(flipped[wal.ends[i] - 10] ^ 4);
    EXPECT_EQ(InspectWal(flipped).kind, WalTail::Kind::Damaged) << i;
  }
}

TEST(WalTailTest, SectorsMissingBeforeTheLastRecordAreDamage) {
  const Wal wal = MakeWal(kSizes);
  for (std::size_t sector = 0; sector + 512 < wal.ends[wal.ends.size() - 2]; sector += 512) {
    std::string holed = wal.bytes;
    std::fill_n(holed.begin() + static_cast<std::ptrdiff_t>(sector), 512, '\0');
    ASSERT_EQ(InspectWal(holed).kind, WalTail::Kind::Damaged) << sector;
  }
}

TEST(WalTailTest, AnEndThatIsMissingIsNoDamage) {
  const Wal wal = MakeWal(kSizes);
  // Within the record of 100,000 bytes, at the end of a block.
  const std::size_t size = 3 * 32'768;
  ASSERT_LT(wal.ends[3], size);
  ASSERT_LT(size, wal.ends[4]);
  const WalTail tail = InspectWal(std::string_view(wal.bytes).substr(0, size));
  EXPECT_EQ(tail.kind, WalTail::Kind::Whole);
  EXPECT_EQ(tail.good_bytes, wal.ends[3]);
}

}  // namespace
}  // namespace plimsoll::store
