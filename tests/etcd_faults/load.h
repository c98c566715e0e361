#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "etcd_faults/ledger.h"
#include "store/recording_sink_for_test.h"
#include "store/store.h"

namespace plimsoll::etcd_faults {

/// Runs writers, counters and watches on several stores of one etcd cluster, from construction
/// until Finish.
class Load {
 public:
  /// Writers use sequences greater than `sequence`. They must be unused.
  Load(std::vector<store::Store*> stores, Ledger& ledger, Random random, std::int64_t sequence);
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  /// Stops the writers, waits until all watches have received everything, and checks it.
  void Finish();

 private:
  /// A watch from some revision. Finish compares it with the others.
  struct Follower {
    store::Revision after{};
    store::RecordingSink sink;
    std::unique_ptr<store::Watch> watch;
  };

  void WriteOwnKeys(store::Store& store, std::uint32_t writer, Random random,
                    std::int64_t sequence);
  void Count(store::Store& store, Random random);
  void StartLateWatches(Random random);
  std::optional<store::Record> Read(store::Store& store, const std::string& key);
  store::Revision PutMarker(std::int64_t sequence);
  std::vector<store::Change> ChangesUntil(const Follower& follower, store::Revision end);
  void CompareLists(store::Revision at);

  const std::vector<store::Store*> stores_;
  Ledger& ledger_;
  const std::int64_t sequence_;
  std::atomic<bool> is_over_ = false;
  std::vector<std::unique_ptr<Follower>> followers_;  // one per store, from the start
  std::vector<std::unique_ptr<Follower>> late_;       // used by the thread that starts them
  std::vector<std::thread> threads_;
};

}  // namespace plimsoll::etcd_faults
