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
#include "store/recording_sink.h"
#include "store/store.h"

namespace plimsoll::etcd_faults {

/// Writers, counters and watches over several stores that are meant to be one, from its making
/// until Finish.
class Load {
 public:
  /// The sequences that writers give are behind `sequence`, which nobody may have used.
  Load(std::vector<store::Store*> stores, Ledger& ledger, Random random, std::int64_t sequence);
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  /// Ends the writers, waits until everybody has seen everything, and judges it.
  void Finish();

 private:
  /// A watch that began at some revision, and is compared with the others at the end.
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
  std::vector<std::unique_ptr<Follower>> followers_;  // one of each store, from the beginning
  std::vector<std::unique_ptr<Follower>> late_;       // of the thread that starts them
  std::vector<std::thread> threads_;
};

}  // namespace plimsoll::etcd_faults
