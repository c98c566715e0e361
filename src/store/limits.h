#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of this folder. The quota of the disk is RocksOptions::quota_bytes.
namespace plimsoll::store {

/// Bytes of the request that carries one write to etcd: 1.5 MiB, the default of its --max-request-
/// bytes. A larger write fails with RequestEntityTooLarge. All stores have this limit, so that an
/// object can be moved from one store to any other.
inline constexpr std::size_t kWriteBytesMax = 1'572'864;

/// Changes of history, even if they are younger than required. The store compacts older ones.
inline constexpr std::int64_t kHistoryChangesMax = 1'000'000;

/// Writes of one commit, so that no writer waits long for the others. Further writes wait for the
/// next commit.
inline constexpr std::size_t kBatchWritesMax = 1'024;

/// Bytes of the writes of one commit. Further writes wait for the next commit.
inline constexpr std::size_t kBatchBytesMax = 8U << 20U;

/// Past changes that a new watch reads between two commits. More than kBatchWritesMax, so that the
/// watch catches up. It continues after the next commit.
inline constexpr std::int64_t kReplayChangesMax = 4'096;

/// Changes that the store compacts between two commits. It continues after the next commit.
inline constexpr std::int64_t kCompactChangesMax = 4'096;

/// Writes in flight of a copy of a store. The copy waits for the oldest.
inline constexpr std::size_t kTransferWritesMax = 256;

/// Memtables of a RocksDB store. Writers wait for a flush.
inline constexpr int kWriteBuffersMax = 4;

/// Bytes of the write-ahead log of a RocksDB store. RocksDB flushes, which limits the replay at the
/// next opening.
inline constexpr std::uint64_t kWalBytesMax = 128U << 20U;

/// Bytes of a line of the log of RocksDB. The rest is cut off.
inline constexpr std::size_t kRocksLogLineBytesMax = 1'024;

/// Writes in flight to etcd. Further writes wait. Far below 5,000, the number of unapplied entries
/// at which etcd rejects requests.
inline constexpr std::size_t kEtcdWritesMax = 1'000;

/// Attempts of a write to etcd: about four seconds with the pauses, longer than a leader election.
/// Then the write fails.
inline constexpr int kEtcdWriteAttemptsMax = 8;

/// Attempts of a read from etcd. Then the read fails.
inline constexpr int kEtcdReadAttemptsMax = 6;

/// Consecutive failures of the link of watches. Then writers get their answers without waiting for
/// watches.
inline constexpr int kEtcdLinkFailuresMax = 10;

/// Replies of watches that have arrived and are not processed. The stream reads no more.
inline constexpr std::size_t kEtcdRepliesMax = 64;

/// Changes that a new watch may be behind if writers are to wait for it. They do not wait for one
/// that begins further back, until it has caught up.
inline constexpr std::int64_t kEtcdWatchLagMax = 4'096;

}  // namespace plimsoll::store
